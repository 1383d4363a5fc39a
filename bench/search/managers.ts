import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CATALOGUE,
  type CatalogueRelease,
  monotonicTime,
  SINTEL,
  startSandbox,
} from '../../sandbox/index.ts';
import { HydraIndexer } from '../../sandbox/indexer/hydra/indexer.ts';
import type { MemberIndexerOptions } from '../../sandbox/indexer/member-indexer.ts';
import { ProwlarrIndexer } from '../../sandbox/indexer/prowlarr/indexer.ts';
import { type IndexerSandbox, startIndexer } from '../../sandbox/indexer/start.ts';
import { poll } from '../../src/io/wait.ts';
import { PROPERTY } from '../../src/resolver/properties.ts';
import { startEngine } from '../../test/support/engine.ts';
import { type Figure, median } from '../figure.ts';

const RUNS = 5;
const LIMIT_MS = 3_500;
const KEY = 'key-of-the-bench';
/** Milliseconds until a download must have been asked for. */
const PATIENCE = 30_000;
const LOOK_AGAIN = 5;

export type Manager = 'prowlarr' | 'hydra';

/** From OK to the first NZB that is asked for, with a dead indexer behind the manager beside three good ones. */
const deadBehind = (manager: Manager, name: string): Figure => ({
  name,
  unit: 'ms',
  target: `≤ ${LIMIT_MS}`,
  measure: async () => {
    const times: number[] = [];
    for (let run = 0; run < RUNS; run++) times.push(await toFirstNzb(manager));
    const value = median(times);
    const spread = `${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)}`;
    const note = `three good indexers of 300, 600, 1200 ms, one dead; spread ${spread} ms, n ${RUNS}`;
    return { value, met: value <= LIMIT_MS, note };
  },
});

export const deadIndexer = deadBehind('prowlarr', 'search.dead-indexer');
export const deadIndexerHydra = deadBehind('hydra', 'search.dead-indexer-hydra');

/** Milliseconds. */
const DELAYS = [300, 600, 1_200];

async function toFirstNzb(manager: Manager): Promise<number> {
  const goods = DELAYS.map((delay, place) => ({ name: `Good${place + 1}`, delay, posts: twoPosts(place) }));
  const [service, backend, dataFolder] = await Promise.all([
    startManager(manager, [...goods, { name: 'Dead', search: 'dead' }]),
    startSandbox(),
    mkdtemp(join(tmpdir(), 'slipstream-managers-')),
  ]);
  const engine = startEngine({
    command: 'plugin',
    dataFolder,
    start: {
      argv: [
        'plugin://plugin.video.slipstream/play',
        '1',
        `?type=movie&title=Sintel&year=2010&imdb=${SINTEL.imdb}`,
        '',
      ],
    },
    settings: { ...backend.settings, indexer_url: '', ...settingsOf(manager, service), auto_select: 'true' },
    // That it is there is looked at before anything is downloaded.
    properties: new Map([
      [PROPERTY.proxyPort, '9'],
      [PROPERTY.proxyToken, 'none'],
    ]),
  });
  const started = monotonicTime();
  try {
    const isNzb = ({ path }: { path: string }) => /\/download$|\/getnzb\//.test(path);
    const asked = await poll(() => Promise.resolve(service.requests.find(isNzb)), {
      signal: new AbortController().signal,
      interval: () => LOOK_AGAIN,
      deadline: PATIENCE,
    });
    if (asked === undefined) throw new Error(`no NZB was asked for: ${engine.stderr.join('')}`);
    return asked.at - started;
  } finally {
    engine.child.kill('SIGKILL');
    await engine.ended;
    await Promise.all([service.close(), backend.close()]);
    await rm(dataFolder, { recursive: true });
  }
}

/** Two posts that nobody else has. */
function twoPosts(place: number): CatalogueRelease[] {
  const [release] = CATALOGUE.filter(({ of }) => of === SINTEL);
  return [1, 2].map((number) => ({
    ...release!,
    guid: `5a4db0c5-3333-4000-8000-00000000000${place * 2 + number}`,
    name: `Sintel.2010.1080p.BluRay.x264-BENCH${place}${number}`,
  }));
}

/** A manager with these behind it, each a host of its own to it. */
export function startManager(
  manager: Manager,
  behind: readonly MemberIndexerOptions[],
): Promise<IndexerSandbox> {
  if (manager === 'hydra')
    return startIndexer('hydra', {
      apiKey: KEY,
      hydraIndexers: behind.map((options) => new HydraIndexer(options)),
    });
  return startIndexer('prowlarr', {
    apiKey: KEY,
    behind: behind.map((options, place) => new ProwlarrIndexer({ ...options, id: place + 1 })),
  });
}

export const settingsOf = (manager: Manager, { url }: IndexerSandbox): Record<string, string> => ({
  [`${manager}_url`]: url,
  [`${manager}_api_key`]: KEY,
});
