import { hexHash } from '../../io/hash.ts';
import { deadlineSignal, unlessAborted } from '../../io/wait.ts';
import type { Serving } from '../../model/index.ts';
import type { OriginOverride } from '../../play-address/open-listed.ts';
import type { Relist } from '../../play-address/open-or-relist.ts';
import { type FailureKind, SourceFailure } from '../policy/failure.ts';
import { CHANGED_FILE_KINDS, openConfirmed } from './open-confirmed.ts';
import { readBytes } from './read-bytes.ts';
import type { ByteSource, OpenedRange, RangeRequest } from './source.ts';
import type { SourceSpec } from './source-spec.ts';
import type { RequestTarget } from './upstream.ts';
import { type Validators, VersionChanged } from './validators.ts';

/** Bytes of the file that the player has been given, by which it is known again. */
export interface FileSample {
  readonly first: number;
  readonly last: number;
  /** SHA-256, in hexadecimal digits. */
  readonly digest: string;
}

/** Bytes of a sample at the most. */
export const MAX_SAMPLE = 64 * 1024;

export const sampleOf = (first: number, bytes: Uint8Array): FileSample => ({
  first,
  last: first + bytes.byteLength - 1,
  digest: hexHash(bytes),
});

export interface RelocatingSourceOptions {
  readonly spec: SourceSpec;
  readonly source: ByteSource;
  readonly size: number;
  /** The latest sample of the file. */
  readonly sample: () => FileSample | undefined;
  readonly open: (spec: SourceSpec, known?: Validators) => ByteSource;
  /** Absent: nobody has listed it. */
  readonly relist?: Relist | undefined;
  /** It is read from another address from now on, or as another version. */
  readonly onRelocated: (spec: SourceSpec) => void;
  readonly onNote: (what: string) => void;
  /** Ends the search for it. */
  readonly signal: AbortSignal;
}

/** What says that another file is at an address that a service has made for one play: it may have ended. */
const ENDED_KINDS: ReadonlySet<FailureKind> = new Set([...CHANGED_FILE_KINDS, 'refused']);

/** Milliseconds for the whole search, and until it is made again after it has found nothing. */
const SEARCH_TIMEOUT = 20_000;
const SEARCH_COOLDOWN = 10_000;

/** A place where the file may be. */
interface Candidate {
  readonly target: RequestTarget;
  /** It is where a service gives the file; absent: it is where its bytes were. */
  readonly isPlayAddress?: true;
}

interface Relocation {
  readonly spec: SourceSpec;
  readonly source: ByteSource;
}

/**
 * One file, from wherever it is to be had: of an answer that tells of another file, not a byte is taken. It is asked for
 * again; where a service gave it, the address by which it did so is then opened anew, and after that the list asked that
 * held it. What is found there is the same file where its size, its name and the bytes that the player was given last
 * are the same. So is a share's file, of which all answers tell another version.
 */
export class RelocatingSource implements ByteSource {
  readonly relocate?: (signal: AbortSignal) => Promise<boolean>;
  readonly #options: RelocatingSourceOptions;
  #spec: SourceSpec;
  #source: ByteSource;
  #search: Promise<boolean> | undefined;
  /** performance.now() until which it is searched for no more. */
  #nextSearchAt = -Infinity;

