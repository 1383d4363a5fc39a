import type { Backend, FinishedJob } from '../backends/backend.ts';
import { asSlipstreamError, type ErrorCode, type SlipstreamError } from '../errors/index.ts';
import { deadlineSignal, unlessAborted } from '../io/wait.ts';
import {
  type BrokenReleases,
  existingJobFinder,
  openBrokenReleases,
  openPackStore,
  type PersistedPack,
  packAsRelease,
  packKey,
} from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { loadReleaseNameParser } from '../release/index.ts';

/** What is known of releases before they are tried: what the backend holds, once it has answered, and what failed. */
export interface Inventory {
  /** The backend's name. */
  readonly backend: string;
  /**
   * The backend's finished job that holds a release, unless that proved broken; undefined also while the backend has
   * not answered.
   */
  existingJob(release: Release): FinishedJob | undefined;
  readonly broken: BrokenReleases;
  /**
   * Remembered season packs that hold the wanted episode, without those that the backend does not list and those that
   * proved broken.
   */
  readonly packs: readonly InventoryPack[];
  /** Whether the backend has answered, or will not. */
  readonly isAnswered: boolean;
  /** Resolves once it has, or will not. */
  readonly answered: Promise<void>;
  /**
   * Makes sure that nothing is known by which every download would fail. What failed beside the search is asked once
   * more: it may be minutes old, for a person has chosen meanwhile.
   * @throws what a play would fail with in the end
   */
  assertUsable(): Promise<void>;
  /** Forgets a pack that does not hold what it should. */
  forgetPack(release: Release): Promise<void>;
  /** Waits for nothing any more. */
  close(): void;
}

export interface InventoryPack {
  /** PersistedPack.key */
  readonly key: string;
  /** For the list; it names no NZB. */
  readonly release: Release;
}

/** Milliseconds. A list is shown without the answer and brought up to date; a play without a list waits for it. */
const ANSWER_TIMEOUT = 5_000;
/** Milliseconds: for what is known of the backend when the download begins. */
const VERDICT_TIMEOUT = 1_000;

interface InventoryContext {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Asks the backend what it holds, beside the search. One that does not answer holds nothing that helps. */
export async function openInventory(
  request: MediaRequest,
  backend: Backend,
  { folder, signal, log }: InventoryContext,
): Promise<Inventory> {
  const memory = openPackStore({ folder, log });
  const closed = new AbortController();
  const until = AbortSignal.any([signal, closed.signal]);
  const answer = askForJobs(backend, until);
  const [remembered, broken] = await Promise.all([
    memory.find(request, backend.identity),
    openBrokenReleases(request, backend.identity, { folder, log }),
  ]);
  const packs = await withReleases(remembered);
  const forget = (key: string) => memory.remove(key);
  return new BackendInventory({ backend, broken, packs, answer, forget, closed, until, log });
}

async function withReleases(packs: readonly PersistedPack[]): Promise<KnownPack[]> {
  if (packs.length === 0) return [];
  const parseName = await loadReleaseNameParser();
  return packs.map((pack) => ({ pack, release: packAsRelease(pack, parseName) }));
}

interface KnownPack {
  readonly pack: PersistedPack;
  readonly release: Release;
}

interface InventoryParts {
  readonly backend: Backend;
  readonly broken: BrokenReleases;
  readonly packs: readonly KnownPack[];
  readonly answer: Promise<JobsAnswer>;
  readonly forget: (packKey: string) => Promise<void>;
  readonly closed: AbortController;
  readonly until: AbortSignal;
  readonly log: Logger;
}

class BackendInventory implements Inventory {
  readonly backend: string;
  readonly broken: BrokenReleases;
  readonly answered: Promise<void>;
  readonly #parts: InventoryParts;
  readonly #verdict: Promise<SlipstreamError | undefined>;
  readonly #wrong = new Set<PersistedPack>();
  /** Undefined until the backend has answered, and when it does not. */
  #jobs: readonly FinishedJob[] | undefined;
  #find: (release: Release) => FinishedJob | undefined = () => undefined;
  #isAnswered = false;

