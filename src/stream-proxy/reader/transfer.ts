import { type Deferred, deferred } from '../../io/deferred.ts';
import { pause } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';
import { type RetryDecision, type RetryPolicy, silenceLeft } from '../policy/policies.ts';
import type { BodySink, ResponseBody } from '../source/http1/types.ts';
import type { OpenedRange } from '../source/source.ts';
import { Backpressure } from './backpressure.ts';
import { BodyWatch } from './body-watch.ts';
import type { Block } from './cache.ts';
import { FailureStreak } from './failure-streak.ts';
import type { HedgeTask } from './hedged-request.ts';
import { NO_WAIT, RangeOpener, type WaitState } from './range-opener.ts';
import { Throughput } from './throughput.ts';
import type { TransferState, TransferTask } from './transfer-task.ts';

/** Bytes that one transfer takes before everything else has its turn: a fast upstream would otherwise hold up all. */
const MAX_BYTES_PER_TURN = 8 * 1024 * 1024;

/** Bytes of one answer after which the failures before it are forgotten. */
const RECOVERED_AFTER = 64 * 1024;

/**
 * One connection's worth of reading: fills the cache from a position on, with as few requests as it takes, and resumes
 * at the missing byte when one fails.
 */
export class Transfer implements BodySink, TransferState {
  /** The next byte to come. */
  position: number;
  readonly rate: Throughput;
  readonly #task: TransferTask;
  readonly #closing = new AbortController();
  #limit: number;
  /** Where the answer under way ends, exclusive. */
  #until = 0;
  #body: ResponseBody | undefined;
  #askedAt = performance.now();
  #answer: Deferred<void> = deferred();
  #bodyWatch: BodyWatch | undefined;
  #pinnedBlock: Block | undefined;
  /** Of the answer under way. */
  #backpressure = new Backpressure();
  /** Bytes since the event loop came by. */
  #turnBytes = 0;
  #hasReachedCached = false;
  #failureStreak = new FailureStreak();
  /** Bytes of the answer under way. */
  #answerBytes = 0;
  readonly #opener: RangeOpener;

  /** @param given An answer that begins at the position, to be read first. */
  constructor(task: TransferTask, position: number, limit: number, given?: OpenedRange) {
    this.#task = task;
    const { source, size, policy, answers, journal } = task;
    const onRequest = () => {
      journal.opened();
    };
    const onLate = (ms: number) => {
      journal.failed(new SourceFailure('stalled', 'no answer has begun'), ms);
    };
    this.#opener = new RangeOpener(
      { source, size, policy, answers, onRequest, onLate, signal: this.#closing.signal },
      position,
      given,
    );
    this.rate = new Throughput((bytes, ms) => {
      task.journal.receivedUnthrottled(bytes, ms);
    });
    this.position = position;
    this.#limit = limit;
  }

  /** Where it ends, exclusive. */
  get limit(): number {
    return this.#limit;
  }

  /** Whether it waits until it may go on. */
  get paused(): boolean {
    return this.#backpressure.isPaused;
  }

  /** performance.now() of when it began to wait for an answer's head; undefined: it waits for none. */
  get headAwaitedSince(): number | undefined {
    return this.#body === undefined ? this.#askedAt : undefined;
  }

