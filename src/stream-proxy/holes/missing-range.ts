import { deadlineSignal, pause } from '../../io/wait.ts';
import type { Fill, FillRefusal } from '../../media/fill-types.ts';
import { SourceFailure } from '../policy/failure.ts';
import { articleSizesToTry } from '../policy/fills.ts';
import type { RetryPolicy } from '../policy/policies.ts';
import type { OpenedRange } from '../source/source.ts';
import { withConfirmedMisses } from './confirmed-misses.ts';
import type { Fills } from './fills.ts';
import { findHoleExtent, type HoleExtentSearch, recheckHoleExtent } from './hole-extent.ts';
import type { HoledFile } from './holed-file.ts';
import { isByteAvailable } from './probe-byte.ts';
import type { ProbeOutcome } from './probe-outcome.ts';
import type { ServerHealth } from './server-health.ts';

/** The stream behind a hole. */
export interface FollowingStream {
  /** Whether anybody wants what follows a position. */
  isWanted(position: number): boolean;
  /** All from this position on has been asked for and comes: it is to be read, or closed. */
  continueWith(position: number, opened: OpenedRange): void;
  /** Whether a byte is in memory. */
  has(position: number): boolean;
}

export interface MissingRangeOptions extends HoledFile {
  readonly read: RetryPolicy;
  readonly stream: FollowingStream;
  readonly fills: Fills;
  readonly standing: ServerHealth;
  /** Called with each step towards a verdict on a position. */
  readonly onProbe: (position: number) => void;
  /** Ends every look. */
  readonly signal: AbortSignal;
}

/** A place that is being looked into. */
interface ProbedRange {
  readonly first: number;
  readonly failure: SourceFailure;
  /** performance.now() of when the look began. */
  readonly since: number;
  readonly signal: AbortSignal;
}

/** Bytes. A server that breaks off by chance does so at one of them; an article that is lost has many more. */
const MIN_LOSS = 64 * 1024;
const isBreak = ({ cause }: SourceFailure) => cause instanceof SourceFailure && cause.kind === 'broken';

/** Attempts to learn whether a byte is there. */
const ATTEMPTS = 3;
/** So many times the patience for a look: on a slow line a head comes after seconds (protocols.md §2.6). */
const START_TIMEOUT_FACTOR = 3;
const FILE_GONE = 'the file is gone at the server';

/**
 * Finds out what a place is that the source has called missing: how far the hole reaches, and what is to stand there.
 * Only what the source itself calls missing, while it serves other places, is a hole; and only with readable bytes
 * behind it, or up to the file's end where the file is known to be complete: a backend that is still downloading has
 * none behind.
 */
export class MissingRangeProber {
  readonly #options: MissingRangeOptions;

  constructor(options: MissingRangeOptions) {
    this.#options = options;
  }

  /** @throws SourceFailure when it cannot be told; the signal's reason when it aborts */
  async probe(position: number, failure: SourceFailure): Promise<ProbeOutcome> {
    const { policy, size, fills, standing, signal } = this.#options;
    // What the film's first byte is worth, a look at it tells.
    if (position === 0) return (await this.#decideByServerHealth(size - 1)) ?? 'late';
    // What a service gave may be gone as a whole at any time.
    if (!standing.isFresh || this.#options.source.relocate !== undefined) {
      const given = await this.#decideByServerHealth(size - 1);
      if (given !== undefined) return given;
    }
    const allowed = fills.maxHole(policy, size);
    if (allowed === 0) return { refused: 'no more may be filled', last: position, lasting: false, failure };
    const time = deadlineSignal(signal, policy.totalTimeout, () => new Error('it took too long'));
    try {
      const sought = { first: position, failure, since: performance.now(), signal: time.signal };
      return await this.#search(sought, Math.min(allowed, size - position));
    } finally {
      time.done();
    }
  }

  /** What the server's standing alone decides; undefined: it serves the file, so that the place itself is missing. */
  async #decideByServerHealth(last: number): Promise<ProbeOutcome | undefined> {
    const standing = await this.#options.standing.check(this.#options.signal);
    if (standing === 'serves') return undefined;
    if (standing === 'served again' || standing === 'unknown') return 'late';
    if (standing === 'gone' && (await this.#options.source.relocate?.(this.#options.signal)) === true)
      return 'late';
    const refused = standing === 'gone' ? FILE_GONE : 'the server calls missing what it had';
    const failure = new SourceFailure(standing === 'gone' ? 'gone' : 'unavailable', refused);
    return { refused, last, lasting: false, failure };
  }

  /** How far the hole reaches, and what becomes of it. */
  async #search(sought: ProbedRange, allowed: number): Promise<ProbeOutcome> {
    const search = this.#extentSearch(sought, allowed);
    const { first, limit, probe } = search;
    const found = limit === first ? undefined : await findHoleExtent(search);
    const given = found === undefined ? await this.#decideBeyondLimit(limit) : undefined;
    if (given !== undefined) return given;
    // An outage breaks off everything: only a byte behind the hole tells that it is one.
    if (isBreak(sought.failure) && found === undefined) return 'late';
    await this.#waitToConfirm(sought);
    // Where it has come by now, what lies behind it may have come as well.
    if (await probe(first)) return 'late';
    const last = await recheckHoleExtent(search, found ?? limit);
    if (isBreak(sought.failure) && last - first < MIN_LOSS && !this.#endsAt(last)) return 'late';
    const isTooLong = found === undefined && last === limit && !this.#endsAt(limit);
    return isTooLong ? this.#tooLongOutcome(last, sought) : this.#fill(last, sought);
  }

  #extentSearch({ first, signal }: ProbedRange, allowed: number): HoleExtentSearch {
    const { policy, source, size, stream, fills } = this.#options;
    return {
      first,
      limit: Math.min(first + allowed, fills.startAfter(first) - 1, size - 1),
      steps: policy.searchSteps,
      maxProbes: policy.maxProbes,
      articleSizes: articleSizesToTry(policy, source.serving?.articleBytes),
      startsArticle: stream.has(first - 1),
      probe: (position) => this.#probeByte(first, position, signal),
      continueFrom: (position) => this.#continueBehind(first, position, signal),
    };
  }

  /** Waits until a 404 that the server says for a moment only has passed; what breaks off may do so for longer. */
  async #waitToConfirm({ since, signal, failure }: ProbedRange): Promise<void> {
    const { confirmAfter: confirm, reportAfter: told } = this.#options.policy;
    const left = since + (isBreak(failure) ? Math.max(confirm, told) : confirm) - performance.now();
    if (left > 0) await pause(left, signal);
  }

