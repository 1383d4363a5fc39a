import type { Character, Node } from './syntax.ts';

/**
 * Finds repetitions that can take a text apart in more ways than a person lives seconds: "(a+)+", "(a|a)*", "(.*,)*".
 * Such a pattern is quick on most names and never ends on one that nearly matches. Found is what is ambiguous: where
 * a character may as well go on with an inner repetition as start what follows it. What takes merely too long
 * is left to the budget of the run.
 */
export function isCatastrophic(node: Node): boolean {
  switch (node.kind) {
    case 'character':
    case 'assertion':
    case 'reference':
      return false;
    case 'sequence':
      return node.items.some(isCatastrophic);
    case 'choice':
      return node.options.some(isCatastrophic);
    case 'repeat':
      return (isLoop(node) && loopsAmbiguously(node)) || isCatastrophic(node.body);
    case 'look':
    case 'group':
    case 'atomic':
      return isCatastrophic(node.body);
  }
}

/** What repeats less often multiplies the work, but not without end. */
const MANY = 8;
const isLoop = ({ max }: { max: number }) => max >= MANY;

function loopsAmbiguously({ body, min }: { body: Node; min: number }): boolean {
  return (min >= MANY && isNullable(body)) || isAmbiguous(body, first(body));
}

/** Whether a text can be read in two ways by a node in a loop; `follow`: what may come behind it in there. */
function isAmbiguous(node: Node, follow: CharacterSet): boolean {
  switch (node.kind) {
    case 'character':
    case 'assertion':
    case 'reference':
    case 'look':
    // Once through, it is not tried in another way.
    case 'atomic':
      return false;
    case 'group':
      return isAmbiguous(node.body, follow);
    case 'sequence':
      return node.items.some((item, index) =>
        isAmbiguous(item, firstOfAll(node.items.slice(index + 1), follow)),
      );
    case 'choice':
      return overlap(node.options) || node.options.some((option) => isAmbiguous(option, follow));
    case 'repeat': {
      const again = first(node.body);
      if (node.min !== node.max && (again & follow) !== NONE) return true;
      return isAmbiguous(node.body, node.max > 1 ? again | follow : follow);
    }
  }
}

/** Whether one option is a single character that another one, of as many as you like, may consist of as well. */
function overlap(options: readonly Node[]): boolean {
  const texts = options.map(charactersOf);
  return texts.some((single, index) => {
    const [one, ...more] = single ?? [];
    if (one === undefined || more.length > 0) return false;
    return texts.some(
      (text, other) => other !== index && text?.length && text.every((set) => (set & one) !== NONE),
    );
  });
}

/** The sets of a node that is nothing but characters in a row. */
function charactersOf(node: Node): CharacterSet[] | undefined {
  if (node.kind === 'character') return [setOf(node)];
  if (node.kind === 'group') return charactersOf(node.body);
  if (node.kind !== 'sequence') return undefined;
  const parts = node.items.map(charactersOf);
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}

function isNullable(node: Node): boolean {
  switch (node.kind) {
    case 'character':
      return false;
    case 'assertion':
    case 'look':
    case 'reference':
      return true;
    case 'group':
    case 'atomic':
      return isNullable(node.body);
    case 'sequence':
      return node.items.every(isNullable);
    case 'choice':
      return node.options.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.body);
  }
}

/** The characters that a node may start with. */
function first(node: Node): CharacterSet {
  switch (node.kind) {
    case 'character':
      return setOf(node);
    case 'assertion':
    case 'look':
      return NONE;
    case 'reference':
      return ALL;
    case 'group':
    case 'atomic':
    case 'repeat':
      return first(node.body);
    case 'sequence':
      return firstOfAll(node.items, NONE);
    case 'choice':
      return node.options.reduce((set, option) => set | first(option), NONE);
  }
}

function firstOfAll(items: readonly Node[], follow: CharacterSet): CharacterSet {
  let set = NONE;
  for (const item of items) {
    set |= first(item);
    if (!isNullable(item)) return set;
  }
  return set | follow;
}

/** A bit for each character of the alphabet. */
type CharacterSet = bigint;

/** ASCII, and one letter each of some other alphabets, which stand for all of them. */
const ALPHABET = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
  'é',
  'Я',
  '日',
  '٣',
];
const NONE = 0n;
const ALL = (1n << BigInt(ALPHABET.length)) - 1n;

const sets = new Map<string, CharacterSet>();
/** Patterns come from people's files: what is remembered of them has an end. */
const MAX_SETS = 1_000;

function setOf({ unicode }: Character): CharacterSet {
  const known = sets.get(unicode);
  if (known !== undefined) return known;
  const pattern = new RegExp(`^(?:${unicode})$`, 'iu');
  const set = ALPHABET.reduce(
    (bits, letter, index) => (pattern.test(letter) ? bits | (1n << BigInt(index)) : bits),
    NONE,
  );
  if (sets.size < MAX_SETS) sets.set(unicode, set);
  return set;
}
