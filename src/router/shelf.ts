import type { Backend, FinishedJob } from '../backends/backend.ts';
import { asSlipstreamError } from '../errors/index.ts';
import { deadlineSignal } from '../io/wait.ts';
import { alreadyThere, asRelease, packKey, packMemory, type RememberedPack } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { loadReleaseNameParser } from '../release/index.ts';

/** What the backend holds already, as far as it has told. */
export interface Shelf {
  /** The finished job that holds a release; undefined also while the backend has not answered. */
  there(release: Release): FinishedJob | undefined;
  /** Remembered season packs that hold the wanted episode, but for those that the backend does not list. */
  readonly packs: readonly ShelvedPack[];
  /** Whether the backend has answered, or will not. */
  readonly isAsked: boolean;
  /** Resolves once it has, or will not. */
  readonly asked: Promise<void>;
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
  const answer = ask(backend, AbortSignal.any([signal, closed.signal]), log);
  const remembered = await memory.find(request, backend.identity);
  const parseName = remembered.length > 0 ? await loadReleaseNameParser() : undefined;
  const shelved = remembered.flatMap((pack) =>
    parseName === undefined ? [] : [{ pack, release: asRelease(pack, parseName) }],
  );
  /** Undefined until the backend has answered, and when it does not. */
  let jobs: readonly FinishedJob[] | undefined;
  let find: ReturnType<typeof alreadyThere> = () => undefined;
  let isAsked = false;
  const wrong = new Set<RememberedPack>();
  const jobOf = ({ job: { id, name } }: RememberedPack) =>
    // Some count their ids anew when their queue is lost, so an id alone says nothing.
    jobs?.find((job) => job.id === id && job.name === name) ?? jobs?.find((job) => job.name === name);
  const asked = answer.then((told) => {
    jobs = told;
    if (told !== undefined) find = alreadyThere(told);
    isAsked = true;
  });
  // What a backend lists is bounded, and one that does not answer proves nothing: what is not there is not forgotten.
  const isPresent = (pack: RememberedPack) =>
    !wrong.has(pack) && (jobs === undefined || jobOf(pack) !== undefined);
  const present = () => shelved.filter(({ pack }) => isPresent(pack));
  return {
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
    wrong: async (release) => {
      const pack = remembered.find(({ key }) => key === packKey(release));
      if (pack === undefined) return;
      wrong.add(pack);
      await memory.forget(pack.key);
    },
    close: () => {
      closed.abort(new Error('the play goes on without it'));
    },
  };
}

async function ask(
  backend: Backend,
  signal: AbortSignal,
  log: Logger,
): Promise<readonly FinishedJob[] | undefined> {
  const limit = deadlineSignal(signal, PATIENCE, () => new Error('it takes too long'));
  try {
    return await backend.finished(limit.signal);
  } catch (error) {
    if (!signal.aborted)
      log.warning(`${backend.name} does not tell what it holds: ${asSlipstreamError(error).message}`);
    return undefined;
  } finally {
    limit.done();
  }
}