  /** Ends it earlier; what is beyond is another's to fetch. */
  shorten(limit: number): void {
    this.#limit = Math.min(this.#limit, limit);
    if (this.position >= this.#limit) this.#finish();
  }

  /**
   * Reads until the limit, or until it meets bytes that are there already.
   *
   * @throws SourceFailure when the policy gives up; what was read until then is right.
   */
  async run(): Promise<void> {
    try {
      while (this.position < this.#limit && !this.#hasReachedCached && !this.#closing.signal.aborted)
        await this.#attempt();
    } finally {
      this.#settle();
      this.#opener.close();
    }
  }

  /** It may go on: there is room, or somebody waits. */
  resume(): void {
    if (!this.paused) return;
    this.#backpressure.resume();
    this.#body?.resume();
  }

  /** Ends it at once, with its connection. */
  close(): void {
    this.#closing.abort(CLOSED);
    this.#finish();
  }

  room(): Uint8Array | undefined {
    const room = this.#turnBytes >= MAX_BYTES_PER_TURN ? undefined : this.#position();
    if (room === undefined && this.#body !== undefined) this.#pauseBody();
    else this.#backpressure.resume();
    if (room === undefined) this.#bodyWatch?.pause();
    else this.#bodyWatch?.resume();
    return room;
  }

  #pauseBody(): void {
    this.#backpressure.pause();
    this.rate.reset();
  }

  filled(bytes: number): void {
    const block = this.#pinnedBlock;
    if (block === undefined) return;
    this.#bodyWatch?.bytesReceived();
    // Taken out of the cache meanwhile: these bytes go to nobody.
    if (block.dropped) {
      this.#hasReachedCached = true;
      this.#finish();
      return;
    }
    if (this.#turnBytes === 0)
      setImmediate(() => {
        this.#nextTurn();
      });
    this.#turnBytes += bytes;
    block.add(this.position, bytes);
    this.position += bytes;
    this.#flow(bytes);
    this.rate.add(bytes);
    this.#task.journal.received(bytes);
    this.#backpressure.took(bytes);
    this.#task.owner.filled(this, bytes);
    this.#opener.advanced(this.position, this.#until, this.#limit);
    if (this.position >= this.#limit && this.position < this.#until) this.#finish();
  }

  end(failure: SourceFailure | undefined): void {
    const missing = this.#until - this.position;
    const why =
      failure ?? (missing > 0 ? new SourceFailure('broken', `${missing} bytes are missing`) : undefined);
    if (why === undefined) this.#answer.resolve();
    else if (this.#bodyWatch?.ended(why) !== true) this.#answer.reject(why);
  }

  async #attempt(): Promise<void> {
    const dry = this.#failureStreak;
    this.#answerBytes = 0;
    this.#askedAt = performance.now();
    try {
      await this.#read();
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      if (!(error instanceof SourceFailure)) throw error;
      this.#discardUntrusted(dry);
      if (this.#backpressure.explains(error)) return;
      if (this.#isMissing(error)) throw this.#missingFailure(error);
      await this.#recover(error);
    } finally {
      this.#settle();
    }
  }

  /** What came before the body broke off, and is not relied upon, is read again; it has ended no dry spell. */
  #discardUntrusted(dry: FailureStreak): void {
    const position = this.#task.owner.trustedUntil(this.position, this.#answerBytes);
    if (position === this.position) return;
    this.position = position;
    this.#failureStreak = dry;
  }

  /** A share's server calls missing what is; only services that stream promise it as well (protocols.md §8.11). */
  #isMissing({ kind }: SourceFailure): boolean {
    const { source } = this.#task;
    return (
      source.relocate !== undefined && kind === 'broken' && this.#failureStreak.countBreakAt(this.position)
    );
  }

  /** The byte was promised and did not come, time and again: whether it is lost is found out by looks elsewhere. */
  #missingFailure(cause: SourceFailure): SourceFailure {
    const failure = new SourceFailure('missing', 'bodies break off before this byte', cause);
    this.#task.journal.decided(this.position, failure, { kind: 'give-up', reason: failure.message });
    return failure;
  }

  /** One answer of the source, from its head to its end. */
  async #read(): Promise<void> {
    const { opened, at } = await this.#opener.open(this.position, this.#limit, this.#waiting());
    if (this.#closing.signal.aborted || this.position >= this.#limit) {
      opened.body.close();
      return;
    }
    this.#answer = deferred();
    this.#receive(opened, at);
    await this.#answer.promise;
  }

  /** @param at When the answer came (performance.now()). */
  #receive(opened: OpenedRange, at: number): void {
    this.#until = opened.range.last + 1;
    this.#answerBytes = 0;
    this.#backpressure = new Backpressure(at);
    this.#body = opened.body;
    this.#bodyWatch = this.#listen();
    this.#task.owner.responseStarted(this);
    opened.body.flow(this);
  }

  #listen(): BodyWatch {
    const { policy, silences, source, journal } = this.#task;
    const over = (failure: SourceFailure) => {
      this.#answer.reject(failure);
    };
    return new BodyWatch({
      policy,
      silences,
      isCostly: source.serving?.look === 'dear',
      waiting: () => this.#waiting(),
      hedge: () => this.#hedgeTask(),
      onHedgeWon: (opened) => {
        journal.note(`a second request at byte ${this.position} has begun to deliver first`);
        this.#releaseBody();
        this.#receive(opened, performance.now());
      },
      onStall: (failure) => {
        journal.failed(failure);
      },
      onGiveUp: over,
    });
  }