  /** What follows where nothing can be had up to the limit; undefined: all of it is lost. */
  async #decideBeyondLimit(limit: number): Promise<ProbeOutcome | undefined> {
    const isComplete = this.#options.source.serving?.complete === true;
    if (!isComplete && !this.#meetsFill(limit)) return 'late';
    // A lost part, or a server that has nothing now?
    return this.#decideByServerHealth(limit);
  }

  /** Whether a later part of the hole was filled already, as by a seek into its middle. */
  #meetsFill(limit: number): boolean {
    return this.#options.fills.at(limit + 1) !== undefined;
  }

  #endsAt(limit: number): boolean {
    return limit === this.#options.size - 1 || this.#meetsFill(limit);
  }

  #tooLongOutcome(last: number, { failure }: ProbedRange): ProbeOutcome {
    return { refused: 'more is lost than may be filled', last, lasting: true, failure };
  }

  async #fill(last: number, sought: ProbedRange): Promise<ProbeOutcome> {
    const { planFill, mime, file, source, onProbe: onStep } = this.#options;
    const { first, failure, signal } = sought;
    const misses = {
      file,
      signal,
      breaksTell: true,
      onStep: () => {
        onStep(first);
      },
    };
    const planned: Fill | FillRefusal = await withConfirmedMisses(misses, (sure, end) =>
      planFill(mime, { first, last }, sure, end),
    );
    if (!('refused' in planned)) return { fill: planned };
    const lasting = source.serving?.complete === true;
    // A server that has lost the file, or has trouble, is no reason to give a place up for good.
    const given = lasting ? await this.#decideByServerHealth(last) : undefined;
    return given ?? { refused: planned.refused, last, lasting, failure };
  }

  /**
   * Asks for all from a position on, where a hole may end: when it comes, it goes on as the stream. Where nobody wants
   * it yet, or the server is read in windows, a look does.
   */
  async #continueBehind(first: number, position: number, signal: AbortSignal): Promise<boolean> {
    const { source, size, policy, stream, onProbe: onStep } = this.#options;
    // A service may promise the bytes of a lost article, too: only a byte that has come tells.
    if (source.relocate !== undefined || source.serving?.windows === true || !stream.isWanted(position))
      return this.#probeByte(first, position, signal);
    try {
      const wish = { first: position, size, timeout: policy.probeTimeout * START_TIMEOUT_FACTOR, signal };
      stream.continueWith(position, await source.open(wish));
      return true;
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      if (error.kind === 'missing') return false;
    } finally {
      onStep(first);
    }
    return await this.#probeByte(first, position, signal);
  }

  /** A look on behalf of the hole at `first`. */
  async #probeByte(first: number, position: number, signal: AbortSignal): Promise<boolean> {
    const { source, size, policy, read, onProbe: onStep } = this.#options;
    const breaksTell = source.relocate !== undefined;
    const look = { source, size, timeout: policy.probeTimeout, stall: read.stallTimeout, breaksTell };
    const there = await isByteAvailable(look, position, ATTEMPTS, signal);
    onStep(first);
    return there;
  }
}
