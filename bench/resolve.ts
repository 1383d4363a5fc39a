import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  monotonicTime,
  type Sandbox,
  startSandbox,
  type TransportFault,
  whenQuery,
} from '../sandbox/index.ts';
import { type Engine, startEngine } from '../test/support/engine.ts';
import { Random } from '../test/support/random.ts';
import { type Figure, median, percentile } from './figure.ts';

const RUNS = 7;
const LIMIT_MS = 300;
const JOB_MS = 600;

/** From the backend's answer that says ready to the local URL handed over; two built engines, as in Kodi. */
export const reportedToUrl: Figure = {
  name: 'resolve.reported-to-url',
  unit: 'ms',
  target: `≤ ${LIMIT_MS}`,
  measure: () =>
    withService(async (service) => {
      const sandbox = await startSandbox({ jobDuration: JOB_MS });
      try {
        const times: number[] = [];
        for (let run = 0; run < RUNS; run++) {
          const { handedOver, lastLook } = await play(sandbox, service);
          times.push(handedOver - lastLook);
        }
        const value = median(times);
        const spread = `${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)}`;
        return { value, met: value <= LIMIT_MS, note: `spread ${spread} ms, n ${RUNS}` };
      } finally {
        await sandbox.close();
      }
    }),
};

const SHORT_JOB_MS = 150;
const SUBMIT_LIMIT_MS = 330;

/** From addfile's answer to the local URL, of a job that is ready at once, as most are. */
export const submitToUrl: Figure = {
  name: 'resolve.submit-to-url',
  unit: 'ms',
  target: `≤ ${SUBMIT_LIMIT_MS}`,
  measure: () =>
    withService(async (service) => {
      const times: number[] = [];
      for (let run = 0; run < RUNS; run++) times.push(await submittedToUrl(service));
      const value = median(times);
      const spread = `${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)}`;
      return {
        value,
        met: value <= SUBMIT_LIMIT_MS,
        note: `ready after ${SHORT_JOB_MS} ms; spread ${spread} ms, n ${RUNS}`,
      };
    }),
};

/** With a sandbox of its own: what was played before would be there already. */
async function submittedToUrl(service: Engine): Promise<number> {
  const sandbox = await startSandbox({ jobDuration: SHORT_JOB_MS });
  try {
    const { handedOver } = await play(sandbox, service);
    // addfile answers as soon as the job has begun.
    const answered = (sandbox.jobs()[0]?.finished ?? Number.NaN) - SHORT_JOB_MS;
    return handedOver - answered;
  } finally {
    await sandbox.close();
  }
}

const JOBS = 50;
const AT_ONCE = 5;
const LONGEST_JOB_MS = 10_000;
const ROUND_TRIP_MS = 20;
const SEED = 20_261_121;
const READY_LIMIT_MS = 450;
const POLL_LIMIT = 2;

/** Milliseconds after the submission: the looks before are for the jobs that most are. */
const COUNTED_FROM_MS = 1_000;

interface Wait {
  /** Milliseconds from the moment the backend was ready to the URL. */
  readonly late: number;
  /** Looks at the job per second, from its first second on until it was ready; of one that was ready by then: none. */
  readonly rate: number | undefined;
}

let waits: Promise<readonly Wait[]> | undefined;

/** From the moment a job is ready, which nobody tells, to the local URL. */
export const readyToUrl: Figure = {
  name: 'resolve.ready-to-url',
  unit: 'ms',
  target: `≤ ${READY_LIMIT_MS}`,
  measure: async () => {
    const late = (await (waits ??= waitOften())).map((wait) => wait.late);
    const value = median(late);
    return {
      value,
      met: value <= READY_LIMIT_MS,
      note: `p90 ${percentile(late, 0.9).toFixed(0)} ms; ${JOBS} jobs of up to 10 s, ${ROUND_TRIP_MS} ms round trip, seed ${SEED}`,
    };
  },
};

/** What that costs the backend in requests. */
export const pollRate: Figure = {
  name: 'resolve.poll-rate',
  unit: '1/s',
  target: `≤ ${POLL_LIMIT} on average`,
  measure: async () => {
    const rates = (await (waits ??= waitOften())).flatMap(({ rate }) => rate ?? []);
    const value = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    return {
      value,
      met: value <= POLL_LIMIT,
      note: `highest ${Math.max(...rates).toFixed(1)}, the same jobs from their second second on`,
    };
  },
};

const ROUND_TRIPS = 5;
const THERE_LIMIT_MS = ROUND_TRIPS * ROUND_TRIP_MS + 100;

/** From the end of the search to the local URL of what the backend holds already, its middle read included. */
export const existingJobToUrl: Figure = {
  name: 'resolve.already-there',
  unit: 'ms',
  target: `≤ ${ROUND_TRIPS} round trips + 100`,
  measure: () =>
    withService(async (service) => {
      const sandbox = await startSandbox({ jobDuration: JOB_MS });
      try {
        await play(sandbox, service);
        slowDown(sandbox);
        const runs: { readonly took: number; readonly trips: number }[] = [];
        for (let run = 0; run < RUNS; run++) {
          const { handedOver, searched, requests } = await play(sandbox, service);
          const after = requests.filter(({ at, service: of }) => of !== 'indexer' && at > searched);
          if (requests.some(whenQuery('mode', 'addfile'))) throw new Error('it was submitted again');
          runs.push({ took: handedOver - searched, trips: after.length });
        }
        const value = median(runs.map(({ took }) => took));
        const trips = Math.max(...runs.map((run) => run.trips));
        return {
          value,
          met: value <= THERE_LIMIT_MS && trips <= ROUND_TRIPS,
          note: `${trips} requests of ${ROUND_TRIP_MS} ms each, n ${RUNS}`,
        };
      } finally {
        await sandbox.close();
      }
    }),
};

