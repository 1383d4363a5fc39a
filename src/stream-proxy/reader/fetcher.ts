import { pause } from '../../io/wait.ts';
import type { Fill, PlanFill } from '../../media/fill-types.ts';
import { firstElementFinder } from '../../media/first-element.ts';
import { type HoleJournal, Holes } from '../holes/holes.ts';
import type { LostRange } from '../holes/lost-ranges.ts';
import { SourceFailure } from '../policy/failure.ts';
import type { decideRetry as decideStage, Policies } from '../policy/policies.ts';
import type { ByteSource, OpenedRange } from '../source/source.ts';
import { AnswerTimes } from './answer-times.ts';
import { BLOCK_SIZE, type BlockPool } from './block-pool.ts';
import { BlockCache, type Loan } from './cache.ts';
import { patchedFile } from './patched-file.ts';
import { ReadAheadCooldown } from './read-ahead-cooldown.ts';
import { type PlayerRead, ReadScheduler } from './read-scheduler.ts';
import type { Transfer } from './transfer.ts';
import type { ReadWait, TransferJournal, TransferOwner, TransferState } from './transfer-task.ts';
import { Transfers } from './transfers.ts';
import { MAX_HELD_BACK, ZeroGuard } from './zero-guard.ts';

export interface FetcherOptions {
  readonly source: ByteSource;
  readonly size: number;
  readonly mime: string;
  readonly pool: BlockPool;
  readonly policies: Policies;
  readonly decide: typeof decideStage;
  readonly planFill: PlanFill;
  readonly journal: TransferJournal & HoleJournal;
  /** Those that stand already. */
  readonly fills: readonly Fill[];
  /** What could not be filled, and is lost for good. */
  readonly lost: readonly LostRange[];
  /** Called after one of either has been added. */
  readonly onFill: () => void;
  /** Called when a request has come a block further, and the buffer may be full: see Fetcher.isBufferFull. */
  readonly onProgress?: () => void;
}

/**
 * Decides which bytes of one file are fetched, over how many connections, and which are kept: as few connections as
 * serve whoever waits, one that runs ahead of the request that plays, none for nobody.
 */
export class Fetcher implements TransferOwner {
  readonly cache: BlockCache;
  readonly holes: Holes;
  readonly #options: FetcherOptions;
  readonly #scheduler: ReadScheduler;
  readonly #transfers: Transfers;
  /** Absent where zeros are the film's own. */
  readonly #zeroGuard: ZeroGuard | undefined;
  readonly #closing = new AbortController();
  /** Nothing is read ahead meanwhile. */
  readonly #readAheadCooldown: ReadAheadCooldown;
  #isWakeScheduled = false;
  #isRecheckScheduled = false;
  /** Stands for the player until it asks. */
  #prefetch: PlayerRead | undefined;

