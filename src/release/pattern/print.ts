import type { Node } from './syntax.ts';

type Alphabet = 'ascii' | 'unicode';

/** Writes a pattern as JavaScript's: the same text for the flags "i" and "iu". */
export function printPattern(node: Node, alphabet: Alphabet): string {
  const print = (inner: Node): string => {
    switch (inner.kind) {
      case 'character':
      case 'assertion':
        return inner[alphabet];
      case 'look':
        return `(${inner.sign}${print(inner.body)})`;
      case 'group':
        return inner.group.referred
          ? `(?<g${inner.group.id}>${print(inner.body)})`
          : `(?:${print(inner.body)})`;
      case 'atomic':
        return atomic(print(inner.body));
      case 'reference':
        return `\\k<g${inner.to().id}>`;
      case 'sequence':
        return inner.items.map(print).join('');
      case 'choice':
        return `(?:${inner.options.map(print).join('|')})`;
      case 'repeat':
        return `(?:${print(inner.body)})${quantifier(inner)}`;
    }
  };
  // JavaScript has no atomic groups; a lookahead, which is one, captures what is then taken as a whole.
  let atoms = 0;
  const atomic = (body: string) => {
    const name = `a${atoms++}`;
    return `(?:(?=(?<${name}>${body}))\\k<${name}>)`;
  };
  return print(node);
}

function quantifier({ min, max, lazy }: { min: number; max: number; lazy: boolean }): string {
  const upTo = max === Infinity ? '' : String(max);
  return `{${min},${upTo}}${lazy ? '?' : ''}`;
}
