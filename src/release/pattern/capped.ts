import { type Context, createContext, Script } from 'node:vm';
import type { Pattern } from './pattern.ts';

/** Texts that patterns run on: each once, bounded, in one line. */
export interface BoundedTexts {
  readonly texts: readonly string[];
  /** Whether a text is plain ASCII. */
  readonly plain: readonly boolean[];
  /** For each of the given texts its place in `texts`. */
  readonly places: Uint32Array;
  /** Where the empty text stands, when it is there and nothing is ever found in it, not even an empty pattern. */
  readonly emptyAt?: number;
}

/** What is behind it in a longer name is never looked at: the time of a pattern grows faster than the text. */
const MAX_TEXT = 300;
const PLAIN = /^[\0-\x7f]*$/;

/** @param emptyIsNothing whether an empty text stands for something that is not there */
export function boundedTexts(given: readonly string[], emptyIsNothing = false): BoundedTexts {
  const seen = new Map<string, number>();
  const places = new Uint32Array(given.length);
  given.forEach((text, index) => {
    const line = oneLine(text.slice(0, MAX_TEXT));
    const place = seen.get(line) ?? seen.size;
    seen.set(line, place);
    places[index] = place;
  });
  const texts = [...seen.keys()];
  const emptyAt = emptyIsNothing ? seen.get('') : undefined;
  return {
    texts,
    plain: texts.map((text) => PLAIN.test(text)),
    places,
    ...(emptyAt !== undefined && { emptyAt }),
  };
}

const oneLine = (text: string) => text.replace(/[\r\n\u2028\u2029]/g, ' ');

/** Time that a batch of patterns may take together, and each of them. */
export class Budget {
  #left: number;
  readonly #each: number;

  /** Milliseconds. The defaults let every sensible set of patterns through, on a slow box as well. */
  constructor(all = 3_000, each = 1_000) {
    this.#left = all;
    this.#each = each;
  }

  get spent(): boolean {
    return this.#left <= 0;
  }

  /** Does the work; undefined when its time was up before its end. */
  run<T>(work: () => T): T | undefined {
    const began = performance.now();
    try {
      return withinTime(work, this.#each);
    } finally {
      this.#left -= performance.now() - began;
    }
  }
}

/** Patterns that took too long once: they are not tried again whenever something is added to a list. */
const tooSlow = new WeakSet<Pattern>();

/**
 * Which of the texts a pattern finds itself in: 1 or 0 for each, or undefined when the time was up. All or nothing:
 * what a list holds must not depend on how busy the machine was halfway.
 */
export function findIn(
  { texts, plain, places, emptyAt }: BoundedTexts,
  pattern: Pattern,
  budget: Budget,
): Uint8Array | undefined {
  if (tooSlow.has(pattern) || budget.spent) return undefined;
  const found = new Uint8Array(texts.length);
  // Loops, here as below: they run for each name and each pattern.
  const done = budget.run(() => {
    for (let index = 0; index < texts.length; index++) {
      const expression = plain[index] === true ? pattern.ascii : pattern.unicode;
      if (expression.test(texts[index] ?? '')) found[index] = 1;
    }
    return true;
  });
  if (done === undefined) {
    tooSlow.add(pattern);
    return undefined;
  }
  if (emptyAt !== undefined) found[emptyAt] = 0;
  const all = new Uint8Array(places.length);
  for (let index = 0; index < places.length; index++) all[index] = found[places[index] ?? 0] ?? 0;
  return all;
}

interface Sandbox {
  work: () => unknown;
}
let room: { readonly sandbox: Sandbox; readonly context: Context; readonly script: Script } | undefined;

/** Only a script can be stopped from outside while a regular expression runs, so the work is called from one. */
function withinTime<T>(work: () => T, ms: number): T | undefined {
  room ??= openSandbox();
  room.sandbox.work = work;
  try {
    return room.script.runInContext(room.context, { timeout: ms }) as T;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    room.sandbox.work = () => undefined;
  }
}

function openSandbox() {
  const sandbox: Sandbox = { work: () => undefined };
  return { sandbox, context: createContext(sandbox), script: new Script('work()') };
}
