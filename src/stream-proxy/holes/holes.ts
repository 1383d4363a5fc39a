import { pause } from '../../io/wait.ts';
import type { Fill } from '../../media/fill.ts';
import { SourceFailure } from '../policy/failure.ts';
import type { RetryPolicy } from '../policy/policy.ts';
import { Fills } from './fills.ts';
import type { HoledFile } from './holed-file.ts';
import { isThere } from './look.ts';
import { MissingPlaces, type StreamBehind } from './missing.ts';
import { failedLook, type Outcome } from './outcome.ts';
import { type LostRange, Refusals } from './refusals.ts';
import { ServerStanding, type StandingJournal } from './standing.ts';
import { type Begin, ZeroRows } from './zeros.ts';

/** Who hears of what becomes of a hole; a session keeps the count. */
export interface HoleJournal extends StandingJournal {
  filled(fill: Fill): void;
  /** The bytes are missing, and may not be filled. */
  lost(position: number, why: string): void;
  /** Nothing proves that the bytes are missing for good. */
  late(position: number): void;
}

export interface HolesOptions extends HoledFile {
  readonly read: RetryPolicy;
  readonly journal: HoleJournal;
  /** Those of the engine before this one, and what could not be filled there. */
  readonly fills: readonly Fill[];
  readonly lost: readonly LostRange[];
  readonly stream: StreamBehind;
  /** Called when there is a verdict on a place that was looked into; whether it is filled now. */
  readonly onChange: (isFilled: boolean) => void;
  /** Called with each step towards one: whoever waits for the place is not waiting in vain. Gives whether any does. */
  readonly onStep: (position: number) => boolean;
}

export interface ZeroLook {
  readonly begin: Begin;
  /** Called with a row that is the film's own. */
  readonly onFine: (run: { readonly first: number; readonly last: number }) => void;
}

/**
 * The holes of one file: has each place looked into once, and keeps what came of it, what stands in its place or why it
 * cannot be had.
 */
export class Holes {
  readonly standing: ServerStanding;
  readonly #options: HolesOptions;
  readonly #fills: Fills;
  readonly #missing: MissingPlaces;
  readonly #zeros: ZeroRows;
  readonly #closing = new AbortController();
  readonly #looking = new Set<number>();
  /** Places beside one that is being looked into: what comes of it decides. */
  readonly #beside = new Set<number>();
  readonly #refusals = new Refusals();
  /** Places that were late, until performance.now() has come there. */
  readonly #late = new Map<number, number>();

  constructor(options: HolesOptions) {
    this.#options = options;
    const { policy, read, journal, source, size } = options;
    this.#fills = new Fills(options.fills);
    const look = { source, size, timeout: policy.look, stall: read.stall };
    this.standing = new ServerStanding({
      policy,
      journal,
      look: (position, signal) => isThere(look, position, 1, signal),
      onLook: () => [...this.#looking].filter((position) => options.onStep(position)).length > 0,
    });
    const own = { fills: this.#fills, standing: this.standing, signal: this.#closing.signal };
    this.#missing = new MissingPlaces({ ...options, ...own });
    this.#zeros = new ZeroRows({ ...options, ...own });
    for (const range of options.lost)
      this.#refusals.add({ ...range, until: Infinity, failure: new SourceFailure('missing', range.why) });
  }

  get fills(): readonly Fill[] {
    return this.#fills.list;
  }

  /** What is lost for good and cannot be filled. */
  get lost(): readonly LostRange[] {
    return this.#refusals.lasting;
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
  verdict(position: number): 'looking' | SourceFailure | undefined {
    if (this.#looking.has(position) || this.#beside.has(position)) return 'looking';
    return this.#refusals.at(position);
  }

  /** Begins to look into a place where reading has failed; false when that is no hole. */
  look(position: number, failure: SourceFailure): boolean {
    if (failure.kind !== 'missing') return false;
    if (this.has(position) || this.verdict(position) !== undefined) return true;
    if (this.#isBeside(position)) this.#beside.add(position);
    else this.#begin(position, failure);
    return true;
  }

  /** Begins to look into a row of zeros, of which the part up to `end` (exclusive) is known. */
  lookIntoZeros(position: number, end: number, { begin, onFine }: ZeroLook): void {
    const failure = new SourceFailure('missing', `zeros stand in place of bytes from ${position} on`);
    const known = { first: position, last: end - 1 };
    this.#looking.add(position);
    this.#zeros.look(known, begin, failure).then(
      (outcome) => {
        if ('fine' in outcome) {
          this.#looked(position);
          onFine(outcome.fine);
          this.#options.onChange(false);
        } else this.#settle(outcome.first, outcome, position);
      },
      (error: unknown) => {
        this.#settle(position, failedLook(error, position, failure));
      },
    );
  }

  close(): void {
    this.#closing.abort(CLOSED);
  }

  #begin(position: number, failure: SourceFailure): void {
    this.#looking.add(position);
    this.#outcome(position, failure).then(
      (outcome) => {
        this.#settle(position, outcome);
      },
      (error: unknown) => {
        this.#settle(position, failedLook(error, position, failure));
      },
    );
  }

  async #outcome(position: number, failure: SourceFailure): Promise<Outcome> {
    if ((this.#late.get(position) ?? 0) <= performance.now())
      return await this.#missing.look(position, failure);
    // It was looked into a moment ago: whatever is on its way has not come yet.
    await pause(this.#options.policy.again, this.#closing.signal);
    return 'late';
  }

  /** Whether the hole that is being looked into may reach here. */
  #isBeside(position: number): boolean {
    return [...this.#looking].some((other) => Math.abs(other - position) < this.#options.policy.hole);
  }

  /** @param looked The place that was looked into, where that is not the hole's first byte. */
  #settle(position: number, outcome: Outcome, looked = position): void {
    if (this.#closing.signal.aborted) return;
    const { journal, policy, onChange } = this.#options;
    this.#looked(looked);
    if (outcome === 'late') {
      this.#noteLate(position);
    } else if ('fill' in outcome) {
      this.#fills.add(outcome.fill);
      journal.filled(outcome.fill);
    } else {
      const { refused: why, last, lasting, failure } = outcome;
      journal.lost(position, why);
      // Whatever a file that is gone still has in memory is given out; a look tells whether it has come back.
      const first = failure.kind === 'missing' ? position : 0;
      const until = lasting ? Infinity : performance.now() + policy.rest;
      this.#refusals.add({ first, last, why, failure, until });
    }
    onChange(typeof outcome === 'object' && 'fill' in outcome);
  }

  /** There is a verdict on a place, and on those beside it unless another one is being looked into. */
  #looked(position: number): void {
    this.#looking.delete(position);
    if (this.#looking.size === 0) this.#beside.clear();
  }

  #noteLate(position: number): void {
    const now = performance.now();
    for (const [place, until] of this.#late) if (until <= now) this.#late.delete(place);
    if (this.#late.has(position)) return;
    this.#late.set(position, now + this.#options.policy.rest);
    this.#options.journal.late(position);
  }
}

const CLOSED = new Error('the session has ended');
