import { redact } from '../../log/index.ts';
import type { Fill } from '../../media/fill-types.ts';
import type { HoleJournal } from '../holes/holes.ts';
import type { SourceFailure } from '../policy/failure.ts';
import { READ_POLICY, type RetryDecision } from '../policy/policies.ts';
import type { TransferJournal as LaneJournal } from '../reader/transfer-task.ts';
import { isServerAway, type Trouble, TroubleTracker } from './trouble.ts';

export interface Counters {
  /** Bytes from upstream, and bytes given to the player. */
  bytesIn: number;
  bytesOut: number;
  /** Requests of the player, of those under way now. */
  requests: number;
  active: number;
  /** Reads of the upstream that were begun, and those after a failure. */
  opens: number;
  retries: number;
  /** Times that a player that was being served had to wait noticeably. */
  stalls: number;
  /** Bytes that stand in place of lost ones, and places that could not be filled. */
  filled: number;
  lost: number;
  /** Changes from one source to another. */
  switches: number;
}

/** Something that was decided about a session, and why. */
export interface Decision {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly what: string;
}

/** Milliseconds from a request to its first byte. */
export interface Latency {
  readonly last: number;
  readonly median: number;
  readonly slowest: number;
}

const MAX_DECISIONS = 20;
const MAX_DECISION_TEXT = 300;
const MAX_LATENCIES = 50;
/** Milliseconds, all stretches of a film together: less is the luck of a moment. */
const MIN_UNTHROTTLED = 10_000;
/** Milliseconds that a player waits until it is a stall. */
const STALL_THRESHOLD = 500;

/** What has happened in a session: counters, and the last decisions with their reasons. */
export class SessionJournal implements LaneJournal, HoleJournal {
  readonly counters: Counters = {
    bytesIn: 0,
    bytesOut: 0,
    requests: 0,
    active: 0,
    opens: 0,
    retries: 0,
    stalls: 0,
    filled: 0,
    lost: 0,
    switches: 0,
  };
  readonly #decisions: Decision[] = [];
  readonly #latencies: number[] = [];
  readonly #unthrottled = { bytes: 0, ms: 0 };
  readonly #log: (what: string) => void;
  readonly #troubleTracker: TroubleTracker;

  /**
   * @param tell Called with each decision.
   * @param refused RetryPolicy.refusedTimeout
   */
  constructor(tell: (what: string) => void = () => undefined, refused = READ_POLICY.refusedTimeout) {
    this.#log = tell;
    this.#troubleTracker = new TroubleTracker(refused);
  }

  opened(): void {
    this.counters.opens++;
  }

  received(bytes: number): void {
    this.counters.bytesIn += bytes;
    this.#troubleTracker.bytesReceived();
  }

  receivedUnthrottled(bytes: number, ms: number): void {
    this.#unthrottled.bytes += bytes;
    this.#unthrottled.ms += ms;
  }

  /** Bits per second that the upstream kept up where nothing else was the limit; undefined while that was too short. */
  get sustained(): number | undefined {
    const { bytes, ms } = this.#unthrottled;
    return ms < MIN_UNTHROTTLED ? undefined : (bytes * 8 * 1000) / ms;
  }

  sent(bytes: number): void {
    this.counters.bytesOut += bytes;
  }

  /** A request has waited for bytes; `first`: for its first ones. Milliseconds. */
  waited(ms: number, first: boolean): void {
    if (!first && ms >= STALL_THRESHOLD) this.counters.stalls++;
    if (!first) return;
    this.#latencies.push(ms);
    if (this.#latencies.length > MAX_LATENCIES) this.#latencies.shift();
  }

  failed(failure: SourceFailure, lasting?: number): number {
    return this.#troubleTracker.failed(failure, lasting);
  }

  decided(position: number, failure: SourceFailure, verdict: RetryDecision): void {
    if (verdict.kind === 'retry') this.counters.retries++;
    this.note(`${verdict.kind} at byte ${position}: ${verdict.reason} (${failure.message})`);
  }

  filled({ first, last, how }: Fill): void {
    this.counters.filled += last - first + 1;
    this.note(`filled bytes ${first} to ${last}: ${how}`);
  }

  lost(position: number, why: string): void {
    this.counters.lost++;
    this.note(`lost at byte ${position}: ${why}`);
  }

  undecided(position: number): void {
    this.note(`byte ${position} is late: nothing behind it can be read either, or it has just come`);
  }

  troubled(since: number | undefined): void {
    this.#troubleTracker.missing(since);
    this.note(
      since === undefined
        ? 'the server has its files again, or has been given up'
        : 'the server calls missing what it had: waiting for it',
    );
  }

  /** What is wrong with the server now. */
  get trouble(): Trouble | undefined {
    return this.#troubleTracker.current;
  }

  get isServerAway(): boolean {
    return isServerAway(this.trouble);
  }

  note(what: string): void {
    const text = redact(what).slice(0, MAX_DECISION_TEXT);
    this.#decisions.push({ at: Date.now(), what: text });
    this.#log(text);
    if (this.#decisions.length > MAX_DECISIONS) this.#decisions.shift();
  }

  get decisions(): readonly Decision[] {
    return [...this.#decisions];
  }

  /** Undefined before the first request. */
  get latency(): Latency | undefined {
    const sorted = [...this.#latencies].sort((a, b) => a - b);
    const [last, median, slowest] = [
      this.#latencies.at(-1),
      sorted[Math.floor(sorted.length / 2)],
      sorted.at(-1),
    ];
    if (last === undefined || median === undefined || slowest === undefined) return undefined;
    return { last: round(last), median: round(median), slowest: round(slowest) };
  }
}

const round = (ms: number): number => Math.round(ms * 10) / 10;
