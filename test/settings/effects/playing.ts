import { expect } from 'vitest';
import type { Backend } from '../../../src/backends/backend.ts';
import { CancelledError, SlipstreamError } from '../../../src/errors/index.ts';
import type { Release } from '../../../src/model/index.ts';
import { router } from '../../../src/router.ts';
import type { Inventory } from '../../../src/selection/inventory.ts';
import type { SelectContext, Selection } from '../../../src/selection/selection.ts';
import { replacementRuleOf, restartRuleOf } from '../../../src/service/policies.ts';
import { REPLACEMENT_RULE } from '../../../src/service/replacement-rule.ts';
import { decideRestart, RESTART_RULE } from '../../../src/service/restart-rule.ts';
import { parseSettings } from '../../../src/settings/index.ts';
import { release } from '../../release/candidates.ts';
import { memoryLog } from '../../support/log.ts';
import { recordingHost } from '../../support/recording-host.ts';
import { type Effect, effect, type Raw } from './effect.ts';

const REQUEST = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} } as const;
const OTHERS: readonly Release[] = Array.from({ length: 12 }, (_, index) =>
  release({ name: `Sintel.${index}` }),
);
const INVENTORY = {
  packs: [],
  answered: Promise.resolve(),
  existingJob: () => undefined,
  close: () => undefined,
  broken: {
    failedAt: () => undefined,
    recordFailure: () => Promise.resolve(),
    recordPlayed: () => Promise.resolve(),
  },
};

class Enough extends SlipstreamError {
  constructor() {
    super('INTERNAL', { what: 'That is all that the test wants to see.', next: '' });
  }
}

type Resolving = Parameters<typeof router.resolver.resolveFirst>[2];
type Search = Parameters<typeof router.search>;

