import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startEngine } from '../test/support/engine.ts';
import { type Figure, median } from './figure.ts';

const RUNS = 11;
const LIMIT_MS = 250;
const LIMIT_RATIO = 2.5;

/** The smallest program that makes one HTTP request: what Node itself costs. */
const BARE = `require('node:http').get(process.argv[1], (r) => r.resume())`;

/** From spawning the engine to its first request at the indexer, beside a bare Node program's in the same run. */
export const firstRequest: Figure = {
  name: 'plugin.first-request',
  unit: 'ms',
  target: `≤ ${LIMIT_MS} and ≤ ${LIMIT_RATIO} × a bare Node program`,
  measure: async () => {
    const indexer = await listen();
    const ours: number[] = [];
    const bare: number[] = [];
    const folder = (await engineRun(indexer)).dataFolder;
    for (let run = 0; run < RUNS; run++) {
      ours.push((await engineRun(indexer, folder)).ms);
      bare.push(await bareRun(indexer));
    }
    indexer.close();
    const value = median(ours);
    const ratio = value / median(bare);
    return {
      value,
      met: value <= LIMIT_MS && ratio <= LIMIT_RATIO,
      note: `bare Node ${median(bare).toFixed(0)} ms, ratio ${ratio.toFixed(2)}, n ${RUNS}`,
    };
  },
};

interface Indexer {
  readonly url: string;
  /** Resolves with the time of the next request's arrival. */
  nextRequest(): Promise<number>;
  close(): void;
}

async function listen(): Promise<Indexer> {
  let arrived: (at: number) => void = () => undefined;
  const server = createServer((_request, response) => {
    arrived(performance.now());
    response.writeHead(503, { connection: 'close' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nextRequest: () => new Promise((resolve) => (arrived = resolve)),
    close: () => server.close(),
  };
}

async function engineRun(indexer: Indexer, dataFolder?: string): Promise<{ ms: number; dataFolder: string }> {
  const request = indexer.nextRequest();
  const spawned = performance.now();
  const engine = startEngine({
    command: 'plugin',
    start: {
      argv: ['plugin://plugin.video.slipstream/play', '1', '?type=movie&title=Sintel&imdb=tt1727587', ''],
    },
    settings: {
      indexer_url: indexer.url,
      indexer_api_key: 'bench-key',
      webdav_api_url: indexer.url,
      webdav_api_key: 'bench-key',
    },
    ...(dataFolder === undefined ? {} : { dataFolder }),
  });
  const ms = (await request) - spawned;
  engine.child.kill('SIGKILL');
  await engine.ended;
  return { ms, dataFolder: engine.dataFolder };
}

async function bareRun(indexer: Indexer): Promise<number> {
  const request = indexer.nextRequest();
  const spawned = performance.now();
  const child = spawn(process.execPath, ['-e', BARE, indexer.url], {
    stdio: 'ignore',
    // As lean as the engine's: certificates of the environment, for one, cost more than the program.
    env: { PATH: process.env['PATH'] },
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const ms = (await request) - spawned;
  await ended;
  return ms;
}
