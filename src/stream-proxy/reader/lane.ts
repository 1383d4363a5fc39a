import { type Deferred, deferred } from '../../io/deferred.ts';
import { pause, type Watchdog, watchdog } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';
import type { decide as decideStage, RetryPolicy, Verdict } from '../policy/policy.ts';
import type { Body, Sink } from '../source/http1/types.ts';
import type { OpenedRange, Source } from '../source/source.ts';
import type { AnswerTimes } from './answer-times.ts';
import type { Block, Cache } from './cache.ts';
import { DrySpell } from './dry-spell.ts';
import { HeldUp } from './held-up.ts';
import { Opener, type Waiting } from './opener.ts';
import { Rate } from './rate.ts';

/** Bytes that one lane takes before everything else has its turn: a fast upstream would otherwise hold up all. */
const TURN = 8 * 1024 * 1024;

/** Bytes of one answer after which the failures before it are forgotten. */
const RECOVERED = 64 * 1024;

/** What lanes and readers tell while they work; a session keeps the count. */
export interface Journal {
  opened(): void;
  received(bytes: number): void;
  /** So many bytes came in so many milliseconds in which nothing but the upstream held them up. */
  unheld(bytes: number, ms: number): void;
  decided(position: number, failure: SourceFailure, verdict: Verdict): void;
}

/** Somebody waits for a byte that a lane is to bring. */
export interface Want {
  /** performance.now() when the wait began. */
  readonly since: number;
  /** The same, or when the first answer that is to end it began. */
  readonly silentSince: number;
  /** Since when the player's patience runs: not while something is found out for it. */
  readonly patientSince: number;
  /** Whether bytes have flowed to the player before. */
  readonly flowing: boolean;
}

/** Whom a lane works for. */
export interface LaneKeeper {
  /** Whether a byte at this position shall be fetched now; otherwise the lane waits for `resume`. */
  mayFill(position: number): boolean;
  wants(lane: Lane): Want | undefined;
  /** An answer has begun: its bytes are on their way. */
  answered(lane: Lane): void;
  /** A read has failed, and is tried again: whoever waits further on may be served sooner by another lane. */
  stumbled(): void;
  /** A body broke off at a position, after so many bytes: where that which came can be relied upon up to. */
  reliable(position: number, flowed: number): number;
  /** So many bytes have just come that end before the lane's position. */
  filled(lane: Lane, bytes: number): void;
}

export interface LaneTask {
  readonly source: Source;
  readonly size: number;
  readonly cache: Cache;
  readonly policy: RetryPolicy;
  readonly decide: typeof decideStage;
  readonly journal: Journal;
  readonly keeper: LaneKeeper;
  readonly answers: AnswerTimes;
}

/**
 * One connection's worth of reading: fills the cache from a position on, with as few requests as it takes, and resumes
 * at the missing byte when one fails.
 */
export class Lane implements Sink {
  /** The next byte to come. */
  position: number;
  readonly rate: Rate;
  readonly #task: LaneTask;
  readonly #closing = new AbortController();
  #limit: number;
  /** Where the answer under way ends, exclusive. */
  #until = 0;
  #body: Body | undefined;
  #askedAt = performance.now();
  #answer: Deferred<void> = deferred();
  #silence: Watchdog | undefined;
  #block: Block | undefined;
  /** Of the answer under way. */
  #heldUp = new HeldUp();
  /** Bytes since the event loop came by. */
  #turn = 0;
  #met = false;
  #dry = new DrySpell();
  /** Bytes of the answer under way. */
  #flowed = 0;
  readonly #opener: Opener;

