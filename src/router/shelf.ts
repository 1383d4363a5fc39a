import type { Backend, FinishedJob } from '../backends/backend.ts';
import { asSlipstreamError, type ErrorCode, type SlipstreamError } from '../errors/index.ts';
import { deadlineSignal, unlessAborted } from '../io/wait.ts';
import {
  alreadyThere,
  asRelease,
  type BrokenReleases,
  openBroken,
  packKey,
  packMemory,
  type RememberedPack,
} from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { loadReleaseNameParser } from '../release/index.ts';

/** What is known of releases before they are tried: what the backend holds already, as far as it has told, and what failed. */
export interface Shelf {
  /** The backend's name. */
  readonly backend: string;
  /**
   * The finished job that holds a release, but for one that proved broken; undefined also while the backend has not
   * answered.
   */
  there(release: Release): FinishedJob | undefined;
  /** As BrokenReleases. */
  readonly broken: BrokenReleases;
  /**
   * Remembered season packs that hold the wanted episode, but for those that the backend does not list and those that
   * proved broken.
   */
  readonly packs: readonly ShelvedPack[];
  /** Whether the backend has answered, or will not. */
  readonly isAsked: boolean;
  /** Resolves once it has, or will not. */
  readonly asked: Promise<void>;
  /**
   * That nothing is known by which every download would fail. What failed beside the search is asked once more: it may be
   * minutes since, for a person has chosen meanwhile.
   * @throws what a play would fail with in the end
   */
  prove(): Promise<void>;
  /** A pack does not hold what it should: it is forgotten. */
  wrong(release: Release): Promise<void>;
  /** Waits for nothing any more. */
  close(): void;
}

export interface ShelvedPack {
  /** RememberedPack.key */
  readonly key: string;
  /** For the list; it names no NZB. */
  readonly release: Release;
}

/** Milliseconds. A list is shown without it, and brought up to date; a play without a list waits for it. */
const PATIENCE = 5_000;
/** Milliseconds: for a word about the backend, which nobody waits for otherwise. */
const LAST_WORD = 1_000;

interface ShelfContext {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Asks the backend what it holds, beside the search. One that does not answer holds nothing that helps. */
export async function openShelf(
  request: MediaRequest,
  backend: Backend,
  { folder, signal, log }: ShelfContext,
): Promise<Shelf> {
  const memory = packMemory({ folder, log });
  const closed = new AbortController();
  const until = AbortSignal.any([signal, closed.signal]);
  const answer = ask(backend, until);
  const verdict = answer.then((told) => tryOut(backend, told, until));
  // Whoever plays hears of it.
  verdict.catch(() => undefined);
  const [remembered, broken] = await Promise.all([
    memory.find(request, backend.identity),
    openBroken(request, backend.identity, { folder, log }),
  ]);
  const parseName = remembered.length > 0 ? await loadReleaseNameParser() : undefined;
  const shelved = remembered.flatMap((pack) =>
    parseName === undefined ? [] : [{ pack, release: asRelease(pack, parseName) }],
  );
  /** Undefined until the backend has answered, and when it does not. */
  let jobs: readonly FinishedJob[] | undefined;
  let isAsked = false;
  const wrong = new Set<RememberedPack>();
  const isWrong = (job: FinishedJob) => [...wrong].some((pack) => pack.job.name === job.name);
  const isSound = (job: FinishedJob) => !broken.isBroken(job) && !isWrong(job);
  let find: ReturnType<typeof alreadyThere> = () => undefined;
  const sort = () => {
    if (jobs !== undefined) find = alreadyThere(jobs.filter(isSound));
  };
  const jobOf = ({ job: { id, name } }: RememberedPack) => {
    // Some count their ids anew when their queue is lost, so an id alone says nothing.
    const job =
      jobs?.find((each) => each.id === id && each.name === name) ?? jobs?.find((each) => each.name === name);
    return job !== undefined && isSound(job) ? job : undefined;
  };
  const asked = answer.then((told) => {
    if ('jobs' in told) ({ jobs } = told);
    else if (!until.aborted)
      log.warning(`${backend.name} does not tell what it holds: ${told.failure.message}`);
    sort();
    isAsked = true;
  });
  // What a backend lists is bounded, and one that does not answer proves nothing: what is not there is not forgotten.
  const isPresent = (pack: RememberedPack) =>
    !wrong.has(pack) && (jobs === undefined ? !broken.isBroken(pack.job) : jobOf(pack) !== undefined);
  const present = () => shelved.filter(({ pack }) => isPresent(pack));
  return {
    backend: backend.name,
    broken: {
      ...broken,
      failed: async (what, failure) => {
        await broken.failed(what, failure);
        sort();
      },
    },
    there: (release) => {
      const key = packKey(release);
      const pack = remembered.find((each) => each.key === key);
      return pack === undefined ? find(release) : jobOf(pack);
    },
    get packs() {
      return present().map(({ pack: { key }, release }) => ({ key, release }));
    },
    get isAsked() {
      return isAsked;
    },
    asked,
    prove: async () => {
      const limit = deadlineSignal(until, LAST_WORD, tooSlow);
      const known = await unlessAborted(verdict, limit.signal).catch(() => undefined);
      limit.done();
      until.throwIfAborted();
      if (known === undefined) return;
      const failure = await tryOut(backend, await ask(backend, until), until);
      if (failure !== undefined) throw failure;
    },
    wrong: async (release) => {
      const pack = remembered.find(({ key }) => key === packKey(release));
      if (pack === undefined) return;
      wrong.add(pack);
      sort();
      await memory.forget(pack.key);
    },
    close: () => {
      closed.abort(new Error('the play goes on without it'));
    },
  };
}

type Answer = { readonly jobs: readonly FinishedJob[] } | { readonly failure: SlipstreamError };

async function ask(backend: Backend, signal: AbortSignal): Promise<Answer> {
  const limit = deadlineSignal(signal, PATIENCE, tooSlow);
  try {
    return { jobs: await backend.finished(limit.signal) };
  } catch (error) {
    return { failure: asSlipstreamError(error) };
  } finally {
    limit.done();
  }
}

/** What would fail each download, and does not pass by itself. What is too slow, or in trouble just now, proves nothing. */
const LASTING: ReadonlySet<ErrorCode> = new Set([
  'AUTH_FAILED',
  'BAD_ANSWER',
  'INVALID_REQUEST',
  'NOT_CONFIGURED',
  'SUBMIT_REFUSED',
  'UNREACHABLE',
]);

/** @returns why the backend would fail each download, as far as it can be known beforehand */
async function tryOut(
  backend: Backend,
  answer: Answer,
  signal: AbortSignal,
): Promise<SlipstreamError | undefined> {
  if ('failure' in answer) return LASTING.has(answer.failure.code) ? answer.failure : undefined;
  const limit = deadlineSignal(signal, PATIENCE, tooSlow);
  try {
    await backend.preflight?.(limit.signal);
    return undefined;
  } catch (error) {
    const failure = asSlipstreamError(error);
    return LASTING.has(failure.code) ? failure : undefined;
  } finally {
    limit.done();
  }
}

const tooSlow = () => new Error('it takes too long');
