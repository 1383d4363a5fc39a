import { setTimeout } from 'node:timers/promises';
import {
  type DirectStreamKind,
  type DirectStreamSandbox,
  downloadKey,
  startDirectStream,
} from '../../../sandbox/direct-stream/index.ts';
import {
  type CatalogueRelease,
  noFaults,
  type RecordedRequest,
  type TransportFault,
} from '../../../sandbox/index.ts';
import type { Backend, Located, Nzb, WaitOptions } from '../../../src/backends/backend.ts';
import { directStreamBackend } from '../../../src/backends/direct-stream/index.ts';
import type { DirectStreamTimings } from '../../../src/backends/direct-stream/timings.ts';
import { verifyOpened } from '../../../src/backends/direct-stream/verify-opened.ts';
import type { MediaRequest, Playable } from '../../../src/model/index.ts';
import { loadReleaseNameParser } from '../../../src/release/index.ts';
import type { FaultyBackend, FaultyStep } from '../../contracts/backend-faults.ts';
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
import { throughProxy } from './through-proxy.ts';

/** Everything at a pace at which a fault costs no test a second. */
export const QUICK: DirectStreamTimings = {
  block: 300,
  upload: 100,
  request: 300,
  settle: 250,
  open: 1_500,
  locate: 3_000,
  read: 1_000,
  retryInterval: 5,
  stallCheck: 100,
  maxRetryAfter: 20,
  maxSilence: 1_000,
  maxReadySilence: 1_000,
};

/** For tests in which nobody is silent: a busy machine answers late. */
export const CALM: DirectStreamTimings = {
  ...QUICK,
  block: 10_000,
  upload: 10_000,
  request: 10_000,
  open: 10_000,
  locate: 10_000,
  read: 10_000,
  maxSilence: 10_000,
};

/** With characters that URLs write otherwise. */
const KEY = 'canary direct/key=5e20b7';

export interface DirectStreamLab extends FaultyBackend {
  readonly sandbox: DirectStreamSandbox;
}

export async function startLab(
  kind: DirectStreamKind,
  via: Playable['via'] = 'player',
): Promise<DirectStreamLab> {
  const sandbox = await startDirectStream(kind, { apiKey: KEY, jobDuration: 40 });
  const { faults } = sandbox;
  const log = memoryLog();
  const { watch, hits, onRequest, counted } = openWatch();
  const watched = () => ({ api: [watch], webdav: [watch] });
  Object.assign(faults, watched());
  const config = { kind, url: sandbox.url, apiKey: KEY, movieCategory: 'movies', tvCategory: 'tv', via };
  const altMount = kind === 'altmount';
  const { times, quicken, calm } = paceOf(QUICK, CALM);
  const shut = async () => {
    quicken();
    await sandbox.shut();
  };
  return {
    sandbox,
    backend: directStreamBackend(config, log, times),
    keepsNoList: true,
    ...(via === 'proxy' && { looksLater: true as const, jobTimeout: 6_000 }),
    secretAddresses: true,
    namesOne: true,
    fewest: altMount ? { play: 6, lost: 2 } : { play: 2, lost: 2 },
    ...(altMount && { leavesFiles: true as const }),
    steps: altMount ? ['submit', 'locate', 'remove'] : ['submit', 'wait'],
    ...(!altMount && {
      keepsNoJobs: true,
      withoutPacks: true,
      fates: ['fails', 'stuck', 'vanishes', 'damaged'] as const,
    }),
    film: { nzb: await judgedNzbFor(FILM_RELEASE), request: FILM },
    pack: { nzb: await judgedNzbFor(PACK_RELEASE), request: EPISODE, fileName: PACK_FILE },
    misbehave: (step, how, times) => {
      quicken();
      const { service, when } = ofStep(kind, step, via);
      faults[service].push({
        ...(service === 'webdav' && how === 'truncated' ? CUT : transport(how)),
        when: counted(when),
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
      faults.submit = { error, status: 400 };
    },
    refuseRemovals: (error) => {
      quicken();
      const body = JSON.stringify({ status: false, error });
      faults.api.push({ kind: 'body', body, when: ofStep(kind, 'remove', via).when });
    },
    shut,
    restart: async (away) => {
      await shut();
      await setTimeout(away);
      await sandbox.open();
    },
    heal: async () => {
      Object.assign(faults, noFaults(), watched());
      await sandbox.open();
      calm();
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

/** A lab whose streams are opened by a proxy, as the media centre's are by themselves: what is located has been opened. */
export async function startProxiedLab(kind: DirectStreamKind): Promise<DirectStreamLab> {
  const lab = await startLab(kind, 'proxy');
  const proxied = await throughProxy(lab.backend, kind === 'streamnzb');
  const close = async () => {
    await proxied.close();
    await lab.close();
  };
  return { ...lab, backend: proxied.backend, close };
}

/** Plays as the resolver does: what has been opened is held against what was asked for. */
export async function playJudged(
  backend: Backend,
  nzb: Nzb,
  request: MediaRequest,
  { name, options }: { readonly name: string; readonly options: WaitOptions },
): Promise<Located> {
  const { signal } = options;
  const job = await backend.waitUntilReady(await backend.submit(nzb, name, request, signal), options);
  const located = await backend.locate(job, request, signal);
  const { received: came } = located;
  if (came !== undefined) verifyOpened({ who: backend.name, release: nzb.release, request }, came);
  return located;
}

/** What a release holds counts here, and its name tells. */
export async function judgedNzbFor(release: CatalogueRelease): Promise<Nzb> {
  const nzb = nzbFor(release);
  const parse = await loadReleaseNameParser();
  return { ...nzb, release: { ...nzb.release, quality: parse(release.name) } };
}

type Service = 'api' | 'webdav';

/** A stream is opened from its first byte on; any other range is a reading of it. */
function ofStep(
  kind: DirectStreamKind,
  step: FaultyStep,
  via: Playable['via'],
): { service: Service; when: (request: RecordedRequest) => boolean } {
  const opening = via === 'player' ? /^bytes=0-4095$/ : /^bytes=0-/;
  const opens = ({ headers }: RecordedRequest) => opening.test(headers['range'] ?? '');
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