const PACK_LIMIT_MS = 1_500;
const EPISODE = (number: number) =>
  `?type=episode&showname=Caminandes&showyear=2013&tvdb=990001&season=1&episode=${number}`;
/** The pack alone passes, so that it is what the first episode is played from. */
const PACK_ONLY = { required_words: 'PACKED' };

/** From the request for a pack's next episode to its URL, the pack being at the backend: no indexer is asked. */
export const existingPackToUrl: Figure = {
  name: 'next-episode.pack-there',
  unit: 'ms',
  target: `≤ ${PACK_LIMIT_MS}, no indexer asked`,
  measure: () =>
    withService(async (service) => {
      const sandbox = await startSandbox({ jobDuration: JOB_MS });
      try {
        const folder = await mkdtemp(join(tmpdir(), 'slipstream-bench-'));
        await play(sandbox, service, { query: EPISODE(1), settings: PACK_ONLY, folder });
        const runs: { readonly took: number; readonly asked: number }[] = [];
        for (let run = 0; run < RUNS; run++) {
          const asked = monotonicTime();
          const { handedOver, requests } = await play(sandbox, service, { query: EPISODE(2), folder });
          if (requests.some(whenQuery('mode', 'addfile'))) throw new Error('it was submitted again');
          const indexer = requests.filter(({ service: of }) => of === 'indexer');
          runs.push({ took: handedOver - asked, asked: indexer.length });
        }
        await rm(folder, { recursive: true });
        const value = median(runs.map(({ took }) => took));
        const asked = Math.max(...runs.map((run) => run.asked));
        return {
          value,
          met: value <= PACK_LIMIT_MS && asked === 0,
          note: `${asked} requests to the indexer, the plugin's start included, n ${RUNS}`,
        };
      } finally {
        await sandbox.close();
      }
    }),
};

async function waitOften(): Promise<readonly Wait[]> {
  const random = new Random(SEED);
  const durations = Array.from({ length: JOBS }, () => random.next() * LONGEST_JOB_MS);
  return await withService(async (service) => {
    const found: Wait[] = [];
    for (let first = 0; first < JOBS; first += AT_ONCE) {
      const together = durations.slice(first, first + AT_ONCE).map((duration) => waitOnce(duration, service));
      found.push(...(await Promise.all(together)));
    }
    return found;
  });
}

async function waitOnce(jobDuration: number, service: Engine): Promise<Wait> {
  const sandbox = await startSandbox({ jobDuration });
  try {
    slowDown(sandbox);
    const { handedOver, requests } = await play(sandbox, service);
    const ready = sandbox.jobs()[0]?.finished ?? Number.NaN;
    const submitted = requests.find(whenQuery('mode', 'addfile'))?.at ?? Number.NaN;
    const looks = requests.filter(
      (request) =>
        ['queue', 'history'].includes(request.query['mode'] ?? '') &&
        request.at > submitted + COUNTED_FROM_MS &&
        request.at <= ready,
    );
    const counted = (ready - submitted - COUNTED_FROM_MS) / 1000;
    // In less than a second one look says nothing of a rate.
    return { late: handedOver - ready, rate: counted > 0 ? looks.length / Math.max(1, counted) : undefined };
  } finally {
    await sandbox.close();
  }
}

function slowDown({ faults }: Sandbox): void {
  const slow: TransportFault = { kind: 'slow', milliseconds: ROUND_TRIP_MS };
  faults.api.push(slow);
  faults.webdav.push(slow);
}

async function withService<T>(work: (service: Engine) => Promise<T>): Promise<T> {
  const service = startEngine({ command: 'service', start: { listen: { port: 0 } } });
  try {
    while (!service.properties.has('svc.proxy_port')) await new Promise((resolve) => setTimeout(resolve, 20));
    return await work(service);
  } finally {
    service.child.kill('SIGKILL');
    await service.ended;
  }
}

interface Play {
  /** All of these in milliseconds since the epoch. */
  readonly handedOver: number;
  /** The look at the history whose answer said that the job is ready. */
  readonly lastLook: number;
  /** The indexer's last answer before the NZB was fetched. */
  readonly searched: number;
  readonly requests: Sandbox['requests'];
}

interface PlayOptions {
  /** Of plugin:// */
  readonly query?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

const SINTEL = '?type=movie&title=Sintel&year=2010&imdb=tt1727587';

async function play(
  sandbox: Sandbox,
  { properties }: Engine,
  { query: asked = SINTEL, settings = {}, folder }: PlayOptions = {},
): Promise<Play> {
  const from = sandbox.requests.length;
  const engine = startEngine({
    command: 'plugin',
    start: {
      argv: ['plugin://plugin.video.slipstream/play', '1', asked, ''],
    },
    settings: { ...sandbox.settings, auto_select: 'true', cache_minutes: '0', ...settings },
    properties,
    ...(folder !== undefined && { dataFolder: folder }),
  });
  await engine.ended;
  const resolved = engine.calls.find(({ method }) => method === 'resolve');
  if (resolved === undefined || resolved.params['item'] === null)
    throw new Error(`the resolve failed: ${engine.stderr.join('')}`);
  const requests = sandbox.requests.slice(from);
  const searches = requests.filter(({ service, query }) => service === 'indexer' && query['t'] !== 'get');
  return {
    handedOver: resolved.at + performance.timeOrigin,
    lastLook: requests.findLast(whenQuery('mode', 'history'))?.at ?? Number.NaN,
    searched: searches.at(-1)?.at ?? Number.NaN,
    requests,
  };
}
