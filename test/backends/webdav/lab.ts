import { setTimeout } from 'node:timers/promises';
import {
  CANARY,
  type CatalogueRelease,
  type Dialect,
  NZBDAV,
  noFaults,
  type RecordedRequest,
  type Sandbox,
  startSandbox,
  whenQuery,
} from '../../../sandbox/index.ts';
import { webdavBackend } from '../../../src/backends/webdav/index.ts';
import type { WebdavTimings } from '../../../src/backends/webdav/timings.ts';
import type { FaultyBackend, FaultyStep } from '../../contracts/backend-faults.ts';
import { FATES } from '../../contracts/backend-play.ts';
import { memoryLog } from '../../support/log.ts';
import {
  applyFate,
  EPISODE,
  FILM,
  FILM_RELEASE,
  nzbFor,
  openWatch,
  PACK_FILE,
  PACK_RELEASE,
  paceOf,
  transport,
} from '../labs.ts';

/** Everything at a pace at which a fault costs no test a second. */
export const QUICK: WebdavTimings = {
  submit: 1_500,
  request: 250,
  deletion: 250,
  locate: 10_000,
  read: 1_000,
  reread: 20,
  lostReply: 5,
  poll: () => 5,
  stallCheck: { ask: 50, tell: 100 },
  maxSilence: 500,
  recheck: 5,
};

/** For tests in which nobody is silent: a busy machine answers late. */
export const CALM: WebdavTimings = {
  ...QUICK,
  submit: 10_000,
  request: 10_000,
  deletion: 10_000,
  read: 10_000,
  maxSilence: 10_000,
};

/** The sandbox's nzbdav and the backend that talks to it. */
export interface WebdavLab extends FaultyBackend {
  readonly sandbox: Sandbox;
}

export interface LabOptions {
  /** Milliseconds that a job takes. */
  readonly jobDuration?: number;
  /** Those from the first fault on; absent: QUICK. */
  readonly times?: WebdavTimings;
  /** The backend has not met its server before: what recognising it costs counts among the requests. */
  readonly isFresh?: boolean;
}

export async function startLab(
  dialect: Dialect = NZBDAV,
  { jobDuration = 40, times: quick = QUICK, isFresh = false }: LabOptions = {},
): Promise<WebdavLab> {
  const sandbox = await startSandbox({ jobDuration, dialect });
  const { faults, backend: address } = sandbox;
  const log = memoryLog();
  const { watch, hits, onRequest, counted } = openWatch();
  faults.api = [watch];
  faults.webdav = [watch];
  const { times, quicken, calm } = paceOf(quick, CALM);
  const shut = async () => {
    quicken();
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
    ...(dialect === NZBDAV && { looksLater: true as const }),
    // Where zeros stand in for what is gone, no read of it fails.
    ...(dialect.lostArticle === 'zeros' && { fates: FATES.filter((fate) => fate !== 'damaged') }),
    film: { nzb: nzbFor(FILM_RELEASE), request: FILM },
    ...(dialect === NZBDAV && { filmAddress: addressOf(FILM_RELEASE, sandbox) }),
    pack: {
      nzb: nzbFor(PACK_RELEASE),
      request: EPISODE,
      fileName: PACK_FILE,
    },
    misbehave: (step, how, times) => {
      quicken();
      faults[step === 'locate' || step === 'read' ? 'webdav' : 'api'].push({
        ...transport(how),
        when: counted(ofStep(step)),
        ...(times === undefined ? {} : { times }),
      });
    },
    hits,
    onRequest,
    nextJobs: (fate) => {
      applyFate(faults, fate);
    },
    refuseSubmissions: (error) => {
      quicken();
      faults.submit = { error, status: 200 };
    },
    refuseRemovals: (error) => {
      quicken();
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
      calm();
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
    secrets: [CANARY.apiKey, CANARY.password, CANARY.indexerKey],
    close: () => sandbox.close(),
  };
}

const addressOf = ({ guid }: CatalogueRelease, { indexer: { url, apiKey } }: Sandbox) =>
  `${url}/api?${new URLSearchParams({ t: 'get', id: guid, apikey: apiKey }).toString()}`;

function ofStep(step: FaultyStep): (request: RecordedRequest) => boolean {
  const deletes = whenQuery('name', 'delete');
  switch (step) {
    case 'submit':
      return whenQuery('mode', 'addfile');
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