  constructor(parts: InventoryParts) {
    const { backend, broken, answer, until } = parts;
    this.#parts = parts;
    this.backend = backend.name;
    this.broken = {
      ...broken,
      recordFailure: async (what, failure) => {
        await broken.recordFailure(what, failure);
        this.#sort();
      },
    };
    this.answered = answer.then((jobs) => {
      this.#take(jobs);
    });
    this.#verdict = answer.then((jobs) => lastingFailure(backend, jobs, until));
    // It is looked at by assertUsable.
    this.#verdict.catch(() => undefined);
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  get packs(): readonly InventoryPack[] {
    return this.#parts.packs
      .filter(({ pack }) => this.#isPresent(pack))
      .map(({ pack: { key }, release }) => ({ key, release }));
  }

  existingJob(release: Release): FinishedJob | undefined {
    const known = this.#packOf(release);
    return known === undefined ? this.#find(release) : this.#jobOf(known);
  }

  async assertUsable(): Promise<void> {
    const { backend, until } = this.#parts;
    const limit = deadlineSignal(until, VERDICT_TIMEOUT, timeoutError);
    const known = await unlessAborted(this.#verdict, limit.signal).catch(() => undefined);
    limit.done();
    until.throwIfAborted();
    if (known === undefined) return;
    const failure = await lastingFailure(backend, await askForJobs(backend, until), until);
    if (failure !== undefined) throw failure;
  }

  async forgetPack(release: Release): Promise<void> {
    const pack = this.#packOf(release);
    if (pack === undefined) return;
    this.#wrong.add(pack);
    this.#sort();
    await this.#parts.forget(pack.key);
  }

  close(): void {
    this.#parts.closed.abort(new Error('the play goes on without it'));
  }

  #take(answer: JobsAnswer): void {
    const { backend, until, log } = this.#parts;
    if ('jobs' in answer) this.#jobs = answer.jobs;
    else if (!until.aborted)
      log.warning(`${backend.name} does not tell what it holds: ${answer.failure.message}`);
    this.#sort();
    this.#isAnswered = true;
  }

  #packOf(release: Release): PersistedPack | undefined {
    const key = packKey(release);
    return this.#parts.packs.find(({ pack }) => pack.key === key)?.pack;
  }

  /** Takes anew which of the jobs may be played. */
  #sort(): void {
    if (this.#jobs !== undefined)
      this.#find = existingJobFinder(this.#jobs.filter((job) => this.#isSound(job)));
  }

  #isSound(job: FinishedJob): boolean {
    const isWrong = [...this.#wrong].some((pack) => pack.job.name === job.name);
    return !isWrong && !this.broken.isBroken(job);
  }

  #jobOf({ job: { id, name } }: PersistedPack): FinishedJob | undefined {
    // Some count their ids anew when their queue is lost, so an id alone says nothing.
    const job =
      this.#jobs?.find((each) => each.id === id && each.name === name) ??
      this.#jobs?.find((each) => each.name === name);
    return job !== undefined && this.#isSound(job) ? job : undefined;
  }

  /** What a backend lists is bounded, and one that does not answer proves nothing: a pack that is not there is kept. */
  #isPresent(pack: PersistedPack): boolean {
    if (this.#wrong.has(pack)) return false;
    return this.#jobs === undefined ? !this.broken.isBroken(pack.job) : this.#jobOf(pack) !== undefined;
  }
}

type JobsAnswer = { readonly jobs: readonly FinishedJob[] } | { readonly failure: SlipstreamError };

async function askForJobs(backend: Backend, signal: AbortSignal): Promise<JobsAnswer> {
  const limit = deadlineSignal(signal, ANSWER_TIMEOUT, timeoutError);
  try {
    return { jobs: await backend.finishedJobs(limit.signal) };
  } catch (error) {
    return { failure: asSlipstreamError(error) };
  } finally {
    limit.done();
  }
}

/** What would fail each download and does not pass by itself. What is slow, or in trouble just now, proves nothing. */
const PERMANENT_CODES: ReadonlySet<ErrorCode> = new Set([
  'AUTH_FAILED',
  'BAD_ANSWER',
  'INVALID_REQUEST',
  'NOT_CONFIGURED',
  'SUBMIT_REFUSED',
  'UNREACHABLE',
]);

/** Why the backend would fail each download, as far as it can be known beforehand; undefined: nothing is known. */
async function lastingFailure(
  backend: Backend,
  answer: JobsAnswer,
  signal: AbortSignal,
): Promise<SlipstreamError | undefined> {
  if ('failure' in answer) return PERMANENT_CODES.has(answer.failure.code) ? answer.failure : undefined;
  const limit = deadlineSignal(signal, ANSWER_TIMEOUT, timeoutError);
  try {
    await backend.preflight?.(limit.signal);
    return undefined;
  } catch (error) {
    const failure = asSlipstreamError(error);
    return PERMANENT_CODES.has(failure.code) ? failure : undefined;
  } finally {
    limit.done();
  }
}

const timeoutError = () => new Error('it takes too long');
