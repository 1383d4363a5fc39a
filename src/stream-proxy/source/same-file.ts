import { createHash } from 'node:crypto';
import { deadlineSignal, unlessAborted } from '../../io/wait.ts';
import type { Serving } from '../../model/index.ts';
import type { Elsewhere } from '../../play-address/listed-at.ts';
import { type FailureKind, SourceFailure } from '../policy/failure.ts';
import { readBytes } from './read-bytes.ts';
import type { OpenedRange, Source, SourceSpec, Wish } from './source.ts';
import type { Target } from './upstream.ts';
import type { Validators } from './validators.ts';

/** Bytes of the file that the player has been given, by which it is known again. */
export interface Sample {
  readonly first: number;
  readonly last: number;
  /** SHA-256, in hexadecimal digits. */
  readonly digest: string;
}

/** Bytes of a sample at the most. */
export const SAMPLE = 64 * 1024;

export const sampleOf = (first: number, bytes: Uint8Array): Sample => ({
  first,
  last: first + bytes.byteLength - 1,
  digest: createHash('sha256').update(bytes).digest('hex'),
});

/** Asks the list from which a file's address came where the file is now; undefined: it does not list it. */
export type Relist = (signal: AbortSignal) => Promise<Target | undefined>;

/** The same for any file, by what came along with it to tell where it was listed (PrepareRequest.listed). */
export type RelistOf = (listed: unknown, signal: AbortSignal) => ReturnType<Relist>;

export interface SameFileOptions {
  readonly spec: SourceSpec;
  readonly source: Source;
  readonly size: number;
  /** The latest sample of the file. */
  readonly sample: () => Sample | undefined;
  readonly open: (spec: SourceSpec, known?: Validators) => Source;
  /** Absent: nobody has listed it. */
  readonly relist?: Relist | undefined;
  /** It is read from another address from now on. */
  readonly onMoved: (spec: SourceSpec) => void;
  readonly onNote: (what: string) => void;
  /** Ends the search for it. */
  readonly signal: AbortSignal;
}

/** What says that another file is there now: one answer may be a slip of the server's. */
const DOUBTFUL: ReadonlySet<FailureKind> = new Set(['changed', 'another']);
/** The same of an address that a service has made for one play: it may have ended. */
const ENDED: ReadonlySet<FailureKind> = new Set(['changed', 'another', 'refused']);

/** Milliseconds for the whole search, and until it is made again after it has found nothing. */
const SEARCH = 20_000;
const REST = 10_000;

/**
 * One file, from wherever it is to be had: of an answer that tells of another file, not a byte is taken. It is asked for
 * once more; where a service gave it, the address by which it did so is then opened anew, and after that the list asked
 * that held it. What is found there is the same file where its size, its name and the bytes that the player was given last
 * are the same.
 */
export class SameFile implements Source {
  readonly renew?: (signal: AbortSignal) => Promise<boolean>;
  readonly #options: SameFileOptions;
  #spec: SourceSpec;
  #source: Source;
  #search: Promise<boolean> | undefined;
  /** performance.now() until which it is searched for no more. */
  #rests = -Infinity;

  constructor(options: SameFileOptions) {
    this.#options = options;
    this.#spec = options.spec;
    this.#source = options.source;
    if (options.spec.played !== undefined) this.renew = (signal) => unlessAborted(this.#searchOnce(), signal);
  }

  get where(): string {
    return this.#source.where;
  }

  get serving(): Serving | undefined {
    return this.#source.serving;
  }

  get validators(): Validators | undefined {
    return this.#source.validators;
  }

  async open(wish: Wish): Promise<OpenedRange> {
    const first = await this.#attempt(wish);
    if (!(first instanceof SourceFailure)) return first;
    const second = await this.#attempt(wish);
    if (!(second instanceof SourceFailure)) return second;
    if ((await this.renew?.(wish.signal)) !== true) throw second;
    return await this.#source.open(wish);
  }

  /** What is in doubt is given, all else thrown. */
  async #attempt(wish: Wish): Promise<OpenedRange | SourceFailure> {
    const doubtful = this.#spec.played === undefined ? DOUBTFUL : ENDED;
    try {
      return await this.#source.open(wish);
    } catch (error) {
      if (error instanceof SourceFailure && doubtful.has(error.kind)) return error;
      throw error;
    }
  }