  constructor(options: FetcherOptions) {
    this.#options = options;
    const { buffer: ahead } = options.policies;
    this.#readAheadCooldown = new ReadAheadCooldown(ahead, this.#closing.signal, () => {
      this.reschedule();
    });
    const begin = options.source.serving?.zeroFills === true ? firstElementFinder(options.mime) : undefined;
    this.#scheduler = new ReadScheduler({
      size: options.size,
      policy: ahead,
      maxHeldBack: begin === undefined ? 0 : MAX_HELD_BACK,
      bufferedAfter: (position) => this.cache.firstMissing(position) - position,
    });
    this.cache = new BlockCache({
      pool: options.pool,
      limit: options.policies.buffer.sessionMemory,
      priority: (block) => this.#scheduler.retentionPriority(block),
      onRoom: () => {
        this.reschedule();
      },
    });
    const { source, size, mime, policies, planFill, journal, fills, lost } = options;
    this.holes = new Holes({
      source,
      size,
      mime,
      planFill,
      journal,
      fills,
      lost,
      policy: policies.fills,
      read: policies.read,
      file: patchedFile({
        source,
        size,
        policy: policies.read,
        bytesAt: (at) => this.#bytesAt(at, BLOCK_SIZE),
        nextFill: (at) => this.holes.startAfter(at),
      }),
      stream: {
        isWanted: (at) => this.#scheduler.needsTransferAt(at),
        continueWith: (at, opened) => {
          this.#continueWith(at, opened);
        },
        has: (at) => this.cache.has(at),
      },
      onProbe: (at) => this.#extendPatience(at),
      onChange: (isFilled) => {
        options.onFill();
        // What the last attempt failed of has been dealt with.
        if (isFilled) this.#readAheadCooldown.end();
        this.reschedule();
      },
    });
    const { cache, holes } = this;
    this.#transfers = this.#openTransfers(cache);
    this.#zeroGuard =
      begin &&
      new ZeroGuard({ cache, holes, findFirstElement: begin, size, minRun: policies.fills.minZeroRun });
  }

  #openTransfers(cache: BlockCache): Transfers {
    const { source, size, policies, decide, journal } = this.#options;
    const times = { answers: new AnswerTimes(), silences: new AnswerTimes() };
    return new Transfers({
      task: { source, size, cache, decide, journal, owner: this, ...times, policy: policies.read },
      policy: policies.concurrency,
      buffer: policies.buffer,
      onEnd: (transfer, error) => {
        if (error === undefined) this.reschedule();
        else this.#failed(transfer, error);
      },
    });
  }

  /** Connections at work now. */
  get activeTransfers(): number {
    return this.#transfers.count;
  }

  /** Bytes in memory, without a gap, before the request that plays. */
  get bufferedAhead(): number {
    const { position } = this.#scheduler.playhead;
    return this.cache.firstMissing(position) - position;
  }

  /** Whether all that is read ahead for the player is there. */
  get isBufferFull(): boolean {
    return this.#scheduler.isBufferFull;
  }

  /** While another film is being opened, this one is read ahead for some seconds only. */
  throttle(restrained: boolean): void {
    this.#scheduler.isThrottled = restrained;
    this.reschedule();
  }

  /**
   * A player is about to ask for the file's start: reads on from `given`, the answer under way, or by a request of its
   * own, until the player comes or `forgo` is called.
   */
  startPrefetch(given: OpenedRange | undefined): void {
    const { size, policies } = this.#options;
    this.#prefetch = prefetchRead(Math.min(size, policies.buffer.prefetchBytes));
    this.#scheduler.join(this.#prefetch);
    this.#scheduler.choosePrimary();
    if (given !== undefined) this.#transfers.run(given.range.first, size, given);
    this.reschedule();
  }

  /** No player is expected any longer. */
  cancelPrefetch(): void {
    const expected = this.#prefetch;
    this.#prefetch = undefined;
    if (expected !== undefined) this.leave(expected);
  }

  join(reading: PlayerRead): void {
    this.#scheduler.join(reading);
    // It takes over what was read for it.
    if (!reading.isPrefetch && this.#prefetch !== undefined) {
      this.#scheduler.leave(this.#prefetch);
      this.#prefetch = undefined;
    }
    this.reschedule();
  }

  leave(reading: PlayerRead): void {
    this.#scheduler.leave(reading);
    this.reschedule();
  }

  /** The bytes at a position, up to `most`; undefined: they are not there, wait for `wake`. */
  take(position: number, most: number): Loan | undefined {
    const loan = this.#bytesAt(position, most);
    if (this.#zeroGuard === undefined || loan === undefined || this.holes.has(position)) return loan;
    const free = this.#zeroGuard.releasable(position, loan.bytes, position + most - 1);
    if (free > 0) return free === loan.bytes.length ? loan : { ...loan, bytes: loan.bytes.subarray(0, free) };
    loan.release();
    return undefined;
  }

  /** The same, whatever it is. */
  #bytesAt(position: number, most: number): Loan | undefined {
    const filled = this.holes.bytesAt(position, Math.min(most, BLOCK_SIZE));
    return filled === undefined ? this.cache.lend(position) : { bytes: filled, release: () => undefined };
  }

  /** The bytes before the request that plays, up to `most`, where they are in memory and the source's own. */
  recentBytes(most: number): { readonly first: number; readonly bytes: Buffer } | undefined {
    const end = this.#scheduler.playhead.position;
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
  advanced(reading: PlayerRead, from: number): void {
    if (Math.floor(from / BLOCK_SIZE) === Math.floor(reading.position / BLOCK_SIZE)) return;
    this.#scheduler.advanced(reading);
    const passed = this.#scheduler.discardableBefore(from);
    // The file's start is looked into again, as its end is.
    if (reading === this.#scheduler.primary && passed >= BLOCK_SIZE) this.cache.forget(passed);
    this.reschedule();
    this.#options.onProgress?.();
  }

  /** Looks at who wants what, and sees to it that it comes. To be called whenever that may have changed. */
  reschedule(): void {
    if (this.#closing.signal.aborted) return;
    if (this.#scheduler.choosePrimary()) this.#transfers.reset();
    const { primary: leader, waiting } = this.#scheduler;
    this.#transfers.endWhere(
      ({ position, headAwaitedSince }) =>
        !this.#scheduler.needsTransferAt(position, headAwaitedSince !== undefined),
    );
    for (const reading of waiting) this.#serve(reading);
    if (leader !== undefined && !this.#readAheadCooldown.isActive) this.#readAhead(leader);
    this.#transfers.resumeWhere((transfer) => this.#canResume(transfer));
  }

  /** Ends every connection; whoever waits is left to its own signal. */
  close(): void {
    this.#closing.abort(CLOSED);
    this.holes.close();
    this.#transfers.close();
    this.cache.close();
  }

  canFetch(position: number): boolean {
    return this.#scheduler.isWanted(position);
  }

  waitFor(transfer: TransferState): ReadWait | undefined {
    return this.#waitingFor(transfer)?.wait;
  }

  responseStarted(transfer: TransferState): void {
    for (const reading of this.#scheduler.waiting)
      if (this.#transfers.willDeliver(transfer, this.#missingByteOf(reading))) reading.responseStarted();
  }

  trustedUntil(position: number, flowed: number): number {
    if (this.#zeroGuard === undefined) return position;
    // What has been given out stays: it was a few zeros at most.
    const given = this.#scheduler.reads.filter((reading) => reading.position <= position);
    const from = Math.max(position - flowed, ...given.map((reading) => reading.position));
    return this.#zeroGuard.trustedUntil(from, position);
  }

  retrying(): void {
    this.reschedule();
  }

  filled(transfer: TransferState, bytes: number): void {
    this.#readAheadCooldown.reset();
    const from = transfer.position - bytes;
    this.holes.serverHealth.onBytes(from, bytes);
    for (const reading of this.#scheduler.reads) {
      const { wait, position } = reading;
      if (wait === undefined || position >= transfer.position) continue;
      if (position < from) {
        this.#arrivedBehind(reading, transfer);
        continue;
      }
      // The first bytes show the player that it goes on; a few later ones can wait for company.
      if (wait.flowing && transfer.position - position < MIN_WRITE) this.#wakeSoon();
      else reading.wake();
    }
    const { primary: leader } = this.#scheduler;
    if (leader !== undefined && this.#transfers.measure(bytes, leader.position)) this.reschedule();
  }

  /** What was held back of a request may be given out now that it is known how it goes on. */
  #arrivedBehind(reading: PlayerRead, transfer: TransferState): void {
    if (this.#zeroGuard === undefined || this.#missingByteOf(reading) < transfer.position) return;
    reading.extendPatience();
    this.#wakeSoon();
  }

  /** After all that the system has ready has been read: TLS comes in small pieces, and each write costs the same. */
  #wakeSoon(): void {
    if (this.#isWakeScheduled) return;
    this.#isWakeScheduled = true;
    setImmediate(() => {
      this.#isWakeScheduled = false;
      // Another film may have taken the memory meanwhile.
      for (const reading of this.#scheduler.waiting) this.#serve(reading);
    });
  }

  /** Nothing else may happen until a request that yields has done so for long enough. */
  #recheckSoon(): void {
    if (this.#isRecheckScheduled) return;
    this.#isRecheckScheduled = true;
    pause(this.#options.policies.buffer.maxYield, this.#closing.signal).then(
      () => {
        this.#isRecheckScheduled = false;
        this.reschedule();
      },
      () => undefined,
    );
  }

  #waitingFor(transfer: TransferState): PlayerRead | undefined {
    return this.#scheduler.waiting.find(
      (reading) =>
        this.#transfers.willDeliver(transfer, this.#missingByteOf(reading)) &&
        !this.#scheduler.mustYield(reading),
    );
  }

  /** The byte that a waiting request lacks: what is there is held back until it is known how it goes on. */
  #missingByteOf({ position }: PlayerRead): number {
    return this.cache.firstMissing(position);
  }

  #canResume(transfer: Transfer): boolean {
    return (
      this.#waitingFor(transfer) !== undefined || this.#scheduler.hasRoomAt(transfer.position, transfer.limit)
    );
  }

  #serve(reading: PlayerRead): void {
    const { position } = reading;
    if (this.#hasBytesFor(reading)) {
      reading.wake();
      return;
    }
    this.#scheduler.noteStarved(reading);
    const missing = this.#missingByteOf(reading);
    const given = this.holes.stateAt(position) ?? this.holes.stateAt(missing);
    if (given === 'looking') return;
    if (this.#scheduler.mustYield(reading)) this.#recheckSoon();
    else if (given !== undefined) reading.fail(given);
    else if (!this.#transfers.anyWillDeliver(missing)) this.#open(missing, this.#endOf(reading));
  }

  /** Whether there are bytes for a request that may be given out. */
  #hasBytesFor({ position, last }: PlayerRead): boolean {
    if (this.holes.has(position)) return true;
    const bytes = this.cache.peek(position);
    return bytes !== undefined && (this.#zeroGuard?.releasable(position, bytes, last) ?? 1) > 0;
  }

  /** Fetches what is missing on the way of the request that plays. */
  #readAhead(leader: PlayerRead): void {
    const horizon = this.#scheduler.readAheadEnd(leader);
    this.#transfers.limitToChunks();
    let gap = this.#gapAfter(leader.position);
    while (gap < horizon && !this.#transfers.isFull) {
      if (this.holes.stateAt(gap) !== undefined) return;
      this.#open(gap, this.#endOf(leader));
      gap = this.#gapAfter(gap);
    }
  }

  /** The first position from `position` on that is neither there nor on its way. */
  #gapAfter(position: number): number {
    let gap = position;
    for (;;) {
      const next = this.holes.endAfter(this.cache.firstMissing(gap));
      const end = this.#transfers.endAt(next);
      if (end === undefined && next === gap) return gap;
      gap = end ?? next;
    }
  }

  #endOf(reading: PlayerRead): number {
    return Math.min(this.#options.size, reading.last + 1);
  }

  /** What is looked into comes nearer to a verdict: nobody gives up waiting for it meanwhile. Gives whether any does. */
  #extendPatience(position: number): boolean {
    const isFor = (reading: PlayerRead) =>
      [reading.position, this.#missingByteOf(reading)].some(
        (place) => place === position || this.holes.stateAt(place) === 'looking',
      );
    const waiting = this.#scheduler.waiting.filter(isFor);
    for (const reading of waiting) reading.extendPatience();
    return waiting.length > 0;
  }

  /** Reads on from a position that has just been answered, as where a hole ends. */
  #continueWith(position: number, opened: OpenedRange): void {
    const isThere = this.cache.has(position) || this.#transfers.anyWillDeliver(position);
    if (isThere || this.#closing.signal.aborted) opened.body.close();
    else this.#open(position, this.#options.size, opened);
  }

  #open(position: number, end: number, opened?: OpenedRange): void {
    const limit = Math.min(end, this.holes.startAfter(position), this.#transfers.startAfter(position));
    this.#transfers.run(position, limit, opened);
  }

  #failed(transfer: Transfer, error: unknown): void {
    if (this.#closing.signal.aborted) return;
    const failure =
      error instanceof SourceFailure ? error : new SourceFailure('broken', 'the proxy failed', error);
    const { position } = transfer;
    this.#readAheadCooldown.start();
    if (!this.holes.probe(position, failure))
      for (const reading of this.#scheduler.waiting)
        if (this.#isLostTo(reading, position)) reading.fail(failure);
    this.reschedule();
  }

  /** Whether what a transfer has given up ends a request. For one that yields nobody was patient: its turn comes yet. */
  #isLostTo(reading: PlayerRead, position: number): boolean {
    return (
      this.#missingByteOf(reading) === position &&
      !this.#hasBytesFor(reading) &&
      !this.#scheduler.mustYield(reading)
    );
  }
}

/** Bytes. More are written while they are still in the processor's cache. */
const MIN_WRITE = 128 * 1024;

const CLOSED = new Error('the session has ended');

/** A request for the file's start that takes nothing yet. */
const prefetchRead = (bytes: number): PlayerRead => ({
  position: 0,
  last: bytes - 1,
  idle: false,
  wait: undefined,
  isPrefetch: true,
  wake: () => undefined,
  responseStarted: () => undefined,
  extendPatience: () => undefined,
  fail: () => undefined,
});
