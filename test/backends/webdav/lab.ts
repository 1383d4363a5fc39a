import { setTimeout } from 'node:timers/promises';
import {
  asks,
  BIG_BUCK_BUNNY,
  CANARY,
  CATALOGUE,
  type CatalogueRelease,
  type Dialect,
  NZBDAV,
  noFaults,
  type RecordedRequest,
  type Sandbox,
  startSandbox,
  type TransportFault,
} from '../../../sandbox/index.ts';
import { nzbOf } from '../../../sandbox/indexer/nzb.ts';
import type { Nzb } from '../../../src/backends/backend.ts';
import { webdavBackend } from '../../../src/backends/webdav/index.ts';
import type { Times } from '../../../src/backends/webdav/times.ts';
import { type MediaRequest, UNKNOWN_QUALITY } from '../../../src/model/index.ts';
import type { Fate, Misbehaviour } from '../../contracts/backend.ts';
import type { FaultyBackend, FaultyStep, Status } from '../../contracts/backend-faults.ts';
import { memoryLog } from '../../support/log.ts';

/** Everything at a pace at which a fault costs no test a second. */
export const QUICK: Times = {
  submit: 400,
  request: 250,
  locate: 10_000,
  read: 1_000,
  reread: 20,
  lostReply: 5,
  poll: () => 5,
  silence: 500,
  recheck: 5,
};

/** The sandbox's nzbdav and the backend that talks to it. */
export interface WebdavLab extends FaultyBackend {
  readonly sandbox: Sandbox;
}

export interface LabOptions {
  /** Milliseconds that a job takes. */
  readonly jobDuration?: number;
  readonly times?: Times;
  /** The backend has not met its server before: what recognising it costs counts among the requests. */
  readonly isFresh?: boolean;
}

export async function startLab(
  dialect: Dialect = NZBDAV,
  { jobDuration = 40, times = QUICK, isFresh = false }: LabOptions = {},
): Promise<WebdavLab> {
  const sandbox = await startSandbox({ jobDuration, dialect });
  const { faults, backend: address } = sandbox;
  const log = memoryLog();
  let listener: () => void = () => undefined;
  let hits = 0;
  const watch: TransportFault = {
    kind: 'hang',
    when: () => {
      listener();
      return false;
    },
  };
  faults.api = [watch];
  faults.webdav = [watch];
  const shut = async () => {
    await Promise.all([sandbox.shut('api'), sandbox.shut('webdav')]);
  };
  const open = async () => {
    await Promise.all([sandbox.open('api'), sandbox.open('webdav')]);
  };
  const backend = webdavBackend({ ...address, movieCategory: 'movies', tvCategory: 'tv' }, log, times);
  if (dialect.family === 'altmount' && !isFresh) await backend.test(new AbortController().signal);
  const { length: before } = sandbox.requests;
  return {
    sandbox,
    backend,
    film: { nzb: nzbFor(FILM_RELEASE), request: FILM },
    pack: {
      nzb: nzbFor(released('Caminandes.S01.1080p.WEB-DL.x264-PACKED')),
      request: EPISODE,
      fileName: 'Caminandes.S01E02.Gran.Dillama.1080p.WEB-DL.x264-PACKED.mkv',
    },
    misbehave: (step, how, times) => {
      const isOfStep = ofStep(step);
      const when = (request: RecordedRequest) => {
        const isHit = isOfStep(request);
        if (isHit) hits++;
        return isHit;
      };
      faults[step === 'locate' || step === 'read' ? 'webdav' : 'api'].push({
        ...transport(how),
        when,
        ...(times === undefined ? {} : { times }),
      });
    },
    hits: () => hits,
    onRequest: (next) => {
      listener = next;
    },
    nextJobs: (fate) => {
      applyFate(sandbox, fate);
    },
    refuseSubmissions: (error) => {
      faults.submit = { error, status: 200 };
    },
    refuseRemovals: (error) => {
      const body = JSON.stringify({ status: false, error });
      faults.api.push({ kind: 'body', body, when: ofStep('remove') });
    },
    shut,
    restart: async (away) => {
      await shut();
      await setTimeout(away);
      await open();
    },
    heal: async () => {
      Object.assign(faults, noFaults(), { api: [watch], webdav: [watch] });
      await open();
    },
    requests: () => sandbox.requests.length - before,
    sent: () => sandbox.requests.reduce((sum, { sent }) => sum + sent, 0),
    jobs: () => sandbox.jobs().map(({ name }) => name),
    opens: async (file) => {
      const headers = file.via === 'proxy' ? file.headers : {};
      const response = await fetch(file.url, { headers: { ...headers, range: 'bytes=0-9' } });
      await response.body?.cancel();
      return response.status === 206;
    },
    logged: () => log.lines.join('\n'),
    secrets: [CANARY.apiKey, CANARY.password],
    close: () => sandbox.close(),
  };
}

const FILM: MediaRequest = {
  kind: 'movie',
  title: BIG_BUCK_BUNNY.title,
  year: BIG_BUCK_BUNNY.year,
  ids: { imdb: BIG_BUCK_BUNNY.imdb },
};
const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  ids: {},
  episode: { season: 1, episode: 2 },
};

function released(name: string): CatalogueRelease {
  const release = CATALOGUE.find((each) => each.name === name);
  if (release === undefined) throw new Error(`not in the catalogue: ${name}`);
  return release;
}

const FILM_RELEASE = released('Big.Buck.Bunny.2008.480p.DVDRip.x264-MEADOW');

function nzbFor(release: CatalogueRelease): Nzb {
  const bytes = new Uint8Array(Buffer.from(nzbOf(release)));
  return { bytes, release: asListed(release), files: 3, segments: 3 };
}

const asListed = ({ name, guid, size }: CatalogueRelease): Nzb['release'] => ({
  name,
  links: [{ url: 'http://127.0.0.1:1/', guid, indexer: 'Sandbox', source: 'sandbox' }],
  size,
  quality: { ...UNKNOWN_QUALITY, title: name },
});

function ofStep(step: FaultyStep): (request: RecordedRequest) => boolean {
  const deletes = asks('name', 'delete');
  switch (step) {
    case 'submit':
      return asks('mode', 'addfile');
    case 'wait':
      return (request) => !deletes(request) && ['queue', 'history'].includes(request.query['mode'] ?? '');
    case 'remove':
      return deletes;
    case 'locate':
      return (request) => request.method === 'PROPFIND';
    case 'read':
      return (request) => request.method === 'GET';
  }
}

function transport(how: Misbehaviour | Status | 'stall'): TransportFault {
  if (typeof how === 'number') return { kind: 'status', status: how };
  if (how === 'stall') return { kind: 'cut', after: 10, how: 'hang' };
  if (how === 'unavailable') return { kind: 'status', status: 503, body: '<html>upstream is down</html>' };
  if (how === 'lost-by-reset') return { kind: 'answer-lost', how: 'reset' };
  if (how === 'lost-by-silence') return { kind: 'answer-lost', how: 'hang' };
  return { kind: how };
}

function applyFate({ faults }: Sandbox, fate: Fate | 'fails-late'): void {
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
      faults.missing = { from: Math.floor(FILM_RELEASE.size * 0.4), to: Math.floor(FILM_RELEASE.size * 0.6) };
      break;
  }
}
