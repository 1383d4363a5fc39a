import { asSlipstreamError, SlipstreamError } from '../../errors/index.ts';
import { openSemaphore, type SemaphoreSlot } from '../../io/semaphore.ts';
import { deadlineSignal } from '../../io/wait.ts';
import type { MediaRequest } from '../../model/index.ts';
import type { NameReader } from '../match/name-reader.ts';
import {
  isManager,
  type MemberSource,
  type SearchAnswer,
  type SearchSource,
  type SourceManager,
  sourceName,
} from '../sources/source.ts';
import { SourceUnavailableError, type Unavailability } from '../sources/unavailability.ts';
import { type AskContext, type AskOptions, askSource, fetchMembers } from './ask-source.ts';
import { type Cooldowns, liftIfAllCooling } from './cooldown.ts';
import type { SearchOptions } from './search-options.ts';
import type { SearchProgress } from './search-progress.ts';
import type { SourceStatus } from './search-state.ts';
import { openSourceGroup, type SourceGroup } from './source-group.ts';
import type { SearchTimeouts } from './timeouts.ts';

/** A search as those see it who ask its sources. */
export interface SearchRun {
  readonly request: MediaRequest;
  readonly options: SearchOptions;
  readonly timeouts: SearchTimeouts;
  /** Aborts when nobody wants the outcome any more. */
  readonly signal: AbortSignal;
  readonly progress: SearchProgress;
  readonly nameReader: NameReader;
  /** On the clock of performance.now(). */
  readonly started: number;
  /** Places of the sources that are set up as such, also where a manager has them as well. */
  readonly places: ReadonlySet<string>;
}

/** Sources behind one manager that are asked at the same time. */
const MAX_CONCURRENT = 12;

/** Asks one source, or all behind a manager, and keeps their status. Never rejects. */
export async function trackSource(source: SearchSource | SourceManager, search: SearchRun): Promise<void> {
  if (isManager(source)) await trackManager(source, search);
  else await trackSingleSource(source, search);
}

async function trackManager(manager: SourceManager, search: SearchRun): Promise<void> {
  const { progress: board, places, options, signal } = search;
  const behind = await runWithTimeout(manager, search, options.cooldowns, (asking) =>
    fetchMembers(manager, asking),
  );
  if (behind === undefined) return;
  if ('isAggregate' in behind) {
    if (board.expandManager(manager, [behind]).size > 0) await trackSingleSource(behind, search);
    return;
  }
  const members = behind.filter(({ place }) => place === undefined || !places.has(place));
  const ids = members.map(({ id }) => id);
  const toAsk = board.expandManager(manager, members);
  const [group, rests] = [openSourceGroup(toAsk), liftIfAllCooling(options.cooldowns, ids)];
  const slots = openSemaphore(MAX_CONCURRENT);
  const asked = members
    .filter(({ id }) => toAsk.has(id))
    .map((member) =>
      slots.run(signal, (slot) => trackSingleSource(member, search, { group, cooldowns: rests, slot: slot })),
    );
  // Who has had no slot yet when the search ends was not asked.
  await Promise.allSettled(asked);
}

/** What the sources behind one manager have in common. */
interface ManagerContext {
  readonly group: SourceGroup;
  readonly cooldowns: Cooldowns;
  /** In which one of them is asked. */
  readonly slot: SemaphoreSlot;
}

async function trackSingleSource(
  source: SearchSource | MemberSource,
  search: SearchRun,
  behind?: ManagerContext,
): Promise<void> {
  const { request, options, progress: board, nameReader: names, started } = search;
  const { id } = source;
  const partial: SlipstreamError[] = [];
  await runWithTimeout(source, search, behind?.cooldowns ?? options.cooldowns, async (asking) => {
    const onAnswer = async ({ postings, failures }: SearchAnswer) => {
      await names.read(
        postings.map((posting) => posting.name),
        asking.signal,
      );
      partial.push(...failures);
      board.setStatus(id, { partial: [...partial] });
      return board.addPostings(id, postings);
    };
    await askSource(source, request, { ...asking, onAnswer, ...(behind && memberOptions(behind, asking)) });
    board.setStatus(id, { state: 'answered', took: elapsedSince(started) });
  });
}

const memberOptions = (
  { group, slot: slot }: ManagerContext,
  { signal }: AskContext,
): Pick<AskOptions, 'group' | 'wait'> => ({
  group,
  wait: (work) => slot.releaseWhile(signal, work),
});

type TimedSource = Pick<SearchSource, 'id' | 'name' | 'timeout'> & Partial<Pick<MemberSource, 'manager'>>;

/** Runs what asks a source within its patience. What it fails with becomes its status; the outcome is then undefined. */
async function runWithTimeout<T>(
  source: TimedSource,
  search: SearchRun,
  rests: Cooldowns,
  run: (asking: AskContext) => Promise<T>,
): Promise<T | undefined> {
  const { options, timeouts: patience, progress: board, nameReader: names, started } = search;
  const { id } = source;
  const ms = Math.min(patience.perSource?.[id] ?? source.timeout ?? patience.source, patience.overall);
  // Of many behind a manager some are asked only when others have ended: then their silence says nothing of them.
  const left = patience.overall - (performance.now() - started);
  const noTimeLeftReason = new Error('the search has no time left');
  const timeoutReason = () => (left < ms / 2 ? noTimeLeftReason : timeoutError(sourceName(source), ms));
  const limit = deadlineSignal(search.signal, Math.min(ms, left), timeoutReason);
  const onFailure = (failure: SlipstreamError) => {
    board.setStatus(id, { state: 'failed', failure, took: elapsedSince(started) });
  };
  try {
    if (left <= 0) throw noTimeLeftReason;
    return await run({
      signal: limit.signal,
      log: options.log,
      cooldowns: rests,
      queryOptions: { seasonPacks: options.packs ?? false },
      spacing: patience.querySpacing,
      onStarted: () => {
        board.setStatus(id, { state: 'asked' });
      },
      onQuerySent: names.preload,
      onFailure,
    });
  } catch (error) {
    if (search.signal.aborted) return undefined;
    if (error instanceof SourceUnavailableError) {
      board.setStatus(id, { ...statusOf(error.unavailability), took: elapsedSince(started) });
      return undefined;
    }
    // No failure of its own, and no reason to let it rest.
    const failure =
      error === noTimeLeftReason ? noTimeLeftError(sourceName(source)) : asSlipstreamError(error);
    options.log.warning(failure.message);
    onFailure(failure);
    const rest = await rests.of(id);
    if (rest !== undefined) board.setStatus(id, { rest });
    return undefined;
  } finally {
    limit.done();
  }
}

const statusOf = (standing: Unavailability): Partial<SourceStatus> =>
  standing.kind === 'rests'
    ? { state: 'resting', rest: standing.rest }
    : { state: 'failed', failure: standing.failure };

/** Whole milliseconds. */
const elapsedSince = (started: number) => Math.round(performance.now() - started);

const noTimeLeftError = (name: string) =>
  new SlipstreamError('TIMEOUT', {
    what: `${name} was not asked in time: others have taken it.`,
    next: 'Search again: only those that are missing are asked then.',
  });

function timeoutError(name: string, ms: number): SlipstreamError {
  return new SlipstreamError(
    'TIMEOUT',
    {
      what: `${name} did not answer within ${Math.ceil(ms / 1000)} s.`,
      next: 'Try again, or raise the time limit for searches in the settings of Slipstream (Advanced).',
    },
    { transient: true },
  );
}
