import { setTimeout } from 'node:timers/promises';
import type { RecordedRequest } from '../../../sandbox/index.ts';
import { VIDEO_BYTES } from '../../../sandbox/nzbget/folders.ts';
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
import type { NzbgetTimings } from '../../../src/backends/download-client/timings.ts';
import type { JobFate } from '../../contracts/backend.ts';
import type { FaultyBackend, FaultyStep } from '../../contracts/backend-faults.ts';
import { memoryLog } from '../../support/log.ts';
import {
  EPISODE,
  FILM,
  FILM_RELEASE,
  FOLDERS,
  nzbFor,
  openWatch,
  PACK_FILE,
  PACK_RELEASE,
  paceOf,
  transport,
} from '../labs.ts';
import { type Share, sharedFolder } from './share.ts';

/** Everything at a pace at which a fault costs no test a second. */
export const QUICK: NzbgetTimings = {
  submit: 1_500,
  request: 400,
  lostReply: 5,
  poll: { min: 5, max: 20 },
  maxSilence: 500,
  maxAbsence: 40,
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

/** For tests in which nobody is silent: a busy machine answers late. */
export const CALM: NzbgetTimings = {
  ...QUICK,
  submit: 10_000,
  request: 10_000,
  maxSilence: 10_000,
  removal: 10_000,
  proof: 10_000,
  read: 10_000,
};

/** The simulated NZBGet, its share, and the backend between them. */
export interface DownloadClientLab extends FaultyBackend {
  readonly backend: ReturnType<typeof downloadClientBackend>;
  readonly nzbget: SandboxNzbget;
  readonly share: Share;
  readonly config: DownloadClientConfig;
  /** A backend with other settings for the same NZBGet; absent times are the lab's. */
  backendWith(
    config: Partial<DownloadClientConfig>,
    times?: NzbgetTimings,
  ): ReturnType<typeof downloadClientBackend>;
  /** How often each method was called. */
  calls(method: string): number;
}

export async function startLab(options: NzbgetOptions = {}): Promise<DownloadClientLab> {
  const nzbget = await startNzbget({ jobDuration: 40, ...options });
  const { faults } = nzbget;
  const log = memoryLog();
  const share = sharedFolder();
  const { watch, hits, onRequest, counted } = openWatch();
  faults.rpc = [watch];
  const config = configFor(nzbget);
  const { times, quicken, calm } = paceOf(QUICK, CALM);
  const backendWith = (other: Partial<DownloadClientConfig>, own: NzbgetTimings = times) =>
    downloadClientBackend({ ...config, ...other }, { files: share.files, log }, own);
  const shut = async () => {
    quicken();
    share.away = true;
    await nzbget.shut();
  };
  const open = async () => {
    share.away = false;
    await nzbget.open();
  };
  return {
    nzbget,
    share,
    config,
    backendWith,
    shut,
    backend: backendWith({}),
    film: { nzb: asLarge(nzbFor(FILM_RELEASE)), request: FILM },
    pack: {
      nzb: nzbFor(PACK_RELEASE),
      request: EPISODE,
      fileName: PACK_FILE,
    },
    misbehave: (step, how, times) => {
      quicken();
      if (step === 'read') {
        share.misbehave(how, times);
        return;
      }
      faults.rpc.push({
        ...transport(how),
        when: counted(ofStep(step)),
        ...(times !== undefined && { times }),
      });
    },
    hits: () => hits() + share.hits,
    onRequest,
    nextJobs: (fate) => {
      if (fate === 'damaged') share.holes = { from: 0.4, to: 0.6 };
      else applyFate(faults, fate);
    },
    refuseSubmissions: (words) => {
      quicken();
      faults.submit = { words };
    },
    refuseRemovals: (words) => {
      quicken();
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
      calm();
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

/** The NZB promises what will lie in the folder: a file that is far smaller would be taken for a stand-in. */
const asLarge = (nzb: Nzb): Nzb => ({ ...nzb, release: { ...nzb.release, size: VIDEO_BYTES } });

const configFor = ({ url, username, password, folder }: SandboxNzbget): DownloadClientConfig => ({
  url,
  username,
  password,
  folder,
  movieCategory: 'Movies',
  tvCategory: 'Series',
  // So that it has to be asked.
  serverFolder: '',
  mappings: [],
  priority: 'very-high',
  backups: 0,
});

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

function applyFate(faults: NzbgetFaults, fate: Exclude<JobFate, 'damaged'> | 'fails-late'): void {
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
    default:
      faults.folder = FOLDERS[fate];
  }
}