  /** What comes beside a body that is silent; nothing beside bytes that are not relied upon. */
  #hedgeTask(): HedgeTask | undefined {
    const { position } = this;
    if (this.#task.owner.trustedUntil(position, this.#answerBytes) !== position) return undefined;
    const until = Math.min(this.#limit, this.#until);
    const dry = new FailureStreak();
    const patience = () => silenceLeft(this.#task.policy, this.#waiting());
    return {
      open: (signal) => this.#opener.openHedge(position, until, this.#waiting() ?? NO_WAIT, signal),
      firstByteTimeout: patience,
      decide: (failure) => this.#decide(failure, dry),
      signal: this.#closing.signal,
    };
  }

  #waiting(): WaitState | undefined {
    const want = this.#task.owner.waitFor(this);
    return want && { waited: performance.now() - want.timeoutSince, flowing: want.flowing };
  }

  async #recover(failure: SourceFailure): Promise<void> {
    const verdict = this.#decide(failure, this.#failureStreak);
    if (verdict.kind === 'give-up') throw failure;
    this.#settle();
    this.rate.reset();
    this.#task.owner.retrying();
    await pause(verdict.pause, this.#closing.signal).catch(() => undefined);
  }

  #decide(failure: SourceFailure, dry: FailureStreak): RetryDecision {
    const { decide, journal } = this.#task;
    const waiting = this.#waiting();
    const verdict = decide(this.#policyFor(waiting), {
      ...dry.failed(failure.kind),
      waited: waiting?.waited ?? 0,
      flowing: waiting?.flowing ?? false,
      refusedFor: journal.failed(failure),
    });
    journal.decided(this.position, failure, verdict);
    return verdict;
  }

  /** While nobody waits there is no patience to end the attempts: then their number ends them, whatever they fail of. */
  #policyFor(waiting: WaitState | undefined): RetryPolicy {
    return waiting === undefined ? { ...this.#task.policy, transientKinds: [] } : this.#task.policy;
  }

  /** A few bytes from each connection are no recovery: a server that breaks off at once is not asked without end. */
  #flow(bytes: number): void {
    this.#answerBytes += bytes;
    if (this.#failureStreak.hasFailures && this.#answerBytes >= RECOVERED_AFTER)
      this.#failureStreak = new FailureStreak();
  }

  /** Whatever else there is to do has had its turn. */
  #nextTurn(): void {
    const held = this.#turnBytes >= MAX_BYTES_PER_TURN;
    this.#turnBytes = 0;
    if (held) this.resume();
  }

  /** Where the next bytes go. */
  #position(): Uint8Array | undefined {
    const end = Math.min(this.#limit, this.#until);
    if (this.#body === undefined || this.position >= end) {
      // More than was promised: what came until here stands by itself.
      this.#finish();
      return undefined;
    }
    if (!this.#task.owner.canFetch(this.position)) return undefined;
    return this.#blockHere()?.writableAt(this.position, end - this.position);
  }

  #blockHere(): Block | undefined {
    const { cache } = this.#task;
    if (this.#pinnedBlock !== undefined) cache.unpin(this.#pinnedBlock);
    this.#pinnedBlock = undefined;
    const block = cache.blockFor(this.position);
    if (block === 'met') {
      this.#hasReachedCached = true;
      this.#finish();
      return undefined;
    }
    this.#pinnedBlock = block;
    return block;
  }

  /** The answer under way is not needed any further. */
  #finish(): void {
    this.rate.reset();
    this.#body?.close();
    this.#answer.resolve();
  }

  /** Lets go of what an answer held. */
  #settle(): void {
    this.#releaseBody();
    if (this.#pinnedBlock !== undefined) this.#task.cache.unpin(this.#pinnedBlock);
    this.#pinnedBlock = undefined;
  }

  /** Ends the body under way, and what came beside it. */
  #releaseBody(): void {
    this.#bodyWatch?.close();
    this.#bodyWatch = undefined;
    this.#body?.close();
    this.#body = undefined;
    this.#backpressure = new Backpressure();
  }
}

const CLOSED = new Error('the transfer was closed');
