import { createHash } from 'node:crypto';
import { deadlineSignal, unlessAborted } from '../../io/wait.ts';
import type { Serving } from '../../model/index.ts';
import type { Elsewhere } from '../../play-address/listed-at.ts';
import type { Relist } from '../../play-address/relisted.ts';
import { type FailureKind, SourceFailure } from '../policy/failure.ts';
import { DOUBTFUL, openBeyondDoubt } from './doubtful.ts';
import { readBytes } from './read-bytes.ts';
import type { OpenedRange, Source, Wish } from './source.ts';
import type { SourceSpec } from './source-spec.ts';
import type { Target } from './upstream.ts';
import { OtherVersion, type Validators } from './validators.ts';

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

export interface SameFileOptions {
  readonly spec: SourceSpec;
  readonly source: Source;
  readonly size: number;
  /** The latest sample of the file. */
  readonly sample: () => Sample | undefined;
  readonly open: (spec: SourceSpec, known?: Validators) => Source;
  /** Absent: nobody has listed it. */
  readonly relist?: Relist | undefined;
  /** It is read from another address from now on, or as another version. */
  readonly onMoved: (spec: SourceSpec) => void;
  readonly onNote: (what: string) => void;
  /** Ends the search for it. */
  readonly signal: AbortSignal;
}

/** What says that another file is at an address that a service has made for one play: it may have ended. */
const ENDED: ReadonlySet<FailureKind> = new Set([...DOUBTFUL, 'refused']);

/** Milliseconds for the whole search, and until it is made again after it has found nothing. */
const SEARCH = 20_000;
const REST = 10_000;

/** A place where the file may be. */
interface Place {
  readonly target: Target;
  /** It is where a service gives the file; absent: it is where its bytes were. */
  readonly plays?: true;
}

interface Found {
  readonly spec: SourceSpec;
  readonly source: Source;
}

/**
 * One file, from wherever it is to be had: of an answer that tells of another file, not a byte is taken. It is asked for
 * again; where a service gave it, the address by which it did so is then opened anew, and after that the list asked that
 * held it. What is found there is the same file where its size, its name and the bytes that the player was given last
 * are the same. So is a share's file, of which all answers tell another version.
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

  get who(): string {
    return this.#source.who;
  }

  get serving(): Serving | undefined {
    return this.#source.serving;
  }

  get validators(): Validators | undefined {
    return this.#source.validators;
  }

  async open(wish: Wish): Promise<OpenedRange> {
    try {
      return await this.#ask(wish);
    } catch (error) {
      const mayBeFound = this.#isPlayed ? isEnded(error) : error instanceof OtherVersion;
      if (!mayBeFound || !(await unlessAborted(this.#searchOnce(), wish.signal))) throw error;
      return await this.#ask(wish);
    }
  }

  get #isPlayed(): boolean {
    return this.#spec.played !== undefined;
  }

  #ask(wish: Wish): Promise<OpenedRange> {
    const latest: Pick<Source, 'open'> = { open: (each) => this.#source.open(each) };
    return openBeyondDoubt(latest, wish, this.#isPlayed ? ENDED : DOUBTFUL);
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
      for await (const place of this.#places(time.signal)) {
        const found = await this.#tryAt(place, time.signal);
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

  /** What its address leads to by now, what the service's leads to, and what the list names. */
  async *#places(signal: AbortSignal): AsyncGenerator<Place> {
    const { played, url, headers } = this.#spec;
    yield { target: { url, headers } };
    if (played === undefined) return;
    if (played.url !== url) yield { target: played, plays: true };
    // Some addresses are good again once their list has been asked for (protocols.md §8.11).
    const listed = await this.#options.relist?.(signal);
    if (listed !== undefined) yield { target: reachable(listed, played.elsewhere), plays: true };
  }

  /** Undefined: the same file is not there. */
  async #tryAt(place: Place, signal: AbortSignal): Promise<Found | undefined> {
    const { open, onNote } = this.#options;
    const { url, headers } = place.target;
    const { elsewhere } = this.#spec.played ?? {};
    const source = open({ url, headers, ...(elsewhere !== undefined && { elsewhere }) });
    try {
      const opened = await this.#openSame(source, signal);
      const spec = foundAt(place, opened, this.#spec);
      return { spec, source: open(spec, source.validators) };
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      onNote(`the file is not at another address: ${error.message}`);
      return undefined;
    }
  }

  /** @throws SourceFailure where it is not the same file */
  async #openSame(source: Source, signal: AbortSignal): Promise<OpenedRange> {
    const { played } = this.#spec;
    const sample = this.#options.sample();
    // Of a share nothing but its bytes tells that it is the same.
    if (sample === undefined && played === undefined) throw otherFile('unknown bytes');
    const { first, last } = sample ?? { first: 0, last: 0 };
    const wish: Wish = { first, last, size: this.#options.size, timeout: SEARCH, signal };
    const opened = await (played === undefined ? openBeyondDoubt(source, wish) : source.open(wish));
    const bytes = await readBytes(opened, last - first + 1, { stall: SEARCH, signal });
    if (played?.told !== undefined && (opened.told ?? played.told) !== played.told)
      throw otherFile('another name');
    if (sample !== undefined && sampleOf(first, bytes).digest !== sample.digest)
      throw otherFile('other bytes');
    return opened;
  }

  #moveTo({ spec, source }: Found): void {
    const isThere = spec.url === this.#spec.url;
    this.#spec = spec;
    this.#source = source;
    this.#options.onMoved(spec);
    this.#options.onNote(
      isThere ? 'the file has the same bytes as before' : 'the file is read from another address',
    );
  }
}

/** A file's source as it is now. Where its bytes came from is no address at which a service gives it. */
function foundAt({ target, plays }: Place, { from, told }: OpenedRange, known: SourceSpec): SourceSpec {
  const { serving, played } = known;
  if (played === undefined) return known;
  const { url, headers } = target;
  return {
    ...(from ?? { url, headers }),
    ...(serving !== undefined && { serving }),
    played: {
      ...played,
      ...(plays === true && { url, headers }),
      ...(told !== undefined && { told }),
    },
  };
}

const isEnded = (error: unknown) => error instanceof SourceFailure && ENDED.has(error.kind);

/** An address whose origin this device does not reach is good at the one that it was found to. */
function reachable(target: Target, elsewhere: Elsewhere | undefined): Target {
  const url = new URL(target.url);
  if (elsewhere?.from !== url.origin) return target;
  return { ...target, url: new URL(`${url.pathname}${url.search}`, elsewhere.to).href };
}

const otherFile = (what: string) => new SourceFailure('another', `a file of ${what} is there`);
