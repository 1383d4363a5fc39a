import { pause } from '../../io/wait.ts';
import type { Fill, PlanFill } from '../../media/fill.ts';
import { firstBeginOf } from '../../media/first-begin.ts';
import { type HoleJournal, Holes } from '../holes/holes.ts';
import type { LostRange } from '../holes/refusals.ts';
import { SourceFailure } from '../policy/failure.ts';
import type { decide as decideStage, Policies } from '../policy/policy.ts';
import type { OpenedRange, Source } from '../source/source.ts';
import { AnswerTimes } from './answer-times.ts';
import { BLOCK, type BlockPool } from './block-pool.ts';
import { Cache, type Loan } from './cache.ts';
import { Demand, type Reading } from './demand.ts';
import type { Lane } from './lane.ts';
import type { Journal, LaneKeeper, LanePlace, Want } from './lane-task.ts';
import { Lanes } from './lanes.ts';
import { patchedFile } from './patched-file.ts';
import { Rest } from './rest.ts';
import { WAITED_FOR, ZeroGuard } from './zero-guard.ts';

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
  /** What could not be filled, and is lost for good. */
  readonly lost: readonly LostRange[];
  /** Called after one of either has been added. */
  readonly onFill: () => void;
  /** Called when a request has come a block further, and the buffer may be full: see Fetcher.isFull. */
  readonly onProgress?: () => void;
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
  readonly #lanes: Lanes;
  /** Absent where zeros are the film's own. */
  readonly #guard: ZeroGuard | undefined;
  readonly #closing = new AbortController();
  /** Nothing is read ahead meanwhile. */
  readonly #rest: Rest;
  #waking = false;
  #lookingAgain = false;
  /** Stands for the player until it asks. */
  #expected: Reading | undefined;

  constructor(options: FetcherOptions) {
    this.#options = options;
    const { ahead } = options.policies;
    this.#rest = new Rest(ahead, this.#closing.signal, () => {
      this.plan();
    });
    const begin = options.source.serving?.zeroFills === true ? firstBeginOf(options.mime) : undefined;
    this.#demand = new Demand({
      size: options.size,
      policy: ahead,
      heldBack: begin === undefined ? 0 : WAITED_FOR,
      ahead: (position) => this.cache.gapAfter(position) - position,
    });
    this.cache = new Cache({
      pool: options.pool,
      limit: options.policies.ahead.buffer,
      worth: (block) => this.#demand.worth(block),
      onRoom: () => {
        this.plan();
      },
    });
    const { source, size, mime, policies, planFill, journal, fills, lost } = options;
    this.holes = new Holes({
      ...{ source, size, mime, planFill, journal, fills, lost },
      policy: policies.fills,
      read: policies.read,
      file: patchedFile({
        ...{ source, size, policy: policies.read },
        known: (at) => this.#known(at, BLOCK),
        nextFill: (at) => this.holes.startAfter(at),
      }),
      stream: {
        isWanted: (at) => this.#demand.keepsLaneAt(at),
        goOn: (at, opened) => {
          this.#goOn(at, opened);
        },
        has: (at) => this.cache.has(at),
      },
      onStep: (at) => this.#holdPatience(at),
      onChange: (isFilled) => {
        options.onFill();
        // What the last attempt failed of has been dealt with.
        if (isFilled) this.#rest.end();
        this.plan();
      },
    });
    const { cache, holes } = this;
    this.#lanes = this.#lanesFor(cache);
    this.#guard = begin && new ZeroGuard({ cache, holes, begin, size, least: policies.fills.zeros });
  }

  #lanesFor(cache: Cache): Lanes {
    const { source, size, policies, decide, journal } = this.#options;
    const times = { answers: new AnswerTimes(), silences: new AnswerTimes() };
    return new Lanes({
      task: { ...{ source, size, cache, decide, journal, keeper: this }, ...times, policy: policies.read },
      policy: policies.lanes,
      ahead: policies.ahead,
      onEnd: (lane, error) => {
        if (error === undefined) this.plan();
        else this.#failed(lane, error);
      },
    });
  }

  /** Connections at work now. */
  get lanes(): number {
    return this.#lanes.count;
  }

  /** Bytes in memory, without a gap, before the request that plays. */
  get ahead(): number {
    const { position } = this.#demand.place;
    return this.cache.gapAfter(position) - position;
  }

  /** Whether all that is read ahead for the player is there. */
  get isFull(): boolean {
    return this.#demand.isFull;
  }

  /** While another film is being opened, this one is read ahead for some seconds only. */
  restrain(restrained: boolean): void {
    this.#demand.restrained = restrained;
    this.plan();
  }

  /**
   * A player is about to ask for the file's start: reads on from `given`, the answer under way, or by a request of its
   * own, until the player comes or `forgo` is called.
   */
  expect(given: OpenedRange | undefined): void {
    const { size, policies } = this.#options;
    this.#expected = expectation(Math.min(size, policies.ahead.unasked));
    this.#demand.join(this.#expected);
    this.#demand.elect();
    if (given !== undefined) this.#lanes.run(given.range.first, size, given);
    this.plan();
  }

  /** No player is expected any longer. */
  forgo(): void {
    const expected = this.#expected;
    this.#expected = undefined;
    if (expected !== undefined) this.leave(expected);
  }

  join(reading: Reading): void {
    this.#demand.join(reading);
    // It takes over what was read for it.
    if (!reading.unasked && this.#expected !== undefined) {
      this.#demand.leave(this.#expected);
      this.#expected = undefined;
    }
    this.plan();
  }

  leave(reading: Reading): void {
    this.#demand.leave(reading);
    this.plan();
  }

  /** The bytes at a position, up to `most`; undefined: they are not there, wait for `wake`. */
  take(position: number, most: number): Loan | undefined {
    const loan = this.#known(position, most);
    if (this.#guard === undefined || loan === undefined || this.holes.has(position)) return loan;
    const free = this.#guard.free(position, loan.bytes, position + most - 1);
    if (free > 0) return free === loan.bytes.length ? loan : { ...loan, bytes: loan.bytes.subarray(0, free) };
    loan.release();
    return undefined;
  }

  /** The same, whatever it is. */
  #known(position: number, most: number): Loan | undefined {
    const filled = this.holes.bytesAt(position, Math.min(most, BLOCK));
    return filled === undefined ? this.cache.lend(position) : { bytes: filled, release: () => undefined };
  }

  /** The bytes before the request that plays, up to `most`, where they are in memory and the source's own. */
  lately(most: number): { readonly first: number; readonly bytes: Buffer } | undefined {
    const end = this.#demand.place.position;
    const first = Math.max(0, end - most);
    const pieces: Uint8Array[] = [];
    if (end === 0 || this.holes.startAfter(first) < end || this.holes.has(first)) return undefined;
    for (let at = first; at < end; ) {
      const piece = this.cache.peek(at)?.subarray(0, end - at);
      if (piece === undefined) return undefined;
      pieces.push(piece);
      at += piece.byteLength;
    }
    return { first, bytes: Buffer.concat(pieces) };
  }

  /** A request has come to `position`: what lies far behind the one that plays goes, and there may be room ahead. */
  advanced(reading: Reading, from: number): void {
    if (Math.floor(from / BLOCK) === Math.floor(reading.position / BLOCK)) return;
    this.#demand.advanced(reading);
    const passed = this.#demand.passedAt(from);
    // The file's start is looked into again, as its end is.
    if (reading === this.#demand.leader && passed >= BLOCK) this.cache.forget(passed);
    this.plan();
    this.#options.onProgress?.();
  }

  /** Looks at who wants what, and sees to it that it comes. To be called whenever that may have changed. */
  plan(): void {
    if (this.#closing.signal.aborted) return;
    if (this.#demand.elect()) this.#lanes.reset();
    const { leader, waiting } = this.#demand;
    this.#lanes.endWhere(
      ({ position, headAwaitedSince }) => !this.#demand.keepsLaneAt(position, headAwaitedSince !== undefined),
    );
    for (const reading of waiting) this.#serve(reading);
    if (leader !== undefined && !this.#rest.isOn) this.#readAhead(leader);
    this.#lanes.resumeWhere((lane) => this.#mayGoOn(lane));
  }

  /** Ends every connection; whoever waits is left to its own signal. */
  close(): void {
    this.#closing.abort(CLOSED);
    this.holes.close();
    this.#lanes.close();
    this.cache.close();
  }

  mayFill(position: number): boolean {
    return this.#demand.wants(position);
  }

  wants(lane: LanePlace): Want | undefined {
    return this.#waitingFor(lane)?.wait;
  }

  answered(lane: LanePlace): void {
    for (const reading of this.#demand.waiting)
      if (this.#lanes.brings(lane, this.#missingFor(reading))) reading.answered();
  }

  reliable(position: number, flowed: number): number {
    if (this.#guard === undefined) return position;
    // What has been given out stays: it was a few zeros at most.
    const given = this.#demand.readings.filter((reading) => reading.position <= position);
    const from = Math.max(position - flowed, ...given.map((reading) => reading.position));
    return this.#guard.takeBack(from, position);
  }

  stumbled(): void {
    this.plan();
  }

  filled(lane: LanePlace, bytes: number): void {
    this.#rest.came();
    const from = lane.position - bytes;
    this.holes.standing.came(from, bytes);
    for (const reading of this.#demand.readings) {
      const { wait, position } = reading;
      if (wait === undefined || position >= lane.position) continue;
      if (position < from) {
        this.#cameBehind(reading, lane);
        continue;
      }
      // The first bytes show the player that it goes on; a few later ones can wait for company.
      if (wait.flowing && lane.position - position < WORTH_A_WRITE) this.#wakeSoon();
      else reading.wake();
    }
    const { leader } = this.#demand;
    if (leader !== undefined && this.#lanes.measure(bytes, leader.position)) this.plan();
  }

  /** What was held back of a request may be given out now that it is known how it goes on. */
  #cameBehind(reading: Reading, lane: LanePlace): void {
    if (this.#guard === undefined || this.#missingFor(reading) < lane.position) return;
    reading.holdOn();
    this.#wakeSoon();
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

  #waitingFor(lane: LanePlace): Reading | undefined {
    return this.#demand.waiting.find(
      (reading) => this.#lanes.brings(lane, this.#missingFor(reading)) && !this.#demand.yields(reading),
    );
  }

  /** The byte that a waiting request lacks: what is there is held back until it is known how it goes on. */
  #missingFor({ position }: Reading): number {
    return this.cache.gapAfter(position);
  }

  #mayGoOn(lane: Lane): boolean {
    return this.#waitingFor(lane) !== undefined || this.#demand.hasRoomAt(lane.position, lane.limit);
  }

  #serve(reading: Reading): void {
    const { position } = reading;
    if (this.#mayHave(reading)) {
      reading.wake();
      return;
    }
    this.#demand.starves(reading);
    const missing = this.#missingFor(reading);
    const given = this.holes.verdict(position) ?? this.holes.verdict(missing);
    if (given === 'looking') return;
    if (this.#demand.yields(reading)) this.#lookAgain();
    else if (given !== undefined) reading.fail(given);
    else if (!this.#lanes.bring(missing)) this.#open(missing, this.#endOf(reading));
  }

  /** Whether there are bytes for a request that may be given out. */
  #mayHave({ position, last }: Reading): boolean {
    if (this.holes.has(position)) return true;
    const bytes = this.cache.peek(position);
    return bytes !== undefined && (this.#guard?.free(position, bytes, last) ?? 1) > 0;
  }

  /** Fetches what is missing on the way of the request that plays. */
  #readAhead(leader: Reading): void {
    const horizon = this.#demand.horizon(leader);
    this.#lanes.boundAll();
    let gap = this.#gapAfter(leader.position);
    while (gap < horizon && !this.#lanes.isFull) {
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
      const end = this.#lanes.endAt(next);
      if (end === undefined && next === gap) return gap;
      gap = end ?? next;
    }
  }

  #endOf(reading: Reading): number {
    return Math.min(this.#options.size, reading.last + 1);
  }

  /** What is looked into comes nearer to a verdict: nobody gives up waiting for it meanwhile. Gives whether any does. */
  #holdPatience(position: number): boolean {
    const isFor = (reading: Reading) =>
      [reading.position, this.#missingFor(reading)].some(
        (place) => place === position || this.holes.verdict(place) === 'looking',
      );
    const waiting = this.#demand.waiting.filter(isFor);
    for (const reading of waiting) reading.holdOn();
    return waiting.length > 0;
  }

  /** Reads on from a position that has just been answered, as where a hole ends. */
  #goOn(position: number, opened: OpenedRange): void {
    const isThere = this.cache.has(position) || this.#lanes.bring(position);
    if (isThere || this.#closing.signal.aborted) opened.body.close();
    else this.#open(position, this.#options.size, opened);
  }

  #open(position: number, end: number, opened?: OpenedRange): void {
    const limit = Math.min(end, this.holes.startAfter(position), this.#lanes.startAfter(position));
    this.#lanes.run(position, limit, opened);
  }

  #failed(lane: Lane, error: unknown): void {
    if (this.#closing.signal.aborted) return;
    const failure =
      error instanceof SourceFailure ? error : new SourceFailure('broken', 'the proxy failed', error);
    const { position } = lane;
    this.#rest.begin();
    if (!this.holes.look(position, failure))
      for (const reading of this.#demand.waiting)
        if (this.#isLostTo(reading, position)) reading.fail(failure);
    this.plan();
  }

  /** Whether what a lane has given up ends a request. For one that yields nobody was patient: its turn comes yet. */
  #isLostTo(reading: Reading, position: number): boolean {
    return this.#missingFor(reading) === position && !this.#mayHave(reading) && !this.#demand.yields(reading);
  }
}

/** Bytes. More are written while they are still in the processor's cache. */
const WORTH_A_WRITE = 128 * 1024;

const CLOSED = new Error('the session has ended');

/** A request for the file's start that takes nothing yet. */
const expectation = (bytes: number): Reading => ({
  ...{ position: 0, last: bytes - 1, idle: false, wait: undefined, unasked: true },
  wake: () => undefined,
  answered: () => undefined,
  holdOn: () => undefined,
  fail: () => undefined,
});
