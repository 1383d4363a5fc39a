import { join } from 'node:path';
import { startChild } from '../child.ts';
import { download } from '../client.ts';
import { type Figure, type Measurement, median } from '../figure.ts';
import { withResources } from '../resources.ts';
import { startService } from '../service.ts';
import { shippedNode, versionOf } from '../shipped-node.ts';
import { cpuSeconds } from '../usage.ts';
import { FILE_SIZE, GIB, localUrl, RUNS } from './setup.ts';

const LIMIT = 0.5;
const TLS_LIMIT = 0.9;

const TLS = join(import.meta.dirname, '../../test/fixtures/tls');
const KEY = join(TLS, 'key.pem');
const CERTIFICATE = join(TLS, 'cert.pem');

/** Processor time of the service for one GiB that a player reads as fast as it can; beside it, the bare relay's. */
export const cpuPerGib: Figure = {
  name: 'proxy.cpu-per-gib',
  unit: 's',
  target: `≤ ${LIMIT}`,
  measure: () =>
    withResources(async (use) => {
      const origin = await use(startChild('memory-server.ts', String(FILE_SIZE)));
      const relay = await use(startChild('relay.ts', String(origin.said)));
      const service = await use(startService());
      return perGib(LIMIT, [
        { name: 'proxy', pid: service.pid, url: await service.prepare(localUrl(origin.said)) },
        { name: 'relay', pid: relay.pid, url: localUrl(relay.said) },
      ]);
    }),
};

/** The same from an origin with TLS, on the Node that the runtime add-on brings; beside it, on this one. */
export const cpuPerGibTls: Figure = {
  name: 'proxy.cpu-per-gib-tls',
  unit: 's',
  target: `≤ ${TLS_LIMIT}`,
  measure: () =>
    withResources(async (use) => {
      const origin = await use(startChild('memory-server.ts', String(FILE_SIZE), KEY, CERTIFICATE));
      const url = `https://localhost:${origin.said}/film.mkv`;
      const ways: Way[] = [];
      for (const node of [await shippedNode(), process.execPath]) {
        const service = await use(startService({ node, env: { NODE_EXTRA_CA_CERTS: CERTIFICATE } }));
        ways.push({ name: await versionOf(node), pid: service.pid, url: await service.prepare(url) });
      }
      return perGib(TLS_LIMIT, ways);
    }),
};

interface Way {
  readonly name: string;
  readonly pid: number;
  readonly url: string;
}

/** One GiB in turn on each way; the figure is the first one's. */
async function perGib(limit: number, ways: readonly Way[]): Promise<Measurement> {
  const seconds = ways.map((): number[] => []);
  const rates = ways.map((): number[] => []);
  for (let round = 0; round <= RUNS; round++) {
    for (const [index, { pid, url }] of ways.entries()) {
      const before = await cpuSeconds(pid);
      const rate = await download(url, GIB, round * GIB);
      // The first round warms up.
      if (round === 0) continue;
      seconds[index]?.push((await cpuSeconds(pid)) - before);
      rates[index]?.push(rate);
    }
  }
  const said = ways.map(
    ({ name }, index) =>
      `${name} ${median(seconds[index] ?? []).toFixed(2)} s at ${median(rates[index] ?? []).toFixed(0)} MB/s`,
  );
  const value = median(seconds[0] ?? []);
  return { value, met: value <= limit, note: `${said.join(', ')}; medians of ${RUNS} runs in turn` };
}
