import type { Backend, FinishedJob, JobToRemove } from '../backends/backend.ts';
import type { LedgerEntry } from '../backends/ledger.ts';
import { RefusedForAll } from '../backends/refusals.ts';
import { SlipstreamError } from '../errors/index.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { withBackups } from './backups.ts';
import type { ResolveContext } from './context.ts';
import { jobProgressListener } from './job-progress.ts';
import { maskStreamUrl } from './masked-url.ts';
import type { ResolverStages } from './stages.ts';
import type { Submission } from './submission.ts';

/** How long the person waits for a clean-up; what takes longer is done by the service (service/sweep-jobs.ts). */
const REMOVE_TIMEOUT_MS = 1_000;
/** How long dropping the backups of what plays may take. */
const DROP_TIMEOUT_MS = 2_000;

/** A job of ours at a backend, from its entry in the ledger to its end. */
export class OwnJob {
  readonly #backend: Backend;
  readonly #ledgerEntry: LedgerEntry;
  readonly #log: Logger;
  readonly #name: string;
  readonly #category: string;
  #id: string | undefined;
  /** Whether the backend may hold a submission that we have had no answer to. */
  #isUnanswered = false;

  private constructor(backend: Backend, entry: LedgerEntry, log: Logger, name: string, category: string) {
    this.#backend = backend;
    this.#ledgerEntry = entry;
    this.#log = log;
    this.#name = name;
    this.#category = category;
  }

  /** Enters a job for the release in the ledger; nothing is submitted yet. */
  static async enter(
    release: Release,
    request: MediaRequest,
    context: ResolveContext,
    stages: Pick<ResolverStages, 'uniqueJobName'>,
  ): Promise<OwnJob> {
    const { backend, ledger, log } = context;
    const name = stages.uniqueJobName(release.name);
    const category = backend.categoryOf(request);
    return new OwnJob(backend, await ledger.enter(name, category, backend.identity), log, name, category);
  }

  /** Submits the release and waits until the backend is ready. */
  async submitAndWait(
    { release, submit }: Submission,
    context: ResolveContext,
    stages: Pick<ResolverStages, 'fetchNzb' | 'waitUntilReady'>,
  ): Promise<FinishedJob> {
    const { signal, timeout } = context;
    this.#isUnanswered = true;
    const job = await submit(this.#name, signal).catch((error: unknown) => {
      this.#isUnanswered = !isRefusal(error);
      throw error;
    });
    const since = performance.now();
    this.#isUnanswered = false;
    this.#id = job.id;
    await this.#ledgerEntry.markSubmitted(job.id);
    const onProgress = jobProgressListener(context, release.name);
    return await withBackups(this.#backend, job, { ...context, release }, stages, () =>
      stages.waitUntilReady(this.#backend, job, { signal, timeout, onProgress, submittedAt: since }),
    );
  }

  /** It is about to be played: whatever becomes of this process, a job that plays is not to be removed. */
  async markPlaying(streamUrl: string): Promise<void> {
    await this.#ledgerEntry.markPlaying(maskStreamUrl(streamUrl));
  }

  /** The job stays at the backend; what waits behind it does not. */
  async keep(): Promise<void> {
    await this.#ledgerEntry.remove();
    await this.#backend
      .dropBackups?.(this.#jobToRemove(), AbortSignal.timeout(DROP_TIMEOUT_MS))
      .catch((error: unknown) => {
        this.#log.warning(`the backups stay at ${this.#backend.name}: ${String(error)}`);
      });
  }

  /**
   * Removes the job, and leaves it to the service at once: what is not removed in a moment, or by a process that is killed
   * meanwhile, is removed there. Never rejects.
   */
  async remove(): Promise<void> {
    // It was never handed over, or refused: there is nothing to look for.
    const isNowhere = this.#id === undefined && !this.#isUnanswered;
    await (isNowhere ? this.#ledgerEntry.remove() : this.#ledgerEntry.abandon()).catch((error: unknown) => {
      this.#log.error('the ledger could not be written', error);
    });
    if (!isNowhere) await this.#removeNow();
  }

  async #removeNow(): Promise<void> {
    const bound = AbortSignal.timeout(REMOVE_TIMEOUT_MS);
    try {
      const outcome = await this.#backend.remove(this.#jobToRemove(), bound);
      // A backend that is still busy with a broken-off submission shows it only later.
      if (outcome === 'removed' || !this.#isUnanswered) await this.#ledgerEntry.remove();
    } catch (cause) {
      // nzbdav lets go of a running job only when what it is fetching has come, and does so without us.
      if (bound.aborted)
        this.#log.info(`${this.#backend.name} is still removing the job; the service will look after it`);
      else
        this.#log.error(
          `the job could not be removed from ${this.#backend.name}; the service will try again`,
          cause,
        );
    }
  }

  #jobToRemove(): JobToRemove {
    return {
      name: this.#name,
      category: this.#category,
      ...(this.#id === undefined ? {} : { id: this.#id }),
    };
  }
}

/** A refusal that the backend itself has uttered: it holds no job then. */
const isRefusal = (error: unknown) =>
  error instanceof RefusedForAll ||
  (error instanceof SlipstreamError && REFUSAL_CODES.has(error.code) && !error.transient);

const REFUSAL_CODES: ReadonlySet<string> = new Set(['SUBMIT_REFUSED', 'AUTH_FAILED', 'INVALID_REQUEST']);
