import { setTimeout } from 'node:timers/promises';
import {
  BIG_BUCK_BUNNY,
  CATALOGUE,
  type RecordedRequest,
  type TransportFault,
} from '../../../sandbox/index.ts';
import { nzbOf } from '../../../sandbox/indexer/nzb.ts';
import {
  NZBGET_CANARY,
  type NzbgetFaults,
  type NzbgetOptions,
  noNzbgetFaults,
  type SandboxNzbget,
  startNzbget,
} from '../../../sandbox/nzbget/index.ts';
import type { Nzb } from '../../../src/backends/backend.ts';
import {
  type DownloadClientConfig,
  downloadClientBackend,
} from '../../../src/backends/download-client/index.ts';
import type { Times } from '../../../src/backends/download-client/times.ts';
import { type MediaRequest, UNKNOWN_QUALITY } from '../../../src/model/index.ts';
import type { Fate, Misbehaviour } from '../../contracts/backend.ts';
import type { FaultyBackend, FaultyStep, Status } from '../../contracts/backend-faults.ts';
import { memoryLog } from '../../support/log.ts';
import { type Share, sharedFolder } from './share.ts';

/** Everything at a pace at which a fault costs no test a second. */
export const QUICK: Times = {
  submit: 400,
  request: 400,
  lostReply: 5,
  poll: { min: 5, max: 20 },
  silence: 500,
  absence: 40,
  promotion: 60,
  removal: 200,
  proof: 200,
  proofAge: 10_000,
  appear: 120,
  settle: 30,
  recheck: 5,
  locate: 10_000,
  read: 400,
};

/** The simulated NZBGet, its share, and the backend between them. */
export interface DownloadClientLab extends FaultyBackend {
  readonly backend: ReturnType<typeof downloadClientBackend>;
  readonly nzbget: SandboxNzbget;
  readonly share: Share;
  readonly config: DownloadClientConfig;
  /** A backend with other settings for the same NZBGet. */
  backendWith(config: Partial<DownloadClientConfig>): ReturnType<typeof downloadClientBackend>;
  /** How often each method was called. */
  calls(method: string): number;
}

export async function startLab(options: NzbgetOptions = {}): Promise<DownloadClientLab> {
  const nzbget = await startNzbget({ jobDuration: 40, ...options });
  const { faults } = nzbget;
  const log = memoryLog();
  const share = sharedFolder();
  let listener: () => void = () => undefined;
  let hits = 0;
  const watch: TransportFault = {
    kind: 'hang',
    when: () => {
      listener();
      return false;
    },
  };
  faults.rpc = [watch];
  const config = configFor(nzbget);
  const backendWith = (other: Partial<DownloadClientConfig>) =>
    downloadClientBackend({ ...config, ...other }, { files: share.files, log }, QUICK);
  const shut = async () => {
    share.away = true;
    await nzbget.shut();
  };
  const open = async () => {
    share.away = false;
    await nzbget.open();
  };
  return {
    ...{ nzbget, share, config, backendWith, shut },
    backend: backendWith({}),
    film: { nzb: nzbFor('Big.Buck.Bunny.2008.480p.DVDRip.x264-MEADOW'), request: FILM },
    pack: {
      nzb: nzbFor('Caminandes.S01.1080p.WEB-DL.x264-PACKED'),
      request: EPISODE,
      fileName: 'Caminandes.S01E02.Gran.Dillama.1080p.WEB-DL.x264-PACKED.mkv',
    },
    misbehave: (step, how, times) => {
      if (step === 'read') {
        share.misbehave(how, times);
        return;
      }
      const isOfStep = ofStep(step);
      const when = (request: RecordedRequest) => {
        const isHit = isOfStep(request);
        if (isHit) hits++;
        return isHit;
      };
      faults.rpc.push({ ...transport(how), when, ...(times !== undefined && { times }) });
    },
    hits: () => hits + share.hits,
    onRequest: (next) => {
      listener = next;
    },
    nextJobs: (fate) => {
      if (fate === 'damaged') share.holes = { from: 0.4, to: 0.6 };
      else applyFate(faults, fate);
    },
    refuseSubmissions: (words) => {
      faults.submit = { words };
    },
    refuseRemovals: (words) => {
      faults.edit = { words };
    },
    restart: async (away) => {
      await shut();
      await setTimeout(away);
      await open();
    },
    heal: async () => {
      Object.assign(faults, noNzbgetFaults(), { rpc: [watch] });
      share.heal();
      await open();
    },
    requests: () => nzbget.requests.length,
    calls: (method) => nzbget.requests.filter(({ query }) => query['rpc'] === method).length,
    sent: () => nzbget.requests.reduce((sum, { sent }) => sum + sent, 0),
    jobs: () => {
      nzbget.jobs.advance();
      return [...nzbget.jobs.queue, ...nzbget.jobs.history].map(({ name }) => name);
    },
    opens: async ({ url }) => (await share.bytesOf(url)) !== undefined,
    logged: () => log.lines.join('\n'),
    secrets: [NZBGET_CANARY],
    close: () => nzbget.close(),
  };
}

const configFor = ({ url, username, password, folder }: SandboxNzbget): DownloadClientConfig => ({
  ...{ url, username, password, folder },
  ...{ movieCategory: 'Movies', tvCategory: 'Series' },
  // So that it has to be asked.
  serverFolder: '',
  mappings: [],
  priority: 'very-high',
  backups: 0,
});

export const FILM: MediaRequest = {
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

export function nzbFor(name: string): Nzb {
  const release = CATALOGUE.find((each) => each.name === name);
  if (release === undefined) throw new Error(`not in the catalogue: ${name}`);
  const { guid, size } = release;
  const link = { url: 'http://127.0.0.1:1/', guid, indexer: 'Sandbox', source: 'sandbox' };
  return {
    bytes: new Uint8Array(Buffer.from(nzbOf(release))),
    release: { name, links: [link], size, quality: { ...UNKNOWN_QUALITY, title: name } },
    files: 3,
    segments: 3,
  };
}

/** What each step asks of NZBGet; the files themselves are no business of its. */
const METHODS: Readonly<Record<Exclude<FaultyStep, 'read'>, readonly string[]>> = {
  submit: ['append'],
  wait: ['listgroups', 'history'],
  locate: ['config'],
  remove: ['editqueue'],
};

const ofStep =
  (step: Exclude<FaultyStep, 'read'>) =>
  ({ query }: RecordedRequest): boolean =>
    METHODS[step].includes(query['rpc'] ?? '');

function transport(how: Misbehaviour | Status | 'stall'): TransportFault {
  if (typeof how === 'number') return { kind: 'status', status: how };
  if (how === 'stall') return { kind: 'cut', after: 10, how: 'hang' };
  if (how === 'unavailable') return { kind: 'status', status: 503, body: '<html>upstream is down</html>' };
  if (how === 'lost-by-reset') return { kind: 'answer-lost', how: 'reset' };
  if (how === 'lost-by-silence') return { kind: 'answer-lost', how: 'hang' };
  return { kind: how };
}

function applyFate(faults: NzbgetFaults, fate: Exclude<Fate, 'damaged'> | 'fails-late'): void {
  switch (fate) {
    case 'fails':
      faults.job = { kind: 'fails', status: 'FAILURE/HEALTH' };
      break;
    case 'fails-late':
      faults.job = { kind: 'fails', status: 'FAILURE/UNPACK', at: 99 };
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
  }
}
