import type { Backend, FinishedJob, JobToRemove } from '../backends/backend.ts';
import type { LedgerEntry } from '../backends/ledger.ts';
import { RefusesAll } from '../backends/refused.ts';
import { SlipstreamError } from '../errors/index.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { announced } from './announced.ts';
import { withBackups } from './backups.ts';
import type { ResolveContext } from './context.ts';
import { progressShower } from './show-progress.ts';
import type { ResolverStages } from './stages.ts';
import type { Submission } from './submission.ts';

/** How long the person waits for a clean-up; what takes longer is done by the service (service/sweep.ts). */
const CLEAN_UP_MS = 1_000;
/** How long dropping the backups of what plays may take. */
const DROP_MS = 2_000;

/** A job of ours at a backend, from its entry in the ledger to its end. */
export class OwnJob {
  readonly #backend: Backend;
  readonly #entry: LedgerEntry;
  readonly #log: Logger;
  readonly #name: string;
  readonly #category: string;
  #id: string | undefined;
  /** Whether the backend may hold a submission that we have had no answer to. */
  #unanswered = false;

  private constructor(backend: Backend, entry: LedgerEntry, log: Logger, name: string, category: string) {
    this.#backend = backend;
    this.#entry = entry;
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
  async finish(
    { release, submit }: Submission,
    context: ResolveContext,
    stages: Pick<ResolverStages, 'fetchNzb' | 'waitUntilReady'>,
  ): Promise<FinishedJob> {
    const { signal, timeout } = context;
    this.#unanswered = true;
    const job = await submit(this.#name, signal).catch((error: unknown) => {
      this.#unanswered = !isAnswer(error);
      throw error;
    });
    const since = performance.now();
    this.#unanswered = false;
    this.#id = job.id;
    await this.#entry.submitted(job.id);
    const onProgress = progressShower(context, release.name);
    return await withBackups(this.#backend, job, { ...context, release }, stages, () =>
      stages.waitUntilReady(this.#backend, job, { signal, timeout, onProgress, since }),
    );
  }

  /** It is about to be played: whatever becomes of this process, a job that plays is not to be removed. */
  async plays(streamUrl: string): Promise<void> {
    await this.#entry.plays(announced(streamUrl));
  }

  /** The job stays at the backend; what waits behind it does not. */
  async keep(): Promise<void> {
    await this.#entry.strike();
    await this.#backend.dropBackups?.(this.#known(), AbortSignal.timeout(DROP_MS)).catch((error: unknown) => {
      this.#log.warning(`the backups stay at ${this.#backend.name}: ${String(error)}`);
    });
  }

  /**
   * Removes the job, and leaves it to the service at once: what is not removed in a moment, or by a process that is killed
   * meanwhile, is removed there. Never rejects.
   */
  async remove(): Promise<void> {
    // It was never handed over, or refused: there is nothing to look for.
    const isNowhere = this.#id === undefined && !this.#unanswered;
    await (isNowhere ? this.#entry.strike() : this.#entry.abandon()).catch((error: unknown) => {
      this.#log.error('the ledger could not be written', error);
    });
    if (!isNowhere) await this.#removeNow();
  }

  async #removeNow(): Promise<void> {
    const bound = AbortSignal.timeout(CLEAN_UP_MS);
    try {
      const outcome = await this.#backend.remove(this.#known(), bound);
      // A backend that is still busy with a broken-off submission shows it only later.
      if (outcome === 'removed' || !this.#unanswered) await this.#entry.strike();
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

  #known(): JobToRemove {
    return {
      name: this.#name,
      category: this.#category,
      ...(this.#id === undefined ? {} : { id: this.#id }),
    };
  }
}

/** A refusal that the backend itself has uttered: it holds no job then. */
const isAnswer = (error: unknown) =>
  error instanceof RefusesAll ||
  (error instanceof SlipstreamError && ANSWERED.has(error.code) && !error.transient);

const ANSWERED: ReadonlySet<string> = new Set(['SUBMIT_REFUSED', 'AUTH_FAILED', 'INVALID_REQUEST']);
