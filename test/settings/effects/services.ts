import { expect, onTestFinished } from 'vitest';
import { CATALOGUE } from '../../../sandbox/catalogue.ts';
import { startSandbox } from '../../../sandbox/index.ts';
import { nzbOf } from '../../../sandbox/indexer/nzb.ts';
import { startNzbget } from '../../../sandbox/nzbget/index.ts';
import type { Nzb } from '../../../src/backends/backend.ts';
import { directVia, playbackBackend } from '../../../src/connections/backends.ts';
import { serviceById } from '../../../src/connections/services/index.ts';
import { tmdbService } from '../../../src/connections/services/tmdb.ts';
import { searchSources } from '../../../src/connections/sources.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { parseSettings, type SettingId } from '../../../src/settings/index.ts';
import { type ServiceLab, startLab, testContext } from '../../connections/labs.ts';
import { release } from '../../release/candidates.ts';
import { serve } from '../../support/http-server.ts';
import { type Effect, effect } from './effect.ts';

const MOVIE: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} };
const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  ids: {},
  episode: { season: 1, episode: 1, ids: {} },
};

/** What works with the right value, and not with another one. */
function counts(service: ServiceLab['id'], id: SettingId, other: string): Effect {
  return effect({ [id]: other }, `is noticed by ${service}`, async () => {
    const lab = await startLab(service);
    const context = await testContext();
    const failures = async (change: Partial<Record<SettingId, string>>) => {
      const checks = await serviceById(service).test(parseSettings({ ...lab.settings, ...change }), context);
      return checks.filter(({ failure }) => failure !== undefined).length;
    };
    expect(await failures({})).toBe(0);
    expect(await failures({ [id]: other })).toBe(1);
  });
}

const POST = CATALOGUE[0]!;
const NZB: Nzb = {
  bytes: new Uint8Array(Buffer.from(nzbOf(POST))),
  release: release({ name: POST.name }),
  fileCount: 3,
  segmentCount: 3,
};

const NOWHERE = 'http://127.0.0.1:1';

function backendFor(raw: Partial<Record<SettingId, string>>) {
  return async () => {
    const settings = {
      webdav_api_url: NOWHERE,
      nzbget_url: NOWHERE,
      nzbget_folder: '/films',
      direct_url: NOWHERE,
      ...raw,
    };
    return await playbackBackend(parseSettings(settings), await testContext());
  };
}

function files(playback_backend: string, id: SettingId, request: MediaRequest): Effect {
  return effect({ [id]: 'another' }, `is the category of ${request.kind}s`, async () => {
    const before = await backendFor({ playback_backend })();
    const after = await backendFor({ playback_backend, [id]: 'another' })();
    expect(after.categoryOf(request)).toBe('another');
    expect(before.categoryOf(request)).not.toBe('another');
    expect(after.categoryOf(request === MOVIE ? EPISODE : MOVIE)).not.toBe('another');
  });
}

const CHOICES: readonly Effect[] = [
  ...(['webdav', 'nzbget', 'direct'] as const).map((playback_backend) =>
    effect({ playback_backend }, 'plays', async () => {
      const { identity } = await backendFor({ playback_backend })();
      expect(identity).toBe(`${playback_backend} ${NOWHERE}`);
    }),
  ),
  ...(['altmount', 'streamnzb'] as const).map((direct_kind) =>
    effect({ direct_kind }, 'names the service', async () => {
      const { name } = await backendFor({ playback_backend: 'direct', direct_kind })();
      expect(name.toLowerCase()).toBe(direct_kind);
    }),
  ),
];

const SEARCHED: readonly Effect[] = [
  effect({ indexer_name: 'Mine' }, 'names the indexer', async () => {
    const settings = parseSettings({ indexer_url: NOWHERE, indexer_name: 'Mine' });
    const { folder, log } = await testContext();
    const { sources } = await searchSources(settings, folder, log);
    expect(sources.map(({ name }) => name)).toEqual(['Mine']);
  }),
  effect({ search_timeout: '7' }, 'is the time of an indexer', async () => {
    const { folder, log } = await testContext();
    const times = async (search_timeout: string) => {
      const settings = parseSettings({ indexer_url: NOWHERE, search_timeout });
      return Object.values((await searchSources(settings, folder, log)).timeouts);
    };
    expect([await times('7'), await times('8')]).toEqual([[7_000], [8_000]]);
  }),
  effect({ tmdb_api_key: 'right' }, 'is what TMDb is asked with', async () => {
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization ?? ''}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}');
    });
    await tmdbService(url).test(parseSettings({ tmdb_api_key: 'right' }), await testContext());
    expect(asked.join()).toContain('right');
  }),
];

