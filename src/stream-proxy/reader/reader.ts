import { deadlineSignal, pause } from '../../io/wait.ts';
import { type FailureKind, SourceFailure } from '../policy/failure.ts';
import {
  type Attempts,
  type decide as decideStage,
  headTimeout,
  patienceLeft,
  type RetryPolicy,
  type Verdict,
} from '../policy/policy.ts';
import type { ByteRange } from '../range.ts';
import type { Source } from '../source/source.ts';
import type { ByteStream } from './byte-stream.ts';

/** What a reader tells while it works; a session keeps the count. */
export interface Journal {
  opened(): void;
  received(bytes: number): void;
  decided(position: number, failure: SourceFailure, verdict: Verdict): void;
}

export interface ReadJob {
  readonly source: Source;
  readonly range: ByteRange;
  /** Size of the whole file. */
  readonly size: number;
  readonly policy: RetryPolicy;
  readonly decide: typeof decideStage;
  readonly journal: Journal;
  readonly signal: AbortSignal;
}

/**
 * The bytes of a range, every one exactly once and in order, from as many reads of the source as it takes. Fails with
 * the last SourceFailure when the policy gives up: the bytes until then were right, and no further ones exist.
 */
export function readRange(job: ReadJob): ByteStream {
  return new RangeReader(job);
}

class RangeReader implements ByteStream {
  readonly #job: ReadJob;
  #position: number;
  #body: ByteStream | undefined;

  constructor(job: ReadJob) {
    this.#job = job;
    this.#position = job.range.first;
  }

  async next(): Promise<Uint8Array | undefined> {
    const wait = new Wait();
    while (this.#position <= this.#job.range.last) {
      this.#job.signal.throwIfAborted();
      try {
        const chunk = await (this.#body?.next() ?? this.#first(wait));
        if (chunk !== undefined) return this.#count(chunk);
        // A server may answer with less than was asked for; the rest is simply asked for next.
        this.close();
      } catch (error) {
        this.close();
        if (!(error instanceof SourceFailure)) throw error;
        await this.#recover(error, wait);
      }
    }
    return undefined;
  }

  close(): void {
    this.#body?.close();
    this.#body = undefined;
  }

  get #flowing(): boolean {
    return this.#position > this.#job.range.first;
  }

  /**
   * The first bytes of a new answer. The body minds its own silence, but knows nothing of the attempts before it: it
   * may have less time left than that.
   */
  async #first(wait: Wait): Promise<Uint8Array | undefined> {
    const body = await this.#open(wait);
    this.#body = body;
    const left = patienceLeft(this.#job.policy, { waited: wait.waited, flowing: this.#flowing });
    const limit = deadlineSignal(
      this.#job.signal,
      left,
      () => new SourceFailure('stalled', `no byte within ${Math.round(left)} ms`),
    );
    limit.signal.addEventListener('abort', () => {
      body.close();
    });
    try {
      return await body.next();
    } catch (error) {
      limit.signal.throwIfAborted();
      throw error;
    } finally {
      limit.done();
    }
  }

  async #open(wait: Wait): Promise<ByteStream> {
    const { source, range, size, policy, signal, journal } = this.#job;
    const { waited, silentBefore } = wait;
    journal.opened();
    const opened = await source
      .open({
        first: this.#position,
        last: range.last,
        size,
        timeout: headTimeout(policy, { waited, silentBefore, flowing: this.#flowing }),
        stall: policy.stall,
        signal,
      })
      .catch((error: unknown) => {
        if (error instanceof SourceFailure && error.kind === 'stalled') wait.silentBefore = true;
        throw error;
      });
    return opened.body;
  }

  #count(chunk: Uint8Array): Uint8Array {
    const room = this.#job.range.last - this.#position + 1;
    if (chunk.byteLength > room) throw new SourceFailure('wrong-answer', 'more bytes than were asked for');
    this.#position += chunk.byteLength;
    this.#job.journal.received(chunk.byteLength);
    return chunk;
  }

  async #recover(failure: SourceFailure, wait: Wait): Promise<void> {
    const { policy, decide, journal, signal } = this.#job;
    const verdict = decide(policy, { ...wait.failed(failure.kind), flowing: this.#flowing });
    journal.decided(this.#position, failure, verdict);
    if (verdict.kind === 'give-up') throw failure;
    await pause(verdict.pause, signal);
  }
}

/** What has happened since a byte was wanted and none came. */
class Wait {
  /** Whether an answer's head has stayed away. */
  silentBefore = false;
  readonly #began = performance.now();
  readonly #kinds: FailureKind[] = [];

  /** Milliseconds. */
  get waited(): number {
    return performance.now() - this.#began;
  }

  /** Counts a failed attempt; gives what the policy must know of it. */
  failed(kind: FailureKind): Omit<Attempts, 'flowing'> {
    this.#kinds.push(kind);
    const alike = this.#kinds.filter((other) => other === kind).length;
    return { kind, alike, fruitless: this.#kinds.length, waited: this.waited };
  }
}