  /** One search serves all who ask meanwhile. */
  #searchOnce(): Promise<boolean> {
    if (performance.now() < this.#rests) return Promise.resolve(false);
    this.#search ??= this.#find().finally(() => {
      this.#search = undefined;
    });
    return this.#search;
  }

  async #find(): Promise<boolean> {
    const { signal, onNote } = this.#options;
    const time = deadlineSignal(signal, SEARCH, () => new Error('it took too long'));
    try {
      for await (const target of this.#targets(time.signal)) {
        const found = await this.#tryAt(target, time.signal);
        if (found === undefined) continue;
        this.#moveTo(found);
        return true;
      }
      onNote('the file is to be had nowhere any more');
      this.#rests = performance.now() + REST;
      return false;
    } catch (error) {
      if (signal.aborted) throw error;
      onNote(`where the file is now is not known: ${error instanceof Error ? error.message : ''}`);
      this.#rests = performance.now() + REST;
      return false;
    } finally {
      time.done();
    }
  }

  /** Where it may be: what its address leads to by now, what the service's leads to, and what the list names. */
  async *#targets(signal: AbortSignal): AsyncGenerator<Target> {
    const { played, url, headers } = this.#spec;
    if (played === undefined) return;
    yield { url, headers };
    if (played.url !== url) yield played;
    // Some addresses are good again once their list has been asked for (protocols.md §8.11).
    const listed = await this.#options.relist?.(signal);
    if (listed !== undefined) yield reachable(listed, played.elsewhere);
  }

  /** Undefined: the same file is not there. */
  async #tryAt(
    target: Target,
    signal: AbortSignal,
  ): Promise<{ spec: SourceSpec; source: Source } | undefined> {
    const { size, open, onNote } = this.#options;
    const { serving, played } = this.#spec;
    const sample = this.#options.sample();
    try {
      const { first, last } = sample ?? { first: 0, last: 0 };
      const { elsewhere } = played ?? {};
      const own = { url: target.url, headers: target.headers };
      const source = open({ ...own, ...(elsewhere !== undefined && { elsewhere }) });
      const opened = await source.open({ first, last, size, timeout: SEARCH, signal });
      const bytes = await readBytes(opened, last - first + 1, { stall: SEARCH, signal });
      const told = opened.told ?? played?.told;
      if (played?.told !== undefined && told !== played.told) throw otherFile('another name');
      if (sample !== undefined && sampleOf(first, bytes).digest !== sample.digest)
        throw otherFile('other bytes');
      const spec: SourceSpec = {
        ...(opened.from ?? own),
        ...(serving !== undefined && { serving }),
        played: { ...played, ...own, ...(told !== undefined && { told }) },
      };
      return { spec, source: open(spec, source.validators) };
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      onNote(`the file is not at another address: ${error.message}`);
      return undefined;
    }
  }

  #moveTo({ spec, source }: { readonly spec: SourceSpec; readonly source: Source }): void {
    this.#spec = spec;
    this.#source = source;
    this.#options.onMoved(spec);
    this.#options.onNote('the file is read from another address');
  }
}

/** An address whose origin this device does not reach is good at the one that it was found to. */
function reachable(target: Target, elsewhere: Elsewhere | undefined): Target {
  const url = new URL(target.url);
  if (elsewhere?.from !== url.origin) return target;
  return { ...target, url: new URL(`${url.pathname}${url.search}`, elsewhere.to).href };
}

const otherFile = (what: string) => new SourceFailure('another', `a file of ${what} is there`);
