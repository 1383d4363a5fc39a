import type { Logger } from '../../log/index.ts';
import type { MediaRequest, Posting, Quality, Release } from '../../model/index.ts';
import { mismatchCheck } from '../match/match.ts';
import { openMerger } from '../match/merge.ts';
import type { SearchSource, SourceManager } from '../sources/source.ts';
import {
  type EarlierResults,
  isUpToDate,
  type RejectedRelease,
  type SearchState,
  type SourceStatus,
} from './search-state.ts';

/** What a search knows: each source's status and everything that was listed. */
export interface SearchProgress {
  readonly state: SearchState;
  readonly setStatus: (sourceId: string, change: Partial<SourceStatus>) => void;
  /** Takes postings whose names have been read. Gives whether any of them fits. */
  addPostings(sourceId: string, postings: readonly Posting[]): boolean;
  /** Takes what an earlier search had found; the sources' statuses count it already. Names have been read. */
  restore(postings: readonly Posting[]): void;
  /** Puts those behind a manager in its place. Gives the ids of those that are to be asked. */
  expandManager(manager: SourceManager, members: readonly SearchSource[]): ReadonlySet<string>;
  /** Nothing more will come. */
  finish(): void;
  /** Calls the listener after changes, once in a turn of the event loop. Gives what ends that. */
  readonly onChange: (listener: (state: SearchState) => void) => () => void;
}

export interface SearchProgressOptions {
  readonly request: MediaRequest;
  /** The preferred one first. */
  readonly sources: readonly (SearchSource | SourceManager)[];
  /** What an earlier search has learned. */
  readonly earlierResults?: Pick<EarlierResults, 'sources' | 'earlier'>;
  readonly qualityOf: (name: string) => Quality;
  readonly log: Logger;
}

export function openSearchProgress({
  request,
  sources,
  earlierResults: known,
  qualityOf,
  log,
}: SearchProgressOptions): SearchProgress {
  const check = mismatchCheck(request);
  let statuses = new Map(sources.flatMap((source) => initialStatuses(known?.sources ?? [], source)));
  const merger = openMerger({ parseName: qualityOf, order: sources.map(({ id }) => id) });
  /** Of each release that has been checked. */
  const mismatches = new WeakMap<Release, string | undefined>();
  const listeners = new Set<(state: SearchState) => void>();
  let found: SortedReleases = { releases: [], rejected: [] };
  let finished = false;
  /** Merging is put off until somebody looks: several answers may come in one turn. */
  let stale: 'nothing' | 'statuses' | 'releases' = 'statuses';
  const earlier = known && { earlier: known.earlier };
  let state: SearchState = { ...found, sources: [], finished };
  let isNotifyScheduled = false;

  const current = () => {
    if (stale === 'releases') found = sortReleases();
    if (stale !== 'nothing') state = { ...found, sources: [...statuses.values()], finished, ...earlier };
    stale = 'nothing';
    return state;
  };
  const mismatchOf = (release: Release) => {
    if (!mismatches.has(release)) mismatches.set(release, check(release));
    return mismatches.get(release);
  };
  const sortReleases = (): SortedReleases => {
    const judged = merger.releases().map((release) => ({ release, reason: mismatchOf(release) }));
    return {
      releases: judged.filter(({ reason }) => reason === undefined).map(({ release }) => release),
      rejected: judged.filter((each): each is RejectedRelease => each.reason !== undefined),
    };
  };
  // Nobody stands above a turn of the event loop: what is thrown there ends the process.
  const notify = (listener: (state: SearchState) => void) => {
    try {
      listener(current());
    } catch (error) {
      log.error('who listens to the search failed', error);
    }
  };
  const changed = (what: 'statuses' | 'releases') => {
    if (stale !== 'releases') stale = what;
    if (isNotifyScheduled) return;
    isNotifyScheduled = true;
    setImmediate(() => {
      isNotifyScheduled = false;
      listeners.forEach(notify);
    });
  };
  const fits = ({ name, claims }: Posting) =>
    check({ name, quality: qualityOf(name), ...(claims && { claims }) }) === undefined;

  const board: SearchProgress = {
    get state() {
      return current();
    },
    setStatus: (id, change) => {
      const status = statuses.get(id);
      if (status !== undefined) statuses.set(id, { ...status, ...change });
      changed('statuses');
    },
    addPostings: (id, more) => {
      const fitting = more.filter(fits).length;
      merger.add(more);
      const status = statuses.get(id);
      board.setStatus(id, {
        found: (status?.found ?? 0) + more.length,
        fitting: (status?.fitting ?? 0) + fitting,
      });
      if (more.length > 0) changed('releases');
      return fitting > 0;
    },
    restore: (postings) => {
      merger.add(postings);
      changed('releases');
    },
    expandManager: (manager, members) => {
      const now = Date.now();
      const place = { id: manager.id, name: manager.name };
      const current = members.map((member): SourceStatus => {
        const before = statuses.get(member.id);
        // Why one was not asked before, the manager has just said anew.
        const isKept = before?.state === 'answered' && isUpToDate(before, now);
        if (isKept) return before;
        return { ...waitingStatus(member), ...(member.id !== manager.id && { manager: place }) };
      });
      const others = [...statuses].filter(([, status]) => managedBy(status) !== manager.id);
      const at = [...statuses.values()].findIndex((status) => managedBy(status) === manager.id);
      const own = current.map((status) => [status.id, status] as const);
      statuses = new Map([...others.slice(0, at), ...own, ...others.slice(at)]);
      changed('statuses');
      return new Set(current.filter(({ state }) => state === 'waiting').map(({ id }) => id));
    },
    finish: () => {
      finished = true;
      changed('statuses');
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return board;
}

interface SortedReleases {
  readonly releases: readonly Release[];
  readonly rejected: readonly RejectedRelease[];
}

const managedBy = ({ id, manager }: SourceStatus) => manager?.id ?? id;

/** A source's status; of a manager, those of the ones behind it that need no asking, and its own until it has listed them. */
function initialStatuses(
  known: readonly SourceStatus[],
  source: SearchSource | SourceManager,
): (readonly [string, SourceStatus])[] {
  const now = Date.now();
  const own = known.filter((status) => managedBy(status) === source.id);
  const kept = own.filter((status) => isUpToDate(status, now));
  // Who is missing comes anew with what the manager lists.
  const isWhole = own.length > 0 && kept.length === own.length;
  return [...(isWhole ? [] : [waitingStatus(source)]), ...kept].map((status) => [status.id, status]);
}

const waitingStatus = ({
  id,
  name,
  isIdOnly: knowsNoWords,
}: Pick<SearchSource, 'id' | 'name' | 'isIdOnly'>): SourceStatus => ({
  id,
  name,
  ...(knowsNoWords && { isIdOnly: knowsNoWords }),
  state: 'waiting',
  found: 0,
  fitting: 0,
  partial: [],
});
