import { ownValue } from '../../io/own-property.ts';
import {
  type ClassPart,
  characterClass,
  classLiteral,
  controlCode,
  literal,
  property,
  shorthand,
  WORD,
} from './characters.ts';
import { type CaptureGroup, type Lookaround, type Node, PatternError } from './syntax.ts';

/**
 * Takes a pattern apart that is written as .NET's (and nearly everybody's) are, for one line of text: there are no
 * line breaks in names, so that the options "m" and "s" mean nothing.
 * @throws PatternError for what cannot be had in JavaScript, and for what is no pattern
 */
export function parsePattern(text: string): Parsed {
  return new Parser(text).parse();
}

interface Parsed {
  readonly node: Node;
  /** Whether it says so by an option, which counts for the whole of it wherever it stands. */
  readonly ignoreCase: boolean;
}

/** Deeper ones are written by nobody. */
const MAX_DEPTH = 60;
const WORD_BEFORE = `(?<=[${WORD}])`;
const NO_WORD_BEFORE = `(?<![${WORD}])`;
const WORD_BEHIND = `(?=[${WORD}])`;
const NO_WORD_BEHIND = `(?![${WORD}])`;

const ASSERTIONS: Readonly<Record<string, Node>> = {
  A: assertion('^'),
  Z: assertion('$'),
  z: assertion('$'),
  b: assertion('\\b', `(?:${WORD_BEFORE}${NO_WORD_BEHIND}|${NO_WORD_BEFORE}${WORD_BEHIND})`),
  B: assertion('\\B', `(?:${WORD_BEFORE}${WORD_BEHIND}|${NO_WORD_BEFORE}${NO_WORD_BEHIND})`),
};

