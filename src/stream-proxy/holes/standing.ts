import { deadlineSignal, pause, unlessAborted } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';
import type { FillPolicy } from '../policy/fills.ts';

/** What a server that has called a place missing does with the rest of the file. */
export type Standing =
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

export interface StandingOptions {
  readonly policy: FillPolicy;
  /** One attempt; rejects with a SourceFailure when it cannot be told. */
  readonly look: (position: number, signal: AbortSignal) => Promise<boolean>;
  readonly journal: StandingJournal;
  /** Called with each look while trouble lasts; whether anybody waits for what is missing. */
  readonly onLook: () => boolean;
}

export interface StandingJournal {
  /** The server has had trouble for a while; undefined: no longer. */
  troubled(since: number | undefined): void;
}

/**
 * Finds out what a 404 means. A server says so of a lost article, of a file that was deleted, and some also while their
 * provider is away (protocols.md §2.5): a byte of a place that was fine tells the one from the other.
 */
export class ServerStanding {
  readonly #options: StandingOptions;
  /** A place that was read, and where what was read from there ended. The first bytes were, before /prepare answered. */
  #place = 0;
  #end = 0;
  #cameAt = -Infinity;
  #finding: Promise<Standing> | undefined;
  /** Whether its trouble has been told, and not its end. */
  #isTold = false;

  constructor(options: StandingOptions) {
    this.#options = options;
  }

  /** Bytes have come from the server. */
  came(from: number, bytes: number): void {
    if (from !== this.#end) this.#place = from;
    this.#end = from + bytes;
    this.#cameAt = performance.now();
    this.#endTrouble();
  }

  /** Whether bytes came so lately that they count as a look. */
  get isFresh(): boolean {
    return performance.now() - this.#cameAt <= this.#options.policy.fresh;
  }

  /** Looks, and waits until trouble has passed or has lasted too long. One look serves all who ask meanwhile. */
  find(signal: AbortSignal): Promise<Standing> {
    this.#finding ??= this.#find(signal).finally(() => {
      this.#finding = undefined;
    });
    return unlessAborted(this.#finding, signal);
  }

  async #find(signal: AbortSignal): Promise<Standing> {
    const { policy, onLook } = this.#options;
    const began = performance.now();
    const time = deadlineSignal(signal, policy.troubled, () => TIME_IS_UP);
    try {
      for (let looks = 1; ; looks++) {
        const standing = await this.#look(time.signal);
        const lasted = performance.now() - began;
        const isOver = standing !== 'in trouble' || time.signal.aborted;
        if (isOver) this.#endTrouble();
        if (standing === 'serves') return looks > 1 ? 'served again' : standing;
        if (isOver) return standing;
        if (lasted >= policy.told) this.#tell(Date.now() - lasted);
        // It lasts, for all that anybody knows.
        if (!onLook()) return 'unknown';
        await pause(Math.min(policy.again, Math.max(0, policy.troubled - lasted)), signal);
      }
    } finally {
      time.done();
    }
  }

  #tell(since: number): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#options.journal.troubled(since);
  }

  #endTrouble(): void {
    if (!this.#isTold) return;
    this.#isTold = false;
    this.#options.journal.troubled(undefined);
  }

  async #look(signal: AbortSignal): Promise<'serves' | 'gone' | 'in trouble'> {
    try {
      if (await this.#options.look(this.#place, signal)) {
        this.#cameAt = performance.now();
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
    const { look, policy } = this.#options;
    if (this.#place > 0 && (await look(0, signal))) return false;
    const since = performance.now();
    await pause(policy.confirm, signal);
    // Another read has been served meanwhile.
    if (this.#cameAt > since) return false;
    return !(await look(0, signal));
  }
}

/** Ends a look that is under way. */
const TIME_IS_UP = new SourceFailure('stalled', 'the server has had trouble for too long');
