import { setTimeout } from 'node:timers/promises';
import {
  type DirectStreamKind,
  type DirectStreamSandbox,
  downloadKey,
  startDirectStream,
} from '../../../sandbox/direct-stream/index.ts';
import {
  BIG_BUCK_BUNNY,
  CATALOGUE,
  type CatalogueRelease,
  noFaults,
  type RecordedRequest,
  type TransportFault,
} from '../../../sandbox/index.ts';
import { nzbOf } from '../../../sandbox/indexer/nzb.ts';
import type { Nzb } from '../../../src/backends/backend.ts';
import { directStreamBackend } from '../../../src/backends/direct-stream/index.ts';
import type { Times } from '../../../src/backends/direct-stream/times.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { loadReleaseNameParser } from '../../../src/release/index.ts';
import type { FaultyBackend, FaultyStep, Status } from '../../contracts/backend-faults.ts';
import type { Fate, Misbehaviour } from '../../contracts/backend-play.ts';
import { memoryLog } from '../../support/log.ts';

/** Everything at a pace at which a fault costs no test a second. */
export const QUICK: Times = {
  block: 300,
  upload: 100,
  request: 300,
  settle: 250,
  open: 1_500,
  locate: 3_000,
  read: 1_000,
  again: 5,
  longestRest: 20,
  silence: 400,
  hiccup: 100,
};

/** With characters that URLs write otherwise. */
const KEY = 'canary direct/key=5e20b7';

export interface DirectStreamLab extends FaultyBackend {
  readonly sandbox: DirectStreamSandbox;
}

export async function startLab(kind: DirectStreamKind): Promise<DirectStreamLab> {
  const sandbox = await startDirectStream(kind, { apiKey: KEY, jobDuration: 40 });
  const { faults } = sandbox;
  const log = memoryLog();
  let listener: () => void = () => undefined;
  const watch: TransportFault = {
    kind: 'hang',
    when: () => {
      listener();
      return false;
    },
  };
  const watched = () => ({ api: [watch], webdav: [watch] });
  Object.assign(faults, watched());
  const config = { kind, url: sandbox.url, apiKey: KEY, movieCategory: 'movies', tvCategory: 'tv' };
  const altMount = kind === 'altmount';
  return {
    sandbox,
    backend: directStreamBackend(config, log, QUICK),
    keepsNoList: true,
    secretAddresses: true,
    namesOne: true,
    fewest: altMount ? { play: 6, lost: 2 } : { play: 2, lost: 2 },
    steps: altMount ? ['submit', 'locate', 'remove'] : ['submit', 'wait'],
    ...(!altMount && {
      keepsNoJobs: true,
      withoutPacks: true,
      fates: ['fails', 'stuck', 'vanishes', 'damaged'] as const,
    }),
    film: { nzb: await nzbFor(FILM_RELEASE), request: FILM },
    pack: {
      nzb: await nzbFor(released('Caminandes.S01.1080p.WEB-DL.x264-PACKED')),
      request: EPISODE,
      fileName: 'Caminandes.S01E02.Gran.Dillama.1080p.WEB-DL.x264-PACKED.mkv',
    },
    misbehave: (step, how, times) => {
      const { service, when } = ofStep(kind, step);
      faults[service].push({
        ...(service === 'webdav' && how === 'truncated' ? CUT : transport(how)),
        when,
        ...(times === undefined ? {} : { times }),
      });
    },
    onRequest: (next) => {
      listener = next;
    },
    nextJobs: (fate) => {
      applyFate(sandbox, fate);
    },
    refuseSubmissions: (error) => {
      faults.submit = { error, status: 400 };
    },
    refuseRemovals: (error) => {
      const body = JSON.stringify({ status: false, error });
      faults.api.push({ kind: 'body', body, when: ofStep(kind, 'remove').when });
    },
    shut: () => sandbox.shut(),
    restart: async (away) => {
      await sandbox.shut();
      await setTimeout(away);
      await sandbox.open();
    },
    heal: async () => {
      Object.assign(faults, noFaults(), watched());
      await sandbox.open();
    },
    requests: () => sandbox.requests.length,
    sent: () => sandbox.requests.reduce((sum, { sent }) => sum + sent, 0),
    jobs: () => sandbox.jobs().map(({ name }) => name),
    opens: async ({ url }) => {
      const response = await fetch(url, { headers: { range: 'bytes=0-9' } });
      await response.body?.cancel();
      return response.status === 206;
    },
    logged: () => log.lines.join('\n'),
    secrets: [KEY, encodeURIComponent(KEY), downloadKey(KEY)],
    close: () => sandbox.close(),
  };
}

