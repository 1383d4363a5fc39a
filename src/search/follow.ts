import { asSlipstreamError, SlipstreamError } from '../errors/index.ts';
import { deadlineSignal } from '../io/wait.ts';
import type { MediaRequest } from '../model/index.ts';
import { type Asking, type AskOptions, askManager, askSource } from './ask.ts';
import type { Board } from './board.ts';
import { type Group, openGroup } from './group.ts';
import type { Names } from './names.ts';
import type { SearchOptions } from './options.ts';
import type { Patience } from './patience.ts';
import { type Rests, unlessAllRest } from './rest.ts';
import { openSlots, type Slot } from './slots.ts';
import {
  type Answer,
  isManager,
  type MemberSource,
  type SearchSource,
  type SourceManager,
  sourceName,
} from './source.ts';
import { type Standing, StandingError } from './standing.ts';
import type { SourceStatus } from './state.ts';

/** A search as those see it who ask its sources. */
export interface Search {
  readonly request: MediaRequest;
  readonly options: SearchOptions;
  readonly patience: Patience;
  /** Aborts when nobody wants the outcome any more. */
  readonly signal: AbortSignal;
  readonly board: Board;
  readonly names: Names;
  /** On the clock of performance.now(). */
  readonly started: number;
  /** Places of the sources that are set up as such, also where a manager has them as well. */
  readonly places: ReadonlySet<string>;
}

/** Sources behind one manager that are asked at the same time. */
const MOST_AT_ONCE = 12;

/** Asks one source, or all behind a manager, and keeps their status. Never rejects. */
export async function follow(source: SearchSource | SourceManager, search: Search): Promise<void> {
  if (isManager(source)) await followManager(source, search);
  else await followSource(source, search);
}

async function followManager(manager: SourceManager, search: Search): Promise<void> {
  const { board, places, options, signal } = search;
  const behind = await watch(manager, search, options.rests, (asking) => askManager(manager, asking));
  if (behind === undefined) return;
  if ('isJoint' in behind) {
    if (board.expand(manager, [behind]).size > 0) await followSource(behind, search);
    return;
  }
  const members = behind.filter(({ place }) => place === undefined || !places.has(place));
  const ids = members.map(({ id }) => id);
  const missing = board.expand(manager, members);
  const [group, rests] = [openGroup(missing), unlessAllRest(options.rests, ids)];
  const slots = openSlots(MOST_AT_ONCE);
  const asked = members
    .filter(({ id }) => missing.has(id))
    .map((member) => slots.take(signal, (slot) => followSource(member, search, { group, rests, slot })));
  // Who has had no slot yet when the search ends was not asked.
  await Promise.allSettled(asked);
}

/** What the sources behind one manager have in common. */
interface Behind {
  readonly group: Group;
  readonly rests: Rests;
  /** In which one of them is asked. */
  readonly slot: Slot;
}

async function followSource(
  source: SearchSource | MemberSource,
  search: Search,
  behind?: Behind,
): Promise<void> {
  const { request, options, board, names, started } = search;
  const { id } = source;
  const partial: SlipstreamError[] = [];
  await watch(source, search, behind?.rests ?? options.rests, async (asking) => {
    const onAnswer = async ({ postings, failures }: Answer) => {
      await names.read(
        postings.map((posting) => posting.name),
        asking.signal,
      );
      partial.push(...failures);
      board.set(id, { partial: [...partial] });
      return board.add(id, postings);
    };
    await askSource(source, request, { ...asking, onAnswer, ...(behind && asMember(behind, asking)) });
    board.set(id, { state: 'answered', took: since(started) });
  });
}

const asMember = ({ group, slot }: Behind, { signal }: Asking): Pick<AskOptions, 'group' | 'wait'> => ({
  group,
  wait: (work) => slot.lend(signal, work),
});

type Watched = Pick<SearchSource, 'id' | 'name' | 'patience'> & Partial<Pick<MemberSource, 'manager'>>;

/** Runs what asks a source within its patience. What it fails with becomes its status; the outcome is then undefined. */
async function watch<T>(
  source: Watched,
  search: Search,
  rests: Rests,
  run: (asking: Asking) => Promise<T>,
): Promise<T | undefined> {
  const { options, patience, board, names, started } = search;
  const { id } = source;
  const ms = Math.min(patience.perSource?.[id] ?? source.patience ?? patience.source, patience.overall);
  // Of many behind a manager some are asked only when others have ended: then their silence says nothing of them.
  const left = patience.overall - (performance.now() - started);
  const over = new Error('the search has no time left');
  const silence = () => (left < ms / 2 ? over : tooSlow(sourceName(source), ms));
  const limit = deadlineSignal(search.signal, Math.min(ms, left), silence);
  const onFailure = (failure: SlipstreamError) => {
    board.set(id, { state: 'failed', failure, took: since(started) });
  };
  try {
    if (left <= 0) throw over;
    return await run({
      signal: limit.signal,
      log: options.log,
      rests,
      plan: { packs: options.packs ?? false },
      spacing: patience.spacing,
      onAsked: () => {
        board.set(id, { state: 'asked' });
      },
      onSent: names.warm,
      onFailure,
    });
  } catch (error) {
    if (search.signal.aborted) return undefined;
    if (error instanceof StandingError) {
      board.set(id, { ...statusOf(error.standing), took: since(started) });
      return undefined;
    }
    // No failure of its own, and no reason to let it rest.
    const failure = error === over ? noTimeLeft(sourceName(source)) : asSlipstreamError(error);
    options.log.warning(failure.message);
    onFailure(failure);
    const rest = await rests.of(id);
    if (rest !== undefined) board.set(id, { rest });
    return undefined;
  } finally {
    limit.done();
  }
}

const statusOf = (standing: Standing): Partial<SourceStatus> =>
  standing.kind === 'rests'
    ? { state: 'resting', rest: standing.rest }
    : { state: 'failed', failure: standing.failure };

/** Whole milliseconds. */
const since = (started: number) => Math.round(performance.now() - started);

const noTimeLeft = (name: string) =>
  new SlipstreamError('TIMEOUT', {
    what: `${name} was not asked in time: others have taken it.`,
    next: 'Search again: only those that are missing are asked then.',
  });

function tooSlow(name: string, ms: number): SlipstreamError {
  return new SlipstreamError(
    'TIMEOUT',
    {
      what: `${name} did not answer within ${Math.ceil(ms / 1000)} s.`,
      next: 'Try again, or raise the time limit for searches in the settings of Slipstream (Advanced).',
    },
    { transient: true },
  );
}
