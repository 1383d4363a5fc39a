import { type Deferred, deferred } from '../../io/deferred.ts';
import { pause, type Watchdog, watchdog } from '../../io/wait.ts';
import { type FailureKind, SourceFailure } from '../policy/failure.ts';
import { type decide as decideStage, headTimeout, type RetryPolicy, type Verdict } from '../policy/policy.ts';
import type { Body, Sink } from '../source/http1/types.ts';
import type { OpenedRange, Source } from '../source/source.ts';
import type { Block, Cache } from './cache.ts';
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
  /** Whether bytes have flowed to the player before. */
  readonly flowing: boolean;
}

/** Whom a lane works for. */
export interface LaneKeeper {
  /** Whether a byte at this position shall be fetched now; otherwise the lane waits for `resume`. */
  mayFill(position: number): boolean;
  wants(lane: Lane): Want | undefined;
  /** A read has failed, and is tried again: whoever waits further on may be served sooner by another lane. */
  stumbled(): void;
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
  #answer: Deferred<void> = deferred();
  #silence: Watchdog | undefined;
  #block: Block | undefined;
  #paused = false;
  /** Bytes since the event loop came by. */
  #turn = 0;
  #met = false;
  #dry = new DrySpell();
  /** Bytes of the answer under way. */
  #flowed = 0;

  constructor(task: LaneTask, position: number, limit: number) {
    this.#task = task;
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
    return this.#paused;
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
    }
  }

  /** It may go on: there is room, or somebody waits. */
  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#body?.resume();
  }

  /** Ends it at once, with its connection. */
  close(): void {
    this.#closing.abort(CLOSED);
    this.#finish();
  }

  room(): Uint8Array | undefined {
    const room = this.#turn >= TURN ? undefined : this.#position();
    this.#paused = room === undefined && this.#body !== undefined;
    if (this.#paused) this.rate.reset();
    if (room === undefined) this.#silence?.stop();
    else this.#silence?.start();
    return room;
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
    this.#task.keeper.filled(this, bytes);
    if (this.position >= this.#limit && this.position < this.#until) this.#finish();
  }

  end(failure: SourceFailure | undefined): void {
    const missing = this.#until - this.position;
    if (failure !== undefined) this.#answer.reject(failure);
    else if (missing > 0) this.#answer.reject(new SourceFailure('broken', `${missing} bytes are missing`));
    else this.#answer.resolve();
  }

  async #attempt(): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      if (!(error instanceof SourceFailure)) throw error;
      await this.#recover(error);
    } finally {
      this.#settle();
    }
  }

  /** One answer of the source, from its head to its end. */
  async #read(): Promise<void> {
    const { policy, journal } = this.#task;
    journal.opened();
    const opened = await this.#open();
    if (this.#closing.signal.aborted || this.position >= this.#limit) {
      opened.body.close();
      return;
    }
    this.#until = opened.range.last + 1;
    this.#flowed = 0;
    this.#answer = deferred();
    this.#body = opened.body;
    this.#silence = watchdog(policy.stall, () => {
      this.#answer.reject(new SourceFailure('stalled', 'the body went silent'));
    });
    // Chunks ask for room only once one has come.
    this.#silence.start();
    opened.body.flow(this);
    await this.#answer.promise;
  }

  async #open(): Promise<OpenedRange> {
    const { source, size, policy, keeper } = this.#task;
    const want = keeper.wants(this);
    const timeout = headTimeout(policy, {
      waited: want === undefined ? 0 : performance.now() - want.since,
      // What nobody waits for yet the player may wait for in a moment.
      flowing: want?.flowing ?? true,
      silentBefore: this.#dry.silentBefore,
    });
    const last = this.#limit < size ? this.#limit - 1 : undefined;
    const wish = { first: this.position, size, timeout, signal: this.#closing.signal };
    try {
      return await source.open(last === undefined ? wish : { ...wish, last });
    } catch (error) {
      if (error instanceof SourceFailure && error.kind === 'stalled') this.#dry.silentBefore = true;
      throw error;
    }
  }

  async #recover(failure: SourceFailure): Promise<void> {
    const { decide, journal, keeper } = this.#task;
    const want = keeper.wants(this);
    const verdict = decide(this.#policyFor(want), {
      ...this.#dry.failed(failure.kind),
      waited: want === undefined ? 0 : performance.now() - want.since,
      flowing: want?.flowing ?? false,
    });
    journal.decided(this.position, failure, verdict);
    if (verdict.kind === 'give-up') throw failure;
    this.#settle();
    this.rate.reset();
    keeper.stumbled();
    await pause(verdict.pause, this.#closing.signal).catch(() => undefined);
  }

  /** While nobody waits there is no patience to end the attempts: then their number ends them, whatever they fail of. */
  #policyFor(want: Want | undefined): RetryPolicy {
    return want === undefined ? { ...this.#task.policy, passing: [] } : this.#task.policy;
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
    this.#paused = false;
    if (this.#block !== undefined) this.#task.cache.unpin(this.#block);
    this.#block = undefined;
  }
}

const CLOSED = new Error('the lane was closed');

/** What has failed since the last byte. */
class DrySpell {
  /** Whether an answer's head has stayed away. */
  silentBefore = false;
  readonly #kinds: FailureKind[] = [];

  get begun(): boolean {
    return this.#kinds.length > 0;
  }

  /** Counts a failed attempt; gives what the policy must know of it. */
  failed(kind: FailureKind): { kind: FailureKind; alike: number; fruitless: number } {
    this.#kinds.push(kind);
    const alike = this.#kinds.filter((other) => other === kind).length;
    return { kind, alike, fruitless: this.#kinds.length };
  }
}