export const FILM: MediaRequest = {
  kind: 'movie',
  title: BIG_BUCK_BUNNY.title,
  year: BIG_BUCK_BUNNY.year,
  ids: { imdb: BIG_BUCK_BUNNY.imdb },
};
export const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  ids: {},
  episode: { season: 1, episode: 2 },
};

export function released(name: string): CatalogueRelease {
  const release = CATALOGUE.find((each) => each.name === name);
  if (release === undefined) throw new Error(`not in the catalogue: ${name}`);
  return release;
}

const FILM_RELEASE = released('Big.Buck.Bunny.2008.480p.DVDRip.x264-MEADOW');

export async function nzbFor(release: CatalogueRelease): Promise<Nzb> {
  const bytes = new Uint8Array(Buffer.from(nzbOf(release)));
  const { name, guid, size } = release;
  const parse = await loadReleaseNameParser();
  const links = [{ url: 'http://127.0.0.1:1/', guid, indexer: 'Sandbox', source: 'sandbox' }] as const;
  return { bytes, release: { name, links, size, quality: parse(name) }, files: 3, segments: 3 };
}

type Service = 'api' | 'webdav';

/** A stream is opened by its first bytes; any other range is a reading of it. */
function ofStep(
  kind: DirectStreamKind,
  step: FaultyStep,
): { service: Service; when: (request: RecordedRequest) => boolean } {
  const opens = ({ headers }: RecordedRequest) => headers['range'] === 'bytes=0-4095';
  const orders = ({ method }: RecordedRequest) => method === 'POST';
  switch (step) {
    case 'submit':
      return { service: 'api', when: orders };
    case 'wait':
      return kind === 'altmount' ? { service: 'api', when: orders } : { service: 'webdav', when: opens };
    case 'locate':
      return { service: 'webdav', when: opens };
    case 'read':
      return { service: 'webdav', when: (request) => !opens(request) };
    case 'remove':
      return { service: 'api', when: ({ query }) => query['name'] === 'delete' };
  }
}

/** Of a film, the first bytes only. */
const CUT: TransportFault = { kind: 'cut', after: 10, how: 'reset' };

function transport(how: Misbehaviour | Status | 'stall'): TransportFault {
  if (typeof how === 'number') return { kind: 'status', status: how };
  if (how === 'stall') return { kind: 'cut', after: 10, how: 'hang' };
  if (how === 'unavailable') return { kind: 'status', status: 503, body: '<html>upstream is down</html>' };
  if (how === 'lost-by-reset') return { kind: 'answer-lost', how: 'reset' };
  if (how === 'lost-by-silence') return { kind: 'answer-lost', how: 'hang' };
  return { kind: how };
}

function applyFate({ faults }: DirectStreamSandbox, fate: Fate | 'fails-late'): void {
  const { size } = FILM_RELEASE;
  switch (fate) {
    case 'fails':
      faults.job = { kind: 'fails', message: 'Article with message-id 1@x was not found.' };
      break;
    case 'fails-late':
      faults.job = { kind: 'fails', message: 'Missing articles.', at: 99 };
      break;
    case 'stuck':
      faults.job = { kind: 'stuck', percent: 30 };
      break;
    case 'vanishes':
      faults.job = { kind: 'vanishes' };
      break;
    case 'empty':
    case 'no-video':
      faults.folder = fate;
      break;
    case 'samples':
      faults.folder = 'sample-only';
      break;
    case 'no-folder':
      faults.folder = 'absent';
      break;
    case 'damaged':
      faults.missing = { from: Math.floor(size * 0.4), to: Math.floor(size * 0.6) };
      break;
  }
}
