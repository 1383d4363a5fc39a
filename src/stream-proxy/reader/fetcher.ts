import { pause } from '../../io/wait.ts';
import type { Fill, PlanFill } from '../../media/fill.ts';
import { SourceFailure } from '../policy/failure.ts';
import { LaneTuner } from '../policy/lanes.ts';
import type { decide as decideStage, Policies } from '../policy/policy.ts';
import type { Source } from '../source/source.ts';
import { BLOCK, type BlockPool } from './block-pool.ts';
import { Cache, type Loan } from './cache.ts';
import { Demand, type Reading } from './demand.ts';
import { type HoleJournal, Holes } from './holes.ts';
import { type Journal, Lane, type LaneKeeper, type Want } from './lane.ts';
import { patchedFile } from './patched-file.ts';

export interface FetcherOptions {
  readonly source: Source;
  readonly size: number;
  readonly mime: string;
  readonly pool: BlockPool;
  readonly policies: Policies;
  readonly decide: typeof decideStage;
  readonly planFill: PlanFill;
  readonly journal: Journal & HoleJournal;
  /** Those that stand already. */
  readonly fills: readonly Fill[];
  /** Called after one has been added. */
  readonly onFill: () => void;
}

/**
 * Decides which bytes of one file are fetched, over how many connections, and which are kept: as few connections as
 * serve whoever waits, one that runs ahead of the request that plays, none for nobody.
 */
export class Fetcher implements LaneKeeper {
  readonly cache: Cache;
  readonly holes: Holes;
  readonly #options: FetcherOptions;
  readonly #demand: Demand;
  readonly #lanes = new Set<Lane>();
  readonly #tuner: LaneTuner;
  readonly #closing = new AbortController();
  /** Nothing is read ahead while this one runs: the last attempt has failed. */
  #resting = false;
  /** How often it has, one after the other, without a byte in between. */
  #rests = 0;
  #waking = false;
  #lookingAgain = false;

  constructor(options: FetcherOptions) {
    this.#options = options;
    this.#tuner = new LaneTuner(options.policies.lanes);
    this.#demand = new Demand(options.size, options.policies.ahead);
    this.cache = new Cache({
      pool: options.pool,
      limit: options.policies.ahead.buffer,
      worth: (block) => this.#demand.worth(block),
      onRoom: () => {
        this.plan();
      },
    });
    const { source, size, mime, policies, planFill, journal, fills } = options;
    this.holes = new Holes({
      ...{ source, size, mime, planFill, journal, fills },
      policy: policies.fills,
      read: policies.read,
      file: patchedFile({
        ...{ source, size, policy: policies.read },
        known: (at) => this.take(at, BLOCK),
        nextFill: (at) => this.holes.startAfter(at),
      }),
      onChange: () => {
        options.onFill();
        this.plan();
      },
    });
  }

  /** Connections at work now. */
  get lanes(): number {
    return this.#lanes.size;
  }

  /** Bytes in memory, without a gap, before the request that plays. */
  get ahead(): number {
    const { position } = this.#demand.place;
    return this.cache.gapAfter(position) - position;
  }

  join(reading: Reading): void {
    this.#demand.join(reading);
    this.plan();
  }

  leave(reading: Reading): void {
    this.#demand.leave(reading);
    this.plan();
  }

  /** The bytes at a position, up to `most`; undefined: they are not there, wait for `wake`. */
  take(position: number, most: number): Loan | undefined {
    const filled = this.holes.bytesAt(position, Math.min(most, BLOCK));
    return filled === undefined ? this.cache.lend(position) : { bytes: filled, release: () => undefined };
  }