function assertion(ascii: string, unicode = ascii): Node {
  return { kind: 'assertion', ascii, unicode };
}

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #ids = 0;
  #ignoreCase = false;
  #behind = 0;
  /** As .NET numbers them: those without a name first, then those with one. */
  readonly #unnamed: CaptureGroup[] = [];
  readonly #named = new Map<string, CaptureGroup>();
  readonly #references: (() => CaptureGroup)[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Parsed {
    const node = this.#choice();
    if (this.#at < this.#text.length) throw new PatternError('a bracket closes that was never opened');
    for (const to of this.#references) to().referred = true;
    return { node, ignoreCase: this.#ignoreCase };
  }

  #choice(): Node {
    if (++this.#depth > MAX_DEPTH) throw new PatternError('its brackets are nested too deeply');
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    this.#depth--;
    return options.length === 1 && options[0] !== undefined ? options[0] : { kind: 'choice', options };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (this.#at < this.#text.length && !'|)'.includes(this.#peek())) {
      const item = this.#item();
      if (item !== undefined) items.push(this.#quantified(item));
    }
    return { kind: 'sequence', items };
  }

  /** Undefined for what says nothing: a comment, an option. */
  #item(): Node | undefined {
    const letter = this.#next();
    switch (letter) {
      case '(':
        return this.#bracket();
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      case '.':
        return { kind: 'character', ascii: '.', unicode: '.' };
      case '^':
      case '$':
        return assertion(letter);
      case '*':
      case '+':
      case '?':
        throw new PatternError(`there is nothing that "${letter}" could repeat`);
      default:
        return literal(letter);
    }
  }

  #bracket(): Node | undefined {
    if (!this.#take('?')) return this.#group(this.#unnamedGroup());
    for (const sign of ['?=', '?!', '?<=', '?<!'] as const) {
      if (this.#take(sign.slice(1))) return this.#look(sign);
    }
    if (this.#take(':')) return this.#body();
    if (this.#take('>')) return this.#atomic(this.#body());
    if (this.#match(/#[^)]*\)/y) !== undefined) return undefined;
    const [, name] = this.#match(/(?:P?<(\w+)>)/y) ?? this.#match(/'(\w+)'/y) ?? [];
    if (name !== undefined) return this.#group(this.#namedGroup(name));
    return this.#options();
  }

  #look(sign: Lookaround['sign']): Node {
    const behind = sign.startsWith('?<') ? 1 : 0;
    this.#behind += behind;
    const body = this.#body();
    this.#behind -= behind;
    return { kind: 'look', sign, body };
  }

  #atomic(body: Node): Node {
    // What stands for one in JavaScript is read forwards, and what looks behind is read backwards.
    if (this.#behind > 0) throw new PatternError('it looks behind with a part that takes nothing back');
    return { kind: 'atomic', body };
  }

  /** (?i) and its like. */
  #options(): Node | undefined {
    const options = this.#match(/([imsn]*)(?:-([msn]*))?([:)])/y);
    if (options === undefined)
      throw new PatternError('it uses an option or a kind of bracket that is not known here');
    if (options[1]?.includes('i') === true) this.#ignoreCase = true;
    return options[3] === ':' ? this.#body() : undefined;
  }

  #group(group: CaptureGroup): Node {
    return { kind: 'group', group, body: this.#body() };
  }

  #unnamedGroup(): CaptureGroup {
    const group = { id: this.#ids++, referred: false };
    this.#unnamed.push(group);
    return group;
  }

  #namedGroup(name: string): CaptureGroup {
    if (this.#named.has(name)) throw new PatternError(`it has two groups with the name "${name}"`);
    const group = { id: this.#ids++, referred: false };
    this.#named.set(name, group);
    return group;
  }

  #body(): Node {
    const body = this.#choice();
    if (!this.#take(')')) throw new PatternError('a bracket is never closed');
    return body;
  }

  #quantified(item: Node): Node {
    const found = this.#match(/(?:([*+?])|\{(\d{1,3})(?:(,)(\d{0,3}))?\})([?+]?)/y);
    if (found === undefined) return item;
    if (item.kind === 'assertion' || item.kind === 'look')
      throw new PatternError('it repeats something that takes no room');
    const [, sign, from, comma, to, mode] = found;
    const min = sign === undefined ? Number(from) : sign === '+' ? 1 : 0;
    const max =
      sign === undefined
        ? comma === undefined
          ? min
          : to
            ? Number(to)
            : Infinity
        : sign === '?'
          ? 1
          : Infinity;
    if (max < min) throw new PatternError('it repeats something at least more often than at most');
    const repeat: Node = { kind: 'repeat', body: item, min, max, lazy: mode === '?' };
    if (this.#match(/[*+?]|\{\d+(?:,\d*)?\}/y) !== undefined) {
      throw new PatternError('it has two repetitions in a row');
    }
    return mode === '+' ? this.#atomic(repeat) : repeat;
  }

  #escape(): Node {
    const reference = this.#reference();
    if (reference !== undefined) return reference;
    const part = this.#shared();
    if (part !== undefined) return typeof part === 'string' ? literal(part) : characterClass([part], false);
    const letter = this.#next();
    const found = ownValue(ASSERTIONS, letter);
    if (found !== undefined) return found;
    if (/[A-Za-z0-9]/.test(letter)) throw new PatternError(`\\${letter} is not known here`);
    return literal(letter);
  }

  #reference(): Node | undefined {
    const found = this.#match(/k(?:<(\w+)>|'(\w+)'|\{(\w+)\})/y);
    const key = found?.[1] ?? found?.[2] ?? found?.[3] ?? this.#match(/[1-9]\d?/y)?.[0];
    if (key === undefined) return undefined;
    const to = () => {
      const number = Number(key);
      const group =
        this.#named.get(key) ??
        [...this.#unnamed, ...this.#named.values()].at(
          Number.isInteger(number) && number > 0 ? number - 1 : Infinity,
        );
      if (group === undefined) throw new PatternError(`it refers to a group "${key}" that it does not have`);
      return group;
    };
    this.#references.push(to);
    return { kind: 'reference', to };
  }

  /** What means the same inside and outside of a class: a character, or a class by a letter. */
  #shared(): string | ClassPart | undefined {
    const named = this.#match(/([pP])\{(\^?[\w=-]+)\}/y);
    if (named !== undefined) return property(named[1] ?? '', named[2] ?? '');
    const code = this.#match(/(?:x([\da-f]{2})|u([\da-f]{4}))/iy);
    if (code !== undefined) return oneCharacter(Number.parseInt(code[1] ?? code[2] ?? '', 16));
    const octal = this.#match(/0[0-7]{0,2}/y);
    if (octal !== undefined) return oneCharacter(Number.parseInt(octal[0], 8));
    const control = this.#match(/c([A-Za-z])/y);
    if (control !== undefined) return oneCharacter((control[1] ?? '').toUpperCase().charCodeAt(0) - 64);
    const letter = this.#peek();
    const part = shorthand(letter) ?? codeOf(letter);
    if (part !== undefined) this.#at++;
    return part;
  }

  #class(): Node {
    const negated = this.#take('^');
    const parts: ClassPart[] = [];
    // A bracket that stands first is an ordinary character.
    let first = true;
    while (first || this.#peek() !== ']') {
      first = false;
      parts.push(this.#range());
    }
    this.#next();
    return characterClass(parts, negated);
  }

  #range(): ClassPart {
    if (this.#text.startsWith('-[', this.#at)) {
      throw new PatternError('it takes one character class away from another');
    }
    const from = this.#classPart();
    const rest = this.#text.slice(this.#at, this.#at + 2);
    if (typeof from !== 'string' || !rest.startsWith('-') || rest === '-]' || rest === '-[') {
      return typeof from === 'string' ? classLiteral(from) : from;
    }
    this.#next();
    const to = this.#classPart();
    if (typeof to !== 'string' || to < from)
      throw new PatternError('it has a range of characters that ends before it starts');
    const source = `${classLiteral(from).ascii}-${classLiteral(to).ascii}`;
    return { ascii: source, unicode: source };
  }

  #classPart(): string | ClassPart {
    const letter = this.#next();
    if (letter !== '\\') return letter;
    const part = this.#shared();
    if (part !== undefined) return part;
    const escaped = this.#next();
    if (escaped === 'b') return '\b';
    if (/[A-Za-z0-9]/.test(escaped)) throw new PatternError(`\\${escaped} is not known here`);
    return escaped;
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  /** The next character, whole: half of a pair means nothing. @throws PatternError at the end */
  #next(): string {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) throw new PatternError('it ends too early');
    const letter = String.fromCodePoint(code);
    this.#at += letter.length;
    return letter;
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Takes what a sticky expression matches here. */
  #match(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}

const codeOf = (letter: string) => {
  const code = controlCode(letter);
  return code === undefined ? undefined : String.fromCharCode(code);
};

const oneCharacter = (code: number) => String.fromCodePoint(code);