/** What a play hands to the search of releases, and to their resolving. */
async function play(settings: Raw) {
  const seen: { automatic?: boolean; resolving?: Resolving } = {};
  const host = recordingHost({ settings: settings });
  const [chosen] = OTHERS as readonly [Release];
  const selection: Selection = {
    chosen,
    request: REQUEST,
    upcoming: () => OTHERS,
    reposts: () => OTHERS,
    next: () => Promise.resolve({ kind: 'found', release: chosen }),
    forget: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const stages: typeof router = {
    ...router,
    playbackBackend: () => Promise.resolve({ name: 'any', identity: 'any' } as Backend),
    openInventory: () => Promise.resolve(INVENTORY as unknown as Inventory),
    select: (_, { automatic }) => {
      seen.automatic = automatic;
      return Promise.resolve(selection);
    },
    resolver: {
      ...router.resolver,
      resolveFirst: (_choices, _request, context) => {
        seen.resolving = context;
        return Promise.reject(new Enough());
      },
    },
  };
  await expect(
    router.playEntry({ kind: 'play', request: REQUEST }, host, memoryLog(), stages),
  ).rejects.toThrow(Enough);
  return { ...seen, ...seen.resolving };
}

/** What a search is started with. */
async function search(settings: Raw) {
  const seen: { tmdbKey?: string; options?: Search[2] } = {};
  const host = recordingHost();
  const progress = await host.openProgress('Sintel');
  const stages: typeof router = {
    ...router,
    searchSources: () => Promise.resolve({ sources: [], secrets: {}, timeouts: {} }),
    addMetadata: (request, { tmdbKey }) => {
      seen.tmdbKey = tmdbKey;
      return Promise.resolve(request);
    },
    search: (_request, _sources, options) => {
      seen.options = options;
      return Promise.reject(new Enough());
    },
  };
  const context: SelectContext = {
    settings: parseSettings(settings),
    inventory: INVENTORY as unknown as Inventory,
    automatic: false,
    host,
    progress,
    signal: host.aborted,
    log: memoryLog(),
  };
  await expect(router.select(REQUEST, context, stages)).rejects.toThrow(Enough);
  await progress.close();
  return { ...seen, ...seen.options };
}

/** A search of which one source never answers; resolves once the list would be shown. */
function showsList(search_deadline: number) {
  const host = recordingHost();
  const search = {
    state: { releases: OTHERS, rejected: [], sources: [], finished: false },
    age: undefined,
    ready: new Promise<never>(() => undefined),
    onChange: () => () => undefined,
    close: () => Promise.resolve(),
  };
  const stages: typeof router = {
    ...router,
    searchSources: () => Promise.resolve({ sources: [], secrets: {}, timeouts: {} }),
    addMetadata: (request) => Promise.resolve(request),
    search: () => Promise.resolve(search as unknown as Awaited<ReturnType<typeof router.search>>),
    choose: () => Promise.reject(new Enough()),
  };
  const run = async () => {
    const context: SelectContext = {
      settings: { ...parseSettings({}), search_deadline },
      inventory: INVENTORY as unknown as Inventory,
      automatic: false,
      log: memoryLog(),
      host,
      progress: await host.openProgress('Sintel'),
      signal: host.aborted,
    };
    return await router.select(REQUEST, context, stages);
  };
  return { shown: run().catch((error: unknown) => error), stop: host.abort };
}

async function endsPlaylist(settings: Raw): Promise<boolean> {
  const host = recordingHost({ settings: settings });
  const playEntry = () => Promise.reject(new Enough());
  await router.route(() => ({ kind: 'play', request: REQUEST }), 'resolve', host, memoryLog(), {
    ...router,
    playEntry,
  });
  return host.playlistsEnded === 1;
}

const restarts = (settings: Raw, before: number, lost = false) =>
  decideRestart(restartRuleOf(parseSettings(settings)), { time: 60, duration: 6_000, restarts: before, lost })
    .kind === 'restart';

/** Playback, fallback, and what a search is started with. */
export const PLAYING_EFFECTS: readonly Effect[] = [
  effect({ auto_select: 'true' }, 'asks nobody', async () => {
    expect([(await play({})).automatic, (await play({ auto_select: 'true' })).automatic]).toEqual([
      false,
      true,
    ]);
  }),
  effect({ download_timeout: '42' }, 'is the time of the backend', async () => {
    expect((await play({ download_timeout: '42' })).timeout).toBe(42_000);
  }),
  effect({ max_attempts: '7' }, 'is how many releases are tried', async () => {
    expect((await play({ max_attempts: '7' })).attempts).toBe(7);
  }),
  effect({ nzbget_backups: '2' }, 'is how many posts wait', async () => {
    const waiting = async (raw: Raw) => (await play(raw)).reposts?.(OTHERS[0]!);
    expect([await waiting({}), await waiting({ nzbget_backups: '2' })]).toMatchObject([[], { length: 2 }]);
  }),
  effect({ replace_lost: 'false' }, 'leaves the service nothing to go on with', async () => {
    const left = async (raw: Raw) => (await play(raw)).plan?.().releases.length;
    expect([await left({}), await left({ replace_lost: 'false' })]).toEqual([3, 0]);
    expect(replacementRuleOf(parseSettings({ replace_lost: 'false' })).attempts).toBe(0);
  }),
  effect({ replace_attempts: '5' }, 'is how many releases the service may try', async () => {
    expect((await play({ replace_attempts: '5' })).plan?.().releases).toHaveLength(5);
    expect(replacementRuleOf(parseSettings({ replace_attempts: '5' })).attempts).toBe(5);
  }),
  effect({ replace_minutes: '9' }, 'is the time of a replacement', () => {
    expect(replacementRuleOf(parseSettings({}))).toEqual(REPLACEMENT_RULE);
    expect(replacementRuleOf(parseSettings({ replace_minutes: '9' })).limit).toBe(9 * 60_000);
  }),
  effect({ skip_failed: 'true' }, 'lets a playlist go on', async () => {
    expect([await endsPlaylist({}), await endsPlaylist({ skip_failed: 'true' })]).toEqual([true, false]);
  }),
  effect({ restart_broken: 'false' }, 'leaves a film that broke off', () => {
    expect(restartRuleOf(parseSettings({}))).toEqual(RESTART_RULE);
    expect([restarts({}, 0), restarts({ restart_broken: 'false' }, 0)]).toEqual([true, false]);
    expect([restarts({}, 0, true), restarts({ restart_broken: 'false' }, 0, true)]).toEqual([true, false]);
  }),
  effect({ restart_times: '5' }, 'is how often it is played again', () => {
    expect([restarts({}, 4), restarts({ restart_times: '5' }, 4)]).toEqual([false, true]);
    expect(restarts({ restart_times: '5' }, 5)).toBe(false);
  }),
  effect({ search_packs: 'false' }, 'searches no packs', async () => {
    expect([(await search({})).packs, (await search({ search_packs: 'false' })).packs]).toEqual([
      true,
      false,
    ]);
  }),
  effect({ search_deadline: '20' }, 'is when the list is shown, whoever still searches', async () => {
    const [soon, late] = [showsList(0.01), showsList(parseSettings({}).search_deadline)];
    expect(await soon.shown).toBeInstanceOf(Enough);
    const isShown = await Promise.race([late.shown.then(() => true), Promise.resolve(false)]);
    late.stop();
    expect([isShown, await late.shown]).toEqual([false, expect.any(CancelledError)]);
  }),
  effect({ cache_minutes: '3' }, 'is how old results may be', async () => {
    expect((await search({ cache_minutes: '3' })).cacheAge).toBe(180_000);
  }),
  effect({ tmdb_api_key: 'mine' }, 'looks up what the request lacks', async () => {
    expect((await search({ tmdb_api_key: 'mine' })).tmdbKey).toBe('mine');
  }),
];
