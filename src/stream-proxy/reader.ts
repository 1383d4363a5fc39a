import { pause } from '../io/wait.ts';
import type { ByteStream } from './byte-stream.ts';
import { SourceFailure } from './failure.ts';
import { type decide as decideStage, patienceOf, type RetryPolicy, type Verdict } from './policy.ts';
import type { ByteRange } from './range.ts';
import type { Source } from './source.ts';

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
    const asked = performance.now();
    for (let fruitless = 1; this.#position <= this.#job.range.last; ) {
      this.#job.signal.throwIfAborted();
      try {
        this.#body ??= await this.#open(performance.now() - asked);
        const chunk = await this.#body.next();
        if (chunk !== undefined) return this.#count(chunk);
        // A server may answer with less than was asked for; the rest is simply asked for next.
        this.close();
      } catch (error) {
        this.close();
        if (!(error instanceof SourceFailure)) throw error;
        await this.#recover(error, fruitless++, performance.now() - asked);
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

  async #open(waited: number): Promise<ByteStream> {
    const { source, range, size, policy, signal, journal } = this.#job;
    journal.opened();
    const opened = await source.open({
      first: this.#position,
      last: range.last,
      size,
      timeout: Math.max(1, patienceOf(policy, this.#flowing) - waited),
      stall: policy.stall,
      signal,
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

  async #recover(failure: SourceFailure, fruitless: number, waited: number): Promise<void> {
    const { policy, decide, journal, signal } = this.#job;
    const verdict = decide(policy, { kind: failure.kind, fruitless, waited, flowing: this.#flowing });
    journal.decided(this.#position, failure, verdict);
    if (verdict.kind === 'give-up') throw failure;
    await pause(verdict.pause, signal);
  }
}
