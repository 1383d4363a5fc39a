import type { FinishedJob } from '../backends/backend.ts';
import type { JobFile } from '../job-files/choose-video.ts';
import type { LocalStream, Release } from '../model/index.ts';

/** The release that plays, the job of our backend that holds it where it can be found again, and all files of that. */
export interface StreamOrigin {
  readonly release: Release;
  readonly job?: FinishedJob;
  readonly files: readonly JobFile[];
}

/** What happens to the backend's job behind a stream. */
interface StreamJob {
  /** The stream was handed over: the job stays. */
  keep(): Promise<void>;
  /** It was not: the job is removed. Never rejects; what cannot be removed stays in the ledger for the service. */
  remove(): Promise<void>;
}

interface StreamParts {
  readonly stream: LocalStream;
  readonly origin?: StreamOrigin | undefined;
  /** Absent: the stream has no job, or one that is not ours to remove. */
  readonly job?: StreamJob | undefined;
}

/**
 * A stream that can be played and has not been handed over yet. Exactly one of `commit` and `discard` ends it: once it
 * was handed over its job is kept, and when anything comes between, the job is removed.
 */
export class PendingStream {
  readonly stream: LocalStream;
  /** Where it comes from; absent for a bare URL. */
  readonly origin: StreamOrigin | undefined;
  readonly #job: StreamJob | undefined;
  readonly #steps: (() => Promise<void>)[] = [];

  constructor({ stream, origin, job }: StreamParts) {
    this.stream = stream;
    this.origin = origin;
    this.#job = job;
  }

  /** Adds what is to be done once the stream was handed over; the steps run after the job is kept, in this order. */
  onCommit(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** The stream was handed over. Rejects with what the first failing step rejects with; no later step runs then. */
  async commit(): Promise<void> {
    await this.#job?.keep();
    for (const step of this.#steps) await step();
  }

  /** The stream is not going to be played. Never rejects. */
  async discard(): Promise<void> {
    await this.#job?.remove();
  }

  /** Runs `work` with the stream; when it fails, the stream is discarded before the error goes on. */
  async orDiscard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.discard();
      throw error;
    }
  }
}