  constructor(options: RelocatingSourceOptions) {
    this.#options = options;
    this.#spec = options.spec;
    this.#source = options.source;
    if (options.spec.played !== undefined)
      this.relocate = (signal) => unlessAborted(this.#searchOnce(), signal);
  }

  get host(): string {
    return this.#source.host;
  }

  get label(): string {
    return this.#source.label;
  }

  get serving(): Serving | undefined {
    return this.#source.serving;
  }

  get validators(): Validators | undefined {
    return this.#source.validators;
  }

  async open(wish: RangeRequest): Promise<OpenedRange> {
    try {
      return await this.#ask(wish);
    } catch (error) {
      const mayBeFound = this.#isFromService ? isAddressEnded(error) : error instanceof VersionChanged;
      if (!mayBeFound || !(await unlessAborted(this.#searchOnce(), wish.signal))) throw error;
      return await this.#ask(wish);
    }
  }

  get #isFromService(): boolean {
    return this.#spec.played !== undefined;
  }

  #ask(wish: RangeRequest): Promise<OpenedRange> {
    const latest: Pick<ByteSource, 'open'> = { open: (each) => this.#source.open(each) };
    return openConfirmed(latest, wish, this.#isFromService ? ENDED_KINDS : CHANGED_FILE_KINDS);
  }

  /** One search serves all who ask meanwhile. */
  #searchOnce(): Promise<boolean> {
    if (performance.now() < this.#nextSearchAt) return Promise.resolve(false);
    this.#search ??= this.#find().finally(() => {
      this.#search = undefined;
    });
    return this.#search;
  }

  async #find(): Promise<boolean> {
    const { signal, onNote } = this.#options;
    const time = deadlineSignal(signal, SEARCH_TIMEOUT, () => new Error('it took too long'));
    try {
      for await (const place of this.#candidates(time.signal)) {
        const found = await this.#tryAt(place, time.signal);
        if (found === undefined) continue;
        this.#moveTo(found);
        return true;
      }
      onNote('the file is to be had nowhere any more');
      this.#nextSearchAt = performance.now() + SEARCH_COOLDOWN;
      return false;
    } catch (error) {
      if (signal.aborted) throw error;
      onNote(`where the file is now is not known: ${error instanceof Error ? error.message : ''}`);
      this.#nextSearchAt = performance.now() + SEARCH_COOLDOWN;
      return false;
    } finally {
      time.done();
    }
  }

  /** What its address leads to by now, what the service's leads to, and what the list names. */
  async *#candidates(signal: AbortSignal): AsyncGenerator<Candidate> {
    const { played, url, headers } = this.#spec;
    yield { target: { url, headers } };
    if (played === undefined) return;
    if (played.url !== url) yield { target: played, isPlayAddress: true };
    // Some addresses are good again once their list has been asked for (protocols.md §8.11).
    const listed = await this.#options.relist?.(signal);
    if (listed !== undefined)
      yield { target: reachableTarget(listed, played.elsewhere), isPlayAddress: true };
  }

  /** Undefined: the same file is not there. */
  async #tryAt(place: Candidate, signal: AbortSignal): Promise<Relocation | undefined> {
    const { open, onNote } = this.#options;
    const { url, headers } = place.target;
    const { elsewhere } = this.#spec.played ?? {};
    const source = open({ url, headers, ...(elsewhere !== undefined && { elsewhere }) });
    try {
      const opened = await this.#openSame(source, signal);
      const spec = relocatedSpec(place, opened, this.#spec);
      return { spec, source: open(spec, source.validators) };
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      onNote(`the file is not at another address: ${error.message}`);
      return undefined;
    }
  }

  /** @throws SourceFailure where it is not the same file */
  async #openSame(source: ByteSource, signal: AbortSignal): Promise<OpenedRange> {
    const { played } = this.#spec;
    const sample = this.#options.sample();
    // Of a share nothing but its bytes tells that it is the same.
    if (sample === undefined && played === undefined) throw otherFileFailure('unknown bytes');
    const { first, last } = sample ?? { first: 0, last: 0 };
    const wish: RangeRequest = { first, last, size: this.#options.size, timeout: SEARCH_TIMEOUT, signal };
    const opened = await (played === undefined ? openConfirmed(source, wish) : source.open(wish));
    const bytes = await readBytes(opened, last - first + 1, { stallTimeout: SEARCH_TIMEOUT, signal });
    if (played?.told !== undefined && (opened.declaredName ?? played.told) !== played.told)
      throw otherFileFailure('another name');
    if (sample !== undefined && sampleOf(first, bytes).digest !== sample.digest)
      throw otherFileFailure('other bytes');
    return opened;
  }

  #moveTo({ spec, source }: Relocation): void {
    const isThere = spec.url === this.#spec.url;
    this.#spec = spec;
    this.#source = source;
    this.#options.onRelocated(spec);
    this.#options.onNote(
      isThere ? 'the file has the same bytes as before' : 'the file is read from another address',
    );
  }
}

/** A file's source as it is now. Where its bytes came from is no address at which a service gives it. */
function relocatedSpec(
  { target, isPlayAddress: plays }: Candidate,
  { from, declaredName: told }: OpenedRange,
  known: SourceSpec,
): SourceSpec {
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

const isAddressEnded = (error: unknown) => error instanceof SourceFailure && ENDED_KINDS.has(error.kind);

/** An address whose origin this device does not reach is good at the one that it was found to. */
function reachableTarget(target: RequestTarget, elsewhere: OriginOverride | undefined): RequestTarget {
  const url = new URL(target.url);
  if (elsewhere?.from !== url.origin) return target;
  return { ...target, url: new URL(`${url.pathname}${url.search}`, elsewhere.to).href };
}

const otherFileFailure = (what: string) => new SourceFailure('another', `a file of ${what} is there`);