  /** @param given An answer that begins at the position, to be read first. */
  constructor(task: LaneTask, position: number, limit: number, given?: OpenedRange) {
    this.#task = task;
    const { source, size, policy, answers, journal } = task;
    const onRequest = () => {
      journal.opened();
    };
    this.#opener = new Opener(
      { ...{ source, size, policy, answers, onRequest }, signal: this.#closing.signal },
      position,
      given,
    );
    this.rate = new Rate((bytes, ms) => {
      task.journal.unheld(bytes, ms);
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
    return this.#heldUp.now;
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
      while (this.position < this.#limit && !this.#met && !this.#closing.signal.aborted)
        await this.#attempt();
    } finally {
      this.#settle();
      this.#opener.close();
    }
  }

  /** It may go on: there is room, or somebody waits. */
  resume(): void {
    if (!this.paused) return;
    this.#heldUp.goOn();
    this.#body?.resume();
  }

  /** Ends it at once, with its connection. */
  close(): void {
    this.#closing.abort(CLOSED);
    this.#finish();
  }

  room(): Uint8Array | undefined {
    const room = this.#turn >= TURN ? undefined : this.#position();
    if (room === undefined && this.#body !== undefined) this.#hold();
    else this.#heldUp.goOn();
    if (room === undefined) this.#silence?.stop();
    else this.#silence?.start();
    return room;
  }

  #hold(): void {
    this.#heldUp.hold();
    this.rate.reset();
  }

  filled(bytes: number): void {
    const block = this.#block;
    if (block === undefined) return;
    // Taken out of the cache meanwhile: these bytes go to nobody.
    if (block.dropped) {
      this.#met = true;
      this.#finish();
      return;
    }
    if (this.#turn === 0)
      setImmediate(() => {
        this.#nextTurn();
      });
    this.#turn += bytes;
    block.add(this.position, bytes);
    this.position += bytes;
    this.#flow(bytes);
    this.rate.add(bytes);
    this.#task.journal.received(bytes);
    this.#heldUp.took(bytes);
    this.#task.keeper.filled(this, bytes);
    this.#opener.advanced(this.position, this.#until, this.#limit);
    if (this.position >= this.#limit && this.position < this.#until) this.#finish();
  }

  end(failure: SourceFailure | undefined): void {
    const missing = this.#until - this.position;
    if (failure !== undefined) this.#answer.reject(failure);
    else if (missing > 0) this.#answer.reject(new SourceFailure('broken', `${missing} bytes are missing`));
    else this.#answer.resolve();
  }

  async #attempt(): Promise<void> {
    const dry = this.#dry;
    this.#flowed = 0;
    this.#askedAt = performance.now();
    try {
      await this.#read();
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      if (!(error instanceof SourceFailure)) throw error;
      this.#takeBack(dry);
      if (this.#heldUp.explains(error)) return;
      if (this.#isMissing(error)) throw this.#missing(error);
      await this.#recover(error);
    } finally {
      this.#settle();
    }
  }

  /** What came before the body broke off, and is not relied upon, is read again; it has ended no dry spell. */
  #takeBack(dry: DrySpell): void {
    const position = this.#task.keeper.reliable(this.position, this.#flowed);
    if (position === this.position) return;
    this.position = position;
    this.#dry = dry;
  }

  /** A share's server calls missing what is; only services that stream promise it as well (protocols.md §8.11). */
  #isMissing({ kind }: SourceFailure): boolean {
    const { source } = this.#task;
    return source.renew !== undefined && kind === 'broken' && this.#dry.breaksAt(this.position);
  }

  /** The byte was promised and did not come, time and again: whether it is lost is found out by looks elsewhere. */
  #missing(cause: SourceFailure): SourceFailure {
    const failure = new SourceFailure('missing', 'bodies break off before this byte', cause);
    this.#task.journal.decided(this.position, failure, { kind: 'give-up', reason: failure.message });
    return failure;
  }

  /** One answer of the source, from its head to its end. */
  async #read(): Promise<void> {
    const { policy } = this.#task;
    const { opened, at } = await this.#opener.open(this.position, this.#limit, this.#waiting());
    if (this.#closing.signal.aborted || this.position >= this.#limit) {
      opened.body.close();
      return;
    }
    this.#until = opened.range.last + 1;
    this.#flowed = 0;
    this.#answer = deferred();
    this.#heldUp = new HeldUp(at);
    this.#body = opened.body;
    this.#silence = watchdog(policy.stall, () => {
      this.#answer.reject(new SourceFailure('stalled', 'the body went silent'));
    });
    // Chunks ask for room only once one has come.
    this.#silence.start();
    this.#task.keeper.answered(this);
    opened.body.flow(this);
    await this.#answer.promise;
  }

  #waiting(): Waiting | undefined {
    const want = this.#task.keeper.wants(this);
    return want && { waited: performance.now() - want.patientSince, flowing: want.flowing };
  }

  async #recover(failure: SourceFailure): Promise<void> {
    const { decide, journal, keeper } = this.#task;
    const waiting = this.#waiting();
    const verdict = decide(this.#policyFor(waiting), {
      ...this.#dry.failed(failure.kind),
      waited: waiting?.waited ?? 0,
      flowing: waiting?.flowing ?? false,
    });
    journal.decided(this.position, failure, verdict);
    if (verdict.kind === 'give-up') throw failure;
    this.#settle();
    this.rate.reset();
    keeper.stumbled();
    await pause(verdict.pause, this.#closing.signal).catch(() => undefined);
  }

  /** While nobody waits there is no patience to end the attempts: then their number ends them, whatever they fail of. */
  #policyFor(waiting: Waiting | undefined): RetryPolicy {
    return waiting === undefined ? { ...this.#task.policy, passing: [] } : this.#task.policy;
  }

  /** A few bytes from each connection are no recovery: a server that breaks off at once is not asked without end. */
  #flow(bytes: number): void {
    this.#flowed += bytes;
    if (this.#dry.begun && this.#flowed >= RECOVERED) this.#dry = new DrySpell();
  }

  /** Whatever else there is to do has had its turn. */
  #nextTurn(): void {
    const held = this.#turn >= TURN;
    this.#turn = 0;
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
    if (!this.#task.keeper.mayFill(this.position)) return undefined;
    return this.#blockHere()?.roomAt(this.position, end - this.position);
  }

  #blockHere(): Block | undefined {
    const { cache } = this.#task;
    if (this.#block !== undefined) cache.unpin(this.#block);
    this.#block = undefined;
    const block = cache.blockFor(this.position);
    if (block === 'met') {
      this.#met = true;
      this.#finish();
      return undefined;
    }
    this.#block = block;
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
    this.#silence?.end();
    this.#silence = undefined;
    this.#body?.close();
    this.#body = undefined;
    this.#heldUp = new HeldUp();
    if (this.#block !== undefined) this.#task.cache.unpin(this.#block);
    this.#block = undefined;
  }
}

const CLOSED = new Error('the lane was closed');
