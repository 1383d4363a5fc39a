import type { Logger } from '../log/index.ts';
import type { MediaRequest, Posting, Quality, Release } from '../model/index.ts';
import { checkFor } from './match.ts';
import { openMerger } from './merge.ts';
import type { SearchSource } from './source.ts';
import type { SearchState, SetAside, SourceStatus } from './state.ts';

/** What a search knows: each source's status and everything that was listed. */
export interface Board {
  readonly state: SearchState;
  readonly set: (sourceId: string, change: Partial<SourceStatus>) => void;
  /** Takes postings whose names have been read. Gives whether any of them fits. */
  add(sourceId: string, postings: readonly Posting[]): boolean;
  /** Nothing more will come. */
  finish(): void;
  /** Calls the listener after changes, once in a turn of the event loop. Gives what ends that. */
  readonly onChange: (listener: (state: SearchState) => void) => () => void;
}

export interface BoardOptions {
  readonly request: MediaRequest;
  /** The preferred one first. */
  readonly sources: readonly SearchSource[];
  readonly qualityOf: (name: string) => Quality;
  readonly log: Logger;
}

export function openBoard({ request, sources, qualityOf, log }: BoardOptions): Board {
  const check = checkFor(request);
  const statuses = new Map(sources.map((source) => [source.id, initial(source)]));
  const merger = openMerger({ parseName: qualityOf, order: [...statuses.keys()] });
  /** Of each release that has been checked. */
  const reasons = new WeakMap<Release, string | undefined>();
  const listeners = new Set<(state: SearchState) => void>();
  let found: Found = { releases: [], setAside: [] };
  let finished = false;
  /** Merging is put off until somebody looks: several answers may come in one turn. */
  let stale: 'nothing' | 'statuses' | 'releases' = 'statuses';
  let state: SearchState = { ...found, sources: [], finished };
  let announced = false;

  const current = () => {
    if (stale === 'releases') found = sorted();
    if (stale !== 'nothing') state = { ...found, sources: [...statuses.values()], finished };
    stale = 'nothing';
    return state;
  };
  const reasonOf = (release: Release) => {
    if (!reasons.has(release)) reasons.set(release, check(release));
    return reasons.get(release);
  };
  const sorted = (): Found => {
    const judged = merger.releases().map((release) => ({ release, reason: reasonOf(release) }));
    return {
      releases: judged.filter(({ reason }) => reason === undefined).map(({ release }) => release),
      setAside: judged.filter((each): each is SetAside => each.reason !== undefined),
    };
  };
  // Nobody stands above a turn of the event loop: what is thrown there ends the process.
  const tell = (listener: (state: SearchState) => void) => {
    try {
      listener(current());
    } catch (error) {
      log.error('who listens to the search failed', error);
    }
  };
  const changed = (what: 'statuses' | 'releases') => {
    if (stale !== 'releases') stale = what;
    if (announced) return;
    announced = true;
    setImmediate(() => {
      announced = false;
      listeners.forEach(tell);
    });
  };
  const fits = ({ name, claims }: Posting) =>
    check({ name, quality: qualityOf(name), ...(claims && { claims }) }) === undefined;

  const board: Board = {
    get state() {
      return current();
    },
    set: (id, change) => {
      const status = statuses.get(id);
      if (status !== undefined) statuses.set(id, { ...status, ...change });
      changed('statuses');
    },
    add: (id, more) => {
      const fitting = more.filter(fits).length;
      merger.add(more);
      const status = statuses.get(id);
      board.set(id, {
        found: (status?.found ?? 0) + more.length,
        fitting: (status?.fitting ?? 0) + fitting,
      });
      if (more.length > 0) changed('releases');
      return fitting > 0;
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

interface Found {
  readonly releases: readonly Release[];
  readonly setAside: readonly SetAside[];
}

const initial = ({ id, name }: SearchSource): SourceStatus => ({
  id,
  name,
  state: 'waiting',
  found: 0,
  fitting: 0,
  partial: [],
});
