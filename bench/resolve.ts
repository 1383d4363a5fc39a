import { asks, startSandbox } from '../sandbox/index.ts';
import { startEngine } from '../test/support/engine.ts';
import { type Figure, median } from './figure.ts';

const RUNS = 7;
const LIMIT_MS = 300;
const JOB_MS = 600;

/** From the backend's answer that says ready to the local URL handed over; two built engines, as in Kodi. */
export const reportedToUrl: Figure = {
  name: 'resolve.reported-to-url',
  unit: 'ms',
  target: `≤ ${LIMIT_MS}`,
  measure: async () => {
    const sandbox = await startSandbox({ jobDuration: JOB_MS });
    const service = startEngine({ command: 'service', start: { listen: { port: 0 } } });
    try {
      while (!service.properties.has('svc.proxy_port'))
        await new Promise((resolve) => setTimeout(resolve, 20));
      const times: number[] = [];
      for (let run = 0; run < RUNS; run++) times.push(await resolveOnce(sandbox, service.properties));
      const value = median(times);
      const spread = `${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)}`;
      return { value, met: value <= LIMIT_MS, note: `spread ${spread} ms, n ${RUNS}` };
    } finally {
      service.child.kill('SIGKILL');
      await service.ended;
      await sandbox.close();
    }
  },
};

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

async function resolveOnce(sandbox: Sandbox, properties: ReadonlyMap<string, string>): Promise<number> {
  const from = sandbox.requests.length;
  const engine = startEngine({
    command: 'plugin',
    start: {
      argv: [
        'plugin://plugin.video.slipstream/play',
        '1',
        '?type=movie&title=Sintel&year=2010&imdb=tt1727587',
        '',
      ],
    },
    settings: { ...sandbox.settings, auto_select: 'true' },
    properties,
  });
  await engine.ended;
  const handedOver = engine.calls.find(({ method }) => method === 'resolve');
  // The last look at the history is the one whose answer said that the job is ready.
  const reported = sandbox.requests.slice(from).findLast(asks('mode', 'history'));
  if (handedOver === undefined || handedOver.params['item'] === null || reported === undefined) {
    throw new Error(`the resolve failed: ${engine.stderr.join('')}`);
  }
  return handedOver.at + performance.timeOrigin - reported.at;
}