const NZBGET: readonly Effect[] = (
  [
    ['very-high', 100],
    ['normal', 0],
    ['force', 900],
  ] as const
).map(([nzbget_priority, priority]) =>
  effect({ nzbget_priority }, 'is how urgent NZBGet takes it', async () => {
    const nzbget = await startNzbget({ jobDuration: 60_000 });
    onTestFinished(() => nzbget.close());
    const { url: nzbget_url, username: nzbget_username, password: nzbget_password } = nzbget;
    const entered = { nzbget_url, nzbget_username, nzbget_password, nzbget_priority };
    const backend = await backendFor({ playback_backend: 'nzbget', ...entered })();
    await backend.submit(NZB, 'Big.Buck.Bunny-0a1b2c3d', MOVIE, new AbortController().signal);
    expect(nzbget.jobs.queue.map((job) => job.priority)).toEqual([priority]);
  }),
);

const GOES_FIRST: readonly Effect[] = (
  [
    ['true', 'Sintel-0a1b2c3d'],
    ['false', 'import-1'],
  ] as const
).map(([webdav_goes_first, next]) =>
  effect({ webdav_goes_first }, 'is whether our job is done before what waits', async () => {
    const sandbox = await startSandbox({ jobDuration: 60_000 });
    onTestFinished(() => sandbox.close());
    const open = (goesFirst: string) =>
      backendFor({ ...sandbox.settings, playback_backend: 'webdav', webdav_goes_first: goesFirst })();
    const { signal } = new AbortController();
    const others = await open('false');
    for (let n = 0; n < 12; n++) await others.submit(NZB, `import-${n}`, MOVIE, signal);
    await (await open(webdav_goes_first)).submit(NZB, 'Sintel-0a1b2c3d', MOVIE, signal);
    const names = sandbox.jobs().map(({ name }) => name);
    expect(names).toHaveLength(13);
    expect(names.slice(0, 2)).toEqual(['import-0', next]);
  }),
);

const DIRECT_BY_PROXY: readonly Effect[] = (
  [
    ['true', 'proxy'],
    ['false', 'player'],
  ] as const
).map(([direct_by_proxy, via]) =>
  effect({ direct_by_proxy }, `gives streams of services to the ${via}`, async () => {
    const backend = await backendFor({ playback_backend: 'direct', direct_by_proxy })();
    expect(backend.via).toBe(via);
    expect(directVia(parseSettings({ direct_by_proxy }))).toBe(via);
  }),
);

/** Connection and backends: what is asked, where, and with what. */
export const SERVICE_EFFECTS: readonly Effect[] = [
  counts('newznab', 'indexer_url', NOWHERE),
  counts('newznab', 'indexer_api_key', 'wrong'),
  counts('hydra', 'hydra_url', NOWHERE),
  counts('hydra', 'hydra_api_key', 'wrong'),
  counts('prowlarr', 'prowlarr_url', NOWHERE),
  counts('prowlarr', 'prowlarr_api_key', 'wrong'),
  counts('stremio', 'stremio_url', `${NOWHERE}/manifest.json`),
  counts('webdav', 'webdav_api_url', NOWHERE),
  counts('webdav', 'webdav_api_key', 'wrong'),
  counts('webdav', 'webdav_url', NOWHERE),
  counts('webdav', 'webdav_username', 'nobody'),
  counts('webdav', 'webdav_password', 'wrong'),
  counts('nzbget', 'nzbget_url', NOWHERE),
  counts('nzbget', 'nzbget_username', 'nobody'),
  counts('nzbget', 'nzbget_password', 'wrong'),
  counts('nzbget', 'nzbget_folder', '/nowhere/at/all'),
  counts('nzbget', 'nzbget_server_folder', '/another/place'),
  counts('altmount', 'direct_url', NOWHERE),
  counts('altmount', 'direct_api_key', 'wrong'),
  counts('altmount', 'direct_webdav_username', 'nobody'),
  counts('altmount', 'direct_webdav_password', 'wrong'),
  files('webdav', 'webdav_movie_category', MOVIE),
  files('webdav', 'webdav_tv_category', EPISODE),
  files('nzbget', 'nzbget_movie_category', MOVIE),
  files('nzbget', 'nzbget_tv_category', EPISODE),
  ...CHOICES,
  ...SEARCHED,
  ...NZBGET,
  ...DIRECT_BY_PROXY,
  ...GOES_FIRST,
];
