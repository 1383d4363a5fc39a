import { startChild } from '../child.ts';
import { download, read } from '../client.ts';
import { type Figure, median } from '../figure.ts';
import type { PacedOptions } from '../paced-server.ts';
import { FILE_SIZE, localUrl } from '../proxy/setup.ts';
import { withResources } from '../resources.ts';
import { startService } from '../service.ts';
import { MB, playedBy, RUNS } from './setup.ts';

/** A service that streams by itself, nearby: 100 MB/s on each connection. */
const SERVICE: PacedOptions = { size: FILE_SIZE, latency: 0, rate: 100 * MB, shared: false };
const START_LIMIT = 60;
const RATE_LIMIT = 0.95;
const BYTES = 300 * MB;
const SIP = 64 * 1024;

/** From the order's answer to the first byte at the player: through us, and at the service's own address. */
export const directAddedStart: Figure = {
  name: 'direct.added-start',
  unit: 'ms',
  target: `≤ ${START_LIMIT}`,
  measure: () =>
    withResources(async (use) => {
      const server = await use(startChild('paced-server.ts', JSON.stringify(SERVICE)));
      const service = await use(startService());
      const own = localUrl(server.said);
      const times = { through: [] as number[], own: [] as number[] };
      // The first run warms up.
      for (let run = 0; run <= RUNS; run++) {
        const own1 = await timed(() => firstByte(own));
        const through = await timed(async () => firstByte(await service.prepare(own, playedBy())));
        if (run === 0) continue;
        times.own.push(own1);
        times.through.push(through);
      }
      const [through, alone] = [median(times.through), median(times.own)];
      const value = through - alone;
      const note = `${through.toFixed(1)} ms through the proxy, ${alone.toFixed(1)} at the service; medians of ${RUNS}`;
      return { value, met: value <= START_LIMIT, note };
    }),
};

export const directThroughput: Figure = {
  name: 'direct.throughput-vs-own',
  unit: '×',
  target: `≥ ${RATE_LIMIT}`,
  measure: () =>
    withResources(async (use) => {
      const server = await use(startChild('paced-server.ts', JSON.stringify(SERVICE)));
      const service = await use(startService());
      const own = localUrl(server.said);
      const url = await service.prepare(own, playedBy());
      const rates = { through: [] as number[], own: [] as number[] };
      for (let run = 0; run < RUNS; run++) {
        rates.own.push(await download(own, BYTES, run * BYTES));
        rates.through.push(await download(url, BYTES, run * BYTES));
      }
      const [through, alone] = [median(rates.through), median(rates.own)];
      const value = through / alone;
      const note = `${through.toFixed(1)} MB/s through the proxy, ${alone.toFixed(1)} at the service; medians of ${RUNS}`;
      return { value, met: value >= RATE_LIMIT, note };
    }),
};

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const firstByte = (url: string): Promise<void> =>
  read(url, { first: 0, atOnce: SIP, onBytes: () => 'leave' });