  /** A request has come to `position`: what lies far behind the one that plays goes, and there may be room ahead. */
  advanced(reading: Reading, from: number): void {
    if (Math.floor(from / BLOCK) === Math.floor(reading.position / BLOCK)) return;
    const passed = from - this.#options.policies.ahead.behind;
    // The file's start is looked into again, as its end is.
    if (reading === this.#demand.leader && passed >= BLOCK) this.cache.forget(passed);
    this.plan();
  }

  /** Looks at who wants what, and sees to it that it comes. To be called whenever that may have changed. */
  plan(): void {
    if (this.#closing.signal.aborted) return;
    if (this.#demand.elect()) this.#tuner.reset();
    const { leader, waiting } = this.#demand;
    for (const lane of this.#lanes) if (!this.#demand.keepsLaneAt(lane.position)) this.#end(lane);
    for (const reading of waiting) this.#serve(reading);
    if (leader !== undefined && !this.#resting) this.#readAhead(leader);
    for (const lane of this.#lanes) if (lane.paused && this.#mayGoOn(lane)) lane.resume();
  }

  /** Ends every connection; whoever waits is left to its own signal. */
  close(): void {
    this.#closing.abort(CLOSED);
    this.holes.close();
    for (const lane of this.#lanes) lane.close();
    this.#lanes.clear();
    this.cache.close();
  }

  mayFill(position: number): boolean {
    return this.#demand.wants(position);
  }

  wants(lane: Lane): Want | undefined {
    return this.#waitingFor(lane)?.wait;
  }

  stumbled(): void {
    this.plan();
  }

  filled(lane: Lane, bytes: number): void {
    this.#rests = 0;
    const from = lane.position - bytes;
    for (const reading of this.#demand.readings) {
      const { wait, position } = reading;
      if (wait === undefined || position < from || position >= lane.position) continue;
      // The first bytes show the player that it goes on; a few later ones can wait for company.
      if (wait.flowing && lane.position - position < WORTH_A_WRITE) this.#wakeSoon();
      else reading.wake();
    }
    this.#measure(bytes);
  }

  /** After all that the system has ready has been read: TLS comes in small pieces, and each write costs the same. */
  #wakeSoon(): void {
    if (this.#waking) return;
    this.#waking = true;
    setImmediate(() => {
      this.#waking = false;
      // Another film may have taken the memory meanwhile.
      for (const reading of this.#demand.waiting) this.#serve(reading);
    });
  }

  /** Nothing else may happen until a request that yields has done so for long enough. */
  #lookAgain(): void {
    if (this.#lookingAgain) return;
    this.#lookingAgain = true;
    pause(this.#options.policies.ahead.yields, this.#closing.signal).then(
      () => {
        this.#lookingAgain = false;
        this.plan();
      },
      () => undefined,
    );
  }

  #waitingFor(lane: Lane): Reading | undefined {
    return this.#demand.waiting.find(
      (reading) => this.#brings(lane, reading.position) && !this.#demand.yields(reading),
    );
  }

  /** Whether a lane comes to a position soon enough. */
  #brings(lane: Lane, position: number): boolean {
    const { skip, skipTime } = this.#options.policies.ahead;
    const before = position - lane.position;
    const reach = Math.min(skip, lane.rate.perMillisecond * skipTime);
    return before >= 0 && before <= reach && position < lane.limit;
  }

  #mayGoOn(lane: Lane): boolean {
    return this.#waitingFor(lane) !== undefined || this.#demand.hasRoomAt(lane.position, lane.limit);
  }

  #serve(reading: Reading): void {
    const { position } = reading;
    if (this.holes.has(position) || this.cache.has(position)) {
      reading.wake();
      return;
    }
    const given = this.holes.verdict(position);
    if (given === 'looking') return;
    if (this.#demand.yields(reading)) this.#lookAgain();
    else if (given !== undefined) reading.fail(given);
    else if (![...this.#lanes].some((lane) => this.#brings(lane, position)))
      this.#open(position, this.#endOf(reading));
  }

  /** Fetches what is missing on the way of the request that plays. */
  #readAhead(leader: Reading): void {
    const horizon = this.#demand.horizon(leader);
    if (this.#tuner.width > 1) for (const lane of this.#lanes) this.#bound(lane);
    let gap = this.#gapAfter(leader.position);
    while (gap < horizon && this.#lanes.size < this.#tuner.width) {
      if (this.holes.verdict(gap) !== undefined) return;
      this.#open(gap, this.#endOf(leader));
      gap = this.#gapAfter(gap);
    }
  }

  /** The first position from `position` on that is neither there nor on its way. */
  #gapAfter(position: number): number {
    let gap = position;
    for (;;) {
      const next = this.holes.endAfter(this.cache.gapAfter(gap));
      const lane = [...this.#lanes].find((other) => next >= other.position && next < other.limit);
      if (lane === undefined && next === gap) return gap;
      gap = lane?.limit ?? next;
    }
  }

  #endOf(reading: Reading): number {
    return Math.min(this.#options.size, reading.last + 1);
  }

  #open(position: number, end: number): void {
    const { policies, size, source, decide, journal } = this.#options;
    const ahead = [...this.#lanes].map((lane) => lane.position).filter((start) => start > position);
    const limit = Math.min(end, this.holes.startAfter(position), ...ahead);
    const lane = new Lane(
      { source, size, cache: this.cache, policy: policies.read, decide, journal, keeper: this },
      position,
      limit,
    );
    if (this.#tuner.width > 1) this.#bound(lane);
    this.#lanes.add(lane);
    lane.run().then(
      () => {
        this.#end(lane);
        this.plan();
      },
      (error: unknown) => {
        this.#failed(lane, error);
      },
    );
  }

  /** One of several fetches a piece at a time, and leaves what follows to the others. */
  #bound(lane: Lane): void {
    lane.shorten(blockEnd(lane.position + this.#options.policies.lanes.piece));
  }

  #end(lane: Lane): void {
    this.#lanes.delete(lane);
    lane.close();
  }

  #failed(lane: Lane, error: unknown): void {
    this.#end(lane);
    if (this.#closing.signal.aborted) return;
    const failure =
      error instanceof SourceFailure ? error : new SourceFailure('broken', 'the proxy failed', error);
    const { position } = lane;
    this.#rest();
    if (!this.holes.look(position, failure))
      for (const reading of this.#demand.waiting) if (reading.position === position) reading.fail(failure);
    this.plan();
  }

  /** Nobody waited for what has failed, or whoever did will ask again: the next attempt ahead can wait. */
  #rest(): void {
    if (this.#resting) return;
    this.#resting = true;
    const { rest, longestRest } = this.#options.policies.ahead;
    pause(Math.min(rest * 2 ** this.#rests++, longestRest), this.#closing.signal).then(
      () => {
        this.#resting = false;
        this.plan();
      },
      () => undefined,
    );
  }

  #measure(bytes: number): void {
    const { leader } = this.#demand;
    if (leader === undefined) return;
    let nearest = Infinity;
    for (const { position } of this.#lanes) nearest = Math.min(nearest, position);
    if (nearest - leader.position > this.#options.policies.lanes.hungry) this.#tuner.reset();
    else if (this.#tuner.received(bytes, performance.now())) this.plan();
  }
}

/** Bytes. More are written while they are still in the processor's cache. */
const WORTH_A_WRITE = 128 * 1024;

const CLOSED = new Error('the session has ended');

/** The end of the block that holds the byte before `position`. */
const blockEnd = (position: number): number => Math.ceil(position / BLOCK) * BLOCK;
