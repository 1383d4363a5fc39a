import { type Deferred, deferred } from '../../io/deferred.ts';
import { pause } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';
import { type RetryPolicy, silenceLeft, type Verdict } from '../policy/policy.ts';
import type { Body, Sink } from '../source/http1/types.ts';
import type { OpenedRange } from '../source/source.ts';
import type { BesideTask } from './beside.ts';
import type { Block } from './cache.ts';
import { DrySpell } from './dry-spell.ts';
import { HeldUp } from './held-up.ts';
import type { LanePlace, LaneTask } from './lane-task.ts';
import { Listening } from './listening.ts';
import { Opener, UNHURRIED, type Waiting } from './opener.ts';
import { Rate } from './rate.ts';

/** Bytes that one lane takes before everything else has its turn: a fast upstream would otherwise hold up all. */
const TURN = 8 * 1024 * 1024;

/** Bytes of one answer after which the failures before it are forgotten. */
const RECOVERED = 64 * 1024;

/**
 * One connection's worth of reading: fills the cache from a position on, with as few requests as it takes, and resumes
 * at the missing byte when one fails.
 */
export class Lane implements Sink, LanePlace {
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
  #listening: Listening | undefined;
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
    const onLate = (ms: number) => {
      journal.failed(new SourceFailure('stalled', 'no answer has begun'), ms);
    };
    this.#opener = new Opener(
      { ...{ source, size, policy, answers, onRequest, onLate }, signal: this.#closing.signal },
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
    if (room === undefined) this.#listening?.hold();
    else this.#listening?.take();
    return room;
  }

  #hold(): void {
    this.#heldUp.hold();
    this.rate.reset();
  }

  filled(bytes: number): void {
    const block = this.#block;
    if (block === undefined) return;
    this.#listening?.heard();
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
    const why =
      failure ?? (missing > 0 ? new SourceFailure('broken', `${missing} bytes are missing`) : undefined);
    if (why === undefined) this.#answer.resolve();
    else if (this.#listening?.ended(why) !== true) this.#answer.reject(why);
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
    this.#flowed = 0;
    this.#heldUp = new HeldUp(at);
    this.#body = opened.body;
    this.#listening = this.#listen();
    this.#task.keeper.answered(this);
    opened.body.flow(this);
  }

  #listen(): Listening {
    const { policy, silences, source, journal } = this.#task;
    const over = (failure: SourceFailure) => {
      this.#answer.reject(failure);
    };
    return new Listening({
      ...{ policy, silences, isDear: source.serving?.look === 'dear' },
      waiting: () => this.#waiting(),
      second: () => this.#second(),
      onBegun: (opened) => {
        journal.note(`a second request at byte ${this.position} has begun to deliver first`);
        this.#letGo();
        this.#receive(opened, performance.now());
      },
      onStall: (failure) => {
        journal.failed(failure);
      },
      onOver: over,
    });
  }

  /** What comes beside a body that is silent; nothing beside bytes that are not relied upon. */
  #second(): BesideTask | undefined {
    const { position } = this;
    if (this.#task.keeper.reliable(position, this.#flowed) !== position) return undefined;
    const until = Math.min(this.#limit, this.#until);
    const dry = new DrySpell();
    const patience = () => silenceLeft(this.#task.policy, this.#waiting());
    return {
      open: (signal) => this.#opener.beside(position, until, this.#waiting() ?? UNHURRIED, signal),
      patience,
      decide: (failure) => this.#decide(failure, dry),
      signal: this.#closing.signal,
    };
  }

  #waiting(): Waiting | undefined {
    const want = this.#task.keeper.wants(this);
    return want && { waited: performance.now() - want.patientSince, flowing: want.flowing };
  }

  async #recover(failure: SourceFailure): Promise<void> {
    const verdict = this.#decide(failure, this.#dry);
    if (verdict.kind === 'give-up') throw failure;
    this.#settle();
    this.rate.reset();
    this.#task.keeper.stumbled();
    await pause(verdict.pause, this.#closing.signal).catch(() => undefined);
  }

  #decide(failure: SourceFailure, dry: DrySpell): Verdict {
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
    this.#letGo();
    if (this.#block !== undefined) this.#task.cache.unpin(this.#block);
    this.#block = undefined;
  }

  /** Ends the body under way, and what came beside it. */
  #letGo(): void {
    this.#listening?.close();
    this.#listening = undefined;
    this.#body?.close();
    this.#body = undefined;
    this.#heldUp = new HeldUp();
  }
}

const CLOSED = new Error('the lane was closed');
