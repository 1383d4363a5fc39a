import { pause } from '../../io/wait.ts';
import type { Fill } from '../../media/fill-types.ts';
import { SourceFailure } from '../policy/failure.ts';
import type { RetryPolicy } from '../policy/policies.ts';
import { Fills } from './fills.ts';
import type { HoledFile } from './holed-file.ts';
import { type LostRange, LostRanges } from './lost-ranges.ts';
import { type FollowingStream, MissingRangeProber } from './missing-range.ts';
import { isByteAvailable } from './probe-byte.ts';
import { failedProbe, type ProbeOutcome } from './probe-outcome.ts';
import { type FindFirstElement, ZeroRunProber } from './probe-zero-run.ts';
import { ServerHealth, type ServerHealthJournal } from './server-health.ts';

/** Who hears of what becomes of a hole; a session keeps the count. */
export interface HoleJournal extends ServerHealthJournal {
  filled(fill: Fill): void;
  /** The bytes are missing, and may not be filled. */
  lost(position: number, why: string): void;
  /** Nothing proves that the bytes are missing for good. */
  undecided(position: number): void;
}

export interface HolesOptions extends HoledFile {
  readonly read: RetryPolicy;
  readonly journal: HoleJournal;
  /** Those of the engine before this one, and what could not be filled there. */
  readonly fills: readonly Fill[];
  readonly lost: readonly LostRange[];
  readonly stream: FollowingStream;
  /** Called when there is a verdict on a place that was looked into; whether it is filled now. */
  readonly onChange: (isFilled: boolean) => void;
  /** Called with each step towards one: whoever waits for the place is not waiting in vain. Gives whether any does. */
  readonly onProbe: (position: number) => boolean;
}

export interface ZeroRunProbe {
  readonly begin: FindFirstElement;
  /** Called with a row that is the film's own. */
  readonly onGenuine: (run: { readonly first: number; readonly last: number }) => void;
}

/**
 * The holes of one file: has each place looked into once, and keeps what came of it, what stands in its place or why it
 * cannot be had.
 */
export class Holes {
  readonly serverHealth: ServerHealth;
  readonly #options: HolesOptions;
  readonly #fills: Fills;
  readonly #missingRangeProber: MissingRangeProber;
  readonly #zeroRunProber: ZeroRunProber;
  readonly #closing = new AbortController();
  readonly #probing = new Set<number>();
  /** Places beside one that is being looked into: what comes of it decides. */
  readonly #nearProbed = new Set<number>();
  readonly #lostRanges = new LostRanges();
  /** Places that were late, until performance.now() has come there. */
  readonly #undecided = new Map<number, number>();

