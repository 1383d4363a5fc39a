import { describe, expect, test } from 'vitest';
import type { LastResumePoint } from '../../src/library/index.ts';
import type { MediaRequest } from '../../src/model/index.ts';
import { preferencesOf } from '../../src/release/index.ts';
import { router } from '../../src/router.ts';
import type { RunningSearch, SearchState } from '../../src/search/index.ts';
import { CandidateList } from '../../src/selection/candidate-list.ts';
import type { Inventory } from '../../src/selection/inventory.ts';
import { ReleaseFilter } from '../../src/selection/release-filter.ts';
import { parseSettings } from '../../src/settings/index.ts';
import { candidate, release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';

const REQUEST = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} } as const;
const NOTHING_FAILED: Inventory['broken'] = {
  failedAt: () => undefined,
  isBroken: () => false,
  recordFailure: () => Promise.resolve(),
  recordPlayed: () => Promise.resolve(),
};
const NO_INVENTORY: Inventory = {
  backend: 'Example',
  assertUsable: () => Promise.resolve(),
  existingJob: () => undefined,
  broken: NOTHING_FAILED,
  packs: [],
  isAnswered: true,
  answered: Promise.resolve(),
  forgetPack: () => Promise.resolve(),
  close: () => undefined,
};
const EMPTY: SearchState = { releases: [], rejected: [], sources: [], finished: false };

function searching(): RunningSearch & { become(state: Partial<SearchState>): void } {
  const listeners = new Set<(state: SearchState) => void>();
  const search = {
    state: EMPTY,
    onChange: (listener: (state: SearchState) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ready: Promise.resolve(),
    finished: Promise.resolve(),
    close: () => Promise.resolve(),
    become: (state: Partial<SearchState>) => {
      search.state = { ...search.state, ...state };
      for (const listener of listeners) listener(search.state);
    },
  };
  return search;
}

function listed(
  search: RunningSearch,
  settings: Record<string, string> = {},
  stages = router,
  request: MediaRequest = REQUEST,
  watched?: LastResumePoint,
) {
  const preferences = preferencesOf(parseSettings(settings));
  const filter = new ReleaseFilter(request, preferences, memoryLog(), stages);
  return new CandidateList(
    search,
    filter,
    { request, preferences, inventory: NO_INVENTORY, watched },
    stages,
  );
}

const hd = release({ name: 'Sintel.2010.1080p' }, { resolution: '1080p' });
const uhd = release({ name: 'Sintel.2010.2160p' }, { resolution: '2160p' });
const other = release({ name: 'Spring.2019.2160p' }, { title: 'Spring', resolution: '2160p' });

describe('a search as a list', () => {
  test('is ranked anew when something comes', () => {
    const search = searching();
    const list = listed(search);
    let heard = 0;
    const stop = list.onChange(() => heard++);
    search.become({ releases: [hd] });
    expect(list.current.candidates.map(({ release: { name } }) => name)).toEqual([hd.name]);
    expect(list.current.isSearching).toBe(true);
    search.become({ releases: [hd, uhd], finished: true });
    expect(list.current.candidates.map(({ release: { name } }) => name)).toEqual([uhd.name, hd.name]);
    expect(list.current.isSearching).toBe(false);
    stop();
    search.become({ releases: [] });
    expect(heard).toBe(2);
  });

  test('has what was watched last on top, wherever it ranks', () => {
    const search = searching();
    const left: LastResumePoint = { position: 224, duration: 0, at: 1, isOf: ({ name }) => name === hd.name };
    const list = listed(search, {}, router, REQUEST, left);
    search.become({ releases: [hd, uhd] });
    expect(list.current.candidates.map(({ release: { name } }) => name)).toEqual([hd.name, uhd.name]);
    // Also where the filters have changed meanwhile; the row says so.
    const strict = listed(search, { allow_1080p: 'false' }, router, REQUEST, left);
    expect(strict.current.candidates[0]).toMatchObject({ release: hd, rejections: [expect.any(String)] });
    expect(listed(search).current.candidates[0]?.release).toBe(uhd);
  });

  test('does not put on top what was watched last and has failed since', () => {
    const search = searching();
    const left: LastResumePoint = { position: 224, duration: 0, at: 1, isOf: ({ name }) => name === hd.name };
    const broken = {
      ...NOTHING_FAILED,
      failedAt: ({ name }: { name: string }) => (name === hd.name ? 1 : undefined),
    };
    const preferences = preferencesOf(parseSettings({}));
    const filter = new ReleaseFilter(REQUEST, preferences, memoryLog(), router);
    const inventory = { ...NO_INVENTORY, broken };
    const list = new CandidateList(
      search,
      filter,
      { request: REQUEST, preferences, inventory, watched: left },
      router,
    );
    search.become({ releases: [hd, uhd] });
    expect(list.current.candidates.map(({ release: { name } }) => name)).toEqual([uhd.name, hd.name]);
  });

  test('is not ranked again while nothing has come', () => {
    const list = listed(searching());
    expect(list.current).toBe(list.current);
  });

  test('keeps what is something else behind everything, with why', () => {
    const search = searching();
    search.become({ releases: [hd], rejected: [{ release: other, reason: 'Another film: Spring' }] });
    const [first, last] = listed(search, { allow_1080p: 'false' }).current.candidates;
    expect(first?.rejections).toHaveLength(1);
    expect(last).toMatchObject({ release: other });
    expect(last?.rejections[0]).toBe('Another film: Spring');
    expect(listed(search).current.mismatchCount).toBe(1);
  });

  test('looks at each release once, whatever else changes', () => {
    const looked: string[] = [];
    const filterReleases: typeof router.filterReleases = (releases, ...rest) => {
      looked.push(...releases.map(({ name }) => name));
      return router.filterReleases(releases, ...rest);
    };
    const search = searching();
    const list = listed(search, {}, { ...router, filterReleases });
    search.become({ releases: [hd] });
    const { candidates } = list.current;
    search.become({ finished: true });
    expect(list.current.candidates).toEqual(candidates);
    search.become({ releases: [hd, uhd] });
    expect(list.current.candidates).toHaveLength(2);
    expect(looked).toEqual([hd.name, uhd.name]);
  });

  test('says what of the wishes cannot be followed', () => {
    const list = listed(searching(), { required_words: '/(a+)+$/' });
    expect(list.current.status).toContain('(a+)+');
  });

  test('says how it is ranked, and why a row stands where it does', () => {
    const search = searching();
    search.become({ releases: [hd] });
    const list = listed(search, { sort_by: 'newest' });
    expect(list.current.order).toMatch(/newest/i);
    expect(listed(search).explain(list.current.candidates[0]!)).toContainEqual({
      label: 'Resolution',
      value: '1080p',
    });
  });

  test('says in the details of what only the indexer takes for the film that its name says another', () => {
    const list = listed(searching(), {}, router, { ...REQUEST, ids: { imdb: 'tt1727587' } });
    const claimed = { ...other, claims: { imdb: 'tt1727587' } };
    expect(list.explain(candidate(claimed))[0]).toEqual({
      label: 'Doubt',
      value: 'the indexer says so, the name does not (another film: Spring)',
    });
    expect(list.explain(candidate(other)).map(({ label }) => label)).not.toContain('Doubt');
  });
});
