import { deadlineSignal, pause, unlessAborted } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';
import type { FillPolicy } from '../policy/fills.ts';

/** What a server that has called a place missing does with the rest of the file. */
export type ServerState =
  /** It gives what it gave before: the place alone is missing. */
  | 'serves'
  /** It has done so again after a while: what it said meanwhile tells nothing. */
  | 'served again'
  /** Even the first byte is missing, and stays so: the file was deleted, or withdrawn. */
  | 'gone'
  /** What was there is missing or cannot be had, and that has not passed. */
  | 'in trouble'
  /** The same, and nobody waits for it to pass. */
  | 'unknown';

export interface ServerHealthOptions {
  readonly policy: FillPolicy;
  /** One attempt; rejects with a SourceFailure when it cannot be told. */
  readonly probe: (position: number, signal: AbortSignal) => Promise<boolean>;
  readonly journal: ServerHealthJournal;
  /** Called with each look while trouble lasts; whether anybody waits for what is missing. */
  readonly onProbe: () => boolean;
}

export interface ServerHealthJournal {
  /** The server has had trouble for a while; undefined: no longer. */
  troubled(since: number | undefined): void;
}

/**
 * Finds out what a 404 means. A server says so of a lost article, of a file that was deleted, and some also while their
 * provider is away (protocols.md §2.5): a byte of a place that was fine tells the one from the other.
 */
export class ServerHealth {
  readonly #options: ServerHealthOptions;
  /** A place that was read, and where what was read from there ended. The first bytes were, before /prepare answered. */
  #readPosition = 0;
  #readEnd = 0;
  #lastBytesAt = -Infinity;
  #checking: Promise<ServerState> | undefined;
  /** Whether its trouble has been told, and not its end. */
  #isReported = false;

  constructor(options: ServerHealthOptions) {
    this.#options = options;
  }

  /** Bytes have come from the server. */
  onBytes(from: number, bytes: number): void {
    if (from !== this.#readEnd) this.#readPosition = from;
    this.#readEnd = from + bytes;
    this.#lastBytesAt = performance.now();
    this.#endTrouble();
  }

  /** Whether bytes came so lately that they count as a look. */
  get isFresh(): boolean {
    return performance.now() - this.#lastBytesAt <= this.#options.policy.freshFor;
  }

  /** Looks, and waits until trouble has passed or has lasted too long. One look serves all who ask meanwhile. */
  check(signal: AbortSignal): Promise<ServerState> {
    this.#checking ??= this.#checkUntilSettled(signal).finally(() => {
      this.#checking = undefined;
    });
    return unlessAborted(this.#checking, signal);
  }

  async #checkUntilSettled(signal: AbortSignal): Promise<ServerState> {
    const { policy, onProbe: onLook } = this.#options;
    const began = performance.now();
    const time = deadlineSignal(signal, policy.giveUpAfter, () => TIMED_OUT);
    try {
      for (let looks = 1; ; looks++) {
        const standing = await this.#probe(time.signal);
        const lasted = performance.now() - began;
        const isOver = standing !== 'in trouble' || time.signal.aborted;
        if (isOver) this.#endTrouble();
        if (standing === 'serves') return looks > 1 ? 'served again' : standing;
        if (isOver) return standing;
        if (lasted >= policy.reportAfter) this.#reportTrouble(Date.now() - lasted);
        // It lasts, for all that anybody knows.
        if (!onLook()) return 'unknown';
        await pause(Math.min(policy.recheckInterval, Math.max(0, policy.giveUpAfter - lasted)), signal);
      }
    } finally {
      time.done();
    }
  }

  #reportTrouble(since: number): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#options.journal.troubled(since);
  }

  #endTrouble(): void {
    if (!this.#isReported) return;
    this.#isReported = false;
    this.#options.journal.troubled(undefined);
  }

  async #probe(signal: AbortSignal): Promise<'serves' | 'gone' | 'in trouble'> {
    try {
      if (await this.#options.probe(this.#readPosition, signal)) {
        this.#lastBytesAt = performance.now();
        return 'serves';
      }
      return (await this.#isGone(signal)) ? 'gone' : 'in trouble';
    } catch (error) {
      if (error instanceof SourceFailure) return 'in trouble';
      throw error;
    }
  }

  /** Whether the first byte is missing as well, and still is once a 404 of a moment would have passed. */
  async #isGone(signal: AbortSignal): Promise<boolean> {
    const { probe: look, policy } = this.#options;
    if (this.#readPosition > 0 && (await look(0, signal))) return false;
    const since = performance.now();
    await pause(policy.confirmAfter, signal);
    // Another read has been served meanwhile.
    if (this.#lastBytesAt > since) return false;
    return !(await look(0, signal));
  }
}

/** Ends a look that is under way. */
const TIMED_OUT = new SourceFailure('stalled', 'the server has had trouble for too long');