  constructor(options: HolesOptions) {
    this.#options = options;
    const { policy, read, journal, source, size } = options;
    this.#fills = new Fills(options.fills);
    const look = { source, size, timeout: policy.probeTimeout, stall: read.stallTimeout };
    this.serverHealth = new ServerHealth({
      policy,
      journal,
      probe: (position, signal) => isByteAvailable(look, position, 1, signal),
      onProbe: () => [...this.#probing].filter((position) => options.onProbe(position)).length > 0,
    });
    const own = { fills: this.#fills, standing: this.serverHealth, signal: this.#closing.signal };
    this.#missingRangeProber = new MissingRangeProber({ ...options, ...own });
    this.#zeroRunProber = new ZeroRunProber({ ...options, ...own });
    for (const range of options.lost)
      this.#lostRanges.add({ ...range, until: Infinity, failure: new SourceFailure('missing', range.why) });
  }

  get fills(): readonly Fill[] {
    return this.#fills.list;
  }

  /** What is lost for good and cannot be filled. */
  get lost(): readonly LostRange[] {
    return this.#lostRanges.permanent;
  }

  has(position: number): boolean {
    return this.#fills.at(position) !== undefined;
  }

  /** See Fills. */
  bytesAt(position: number, most: number): Uint8Array | undefined {
    return this.#fills.bytesAt(position, most);
  }

  /** See Fills. */
  endAfter(position: number): number {
    return this.#fills.endAfter(position);
  }

  /** See Fills. */
  startAfter(position: number): number {
    return this.#fills.startAfter(position);
  }

  /** What is known of a place: it is being looked into, or it cannot be had. */
  stateAt(position: number): 'looking' | SourceFailure | undefined {
    if (this.#probing.has(position) || this.#nearProbed.has(position)) return 'looking';
    return this.#lostRanges.at(position);
  }

  /** Begins to look into a place where reading has failed; false when that is no hole. */
  probe(position: number, failure: SourceFailure): boolean {
    if (failure.kind !== 'missing') return false;
    if (this.has(position) || this.stateAt(position) !== undefined) return true;
    if (this.#isNearProbed(position)) this.#nearProbed.add(position);
    else this.#startProbe(position, failure);
    return true;
  }

  /** Begins to look into a row of zeros, of which the part up to `end` (exclusive) is known. */
  probeZeroRun(position: number, end: number, { begin, onGenuine: onFine }: ZeroRunProbe): void {
    const failure = new SourceFailure('missing', `zeros stand in place of bytes from ${position} on`);
    const known = { first: position, last: end - 1 };
    this.#probing.add(position);
    this.#zeroRunProber.probe(known, begin, failure).then(
      (outcome) => {
        if ('fine' in outcome) {
          this.#probed(position);
          onFine(outcome.fine);
          this.#options.onChange(false);
        } else this.#settle(outcome.first, outcome, position);
      },
      (error: unknown) => {
        this.#settle(position, failedProbe(error, position, failure));
      },
    );
  }

  close(): void {
    this.#closing.abort(CLOSED);
  }

  #startProbe(position: number, failure: SourceFailure): void {
    this.#probing.add(position);
    this.#probe(position, failure).then(
      (outcome) => {
        this.#settle(position, outcome);
      },
      (error: unknown) => {
        this.#settle(position, failedProbe(error, position, failure));
      },
    );
  }

  async #probe(position: number, failure: SourceFailure): Promise<ProbeOutcome> {
    if ((this.#undecided.get(position) ?? 0) <= performance.now())
      return await this.#missingRangeProber.probe(position, failure);
    // It was looked into a moment ago: whatever is on its way has not come yet.
    await pause(this.#options.policy.recheckInterval, this.#closing.signal);
    return 'late';
  }

  /** Whether the hole that is being looked into may reach here. */
  #isNearProbed(position: number): boolean {
    return [...this.#probing].some((other) => Math.abs(other - position) < this.#options.policy.maxHole);
  }

  /** @param looked The place that was looked into, where that is not the hole's first byte. */
  #settle(position: number, outcome: ProbeOutcome, looked = position): void {
    if (this.#closing.signal.aborted) return;
    const { journal, policy, onChange } = this.#options;
    this.#probed(looked);
    if (outcome === 'late') {
      this.#noteUndecided(position);
    } else if ('fill' in outcome) {
      this.#fills.add(outcome.fill);
      journal.filled(outcome.fill);
    } else {
      const { refused: why, last, lasting, failure } = outcome;
      journal.lost(position, why);
      // Whatever a file that is gone still has in memory is given out; a look tells whether it has come back.
      const first = failure.kind === 'missing' ? position : 0;
      const until = lasting ? Infinity : performance.now() + policy.cooldown;
      this.#lostRanges.add({ first, last, why, failure, until });
    }
    onChange(typeof outcome === 'object' && 'fill' in outcome);
  }

  /** There is a verdict on a place, and on those beside it unless another one is being looked into. */
  #probed(position: number): void {
    this.#probing.delete(position);
    if (this.#probing.size === 0) this.#nearProbed.clear();
  }

  #noteUndecided(position: number): void {
    const now = performance.now();
    for (const [place, until] of this.#undecided) if (until <= now) this.#undecided.delete(place);
    if (this.#undecided.has(position)) return;
    this.#undecided.set(position, now + this.#options.policy.cooldown);
    this.#options.journal.undecided(position);
  }
}

const CLOSED = new Error('the session has ended');
