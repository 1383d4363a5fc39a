import { startChild } from '../child.ts';
import { download } from '../client.ts';
import { type Figure, type Measurement, median } from '../figure.ts';
import { startNginx } from '../nginx.ts';
import { withResources } from '../resources.ts';
import { startService } from '../service.ts';
import { FILE_SIZE, GIB, localUrl, RUNS } from './setup.ts';

const RELAY_LIMIT = 0.8;
const NGINX_LIMIT = 0.7;

/** Against a relay that only passes bytes on; beside both, the origin itself. */
export const throughputVsRelay: Figure = {
  name: 'proxy.throughput-vs-relay',
  unit: '×',
  target: `≥ ${RELAY_LIMIT}`,
  measure: () =>
    withResources(async (use) => {
      const origin = await use(startChild('memory-server.ts', String(FILE_SIZE)));
      const relay = await use(startChild('relay.ts', String(origin.said)));
      const service = await use(startService());
      return compare(RELAY_LIMIT, {
        proxy: await service.prepare(localUrl(origin.said)),
        relay: localUrl(relay.said),
        origin: localUrl(origin.said),
      });
    }),
};

export const throughputVsNginx: Figure = {
  name: 'proxy.throughput-vs-nginx',
  unit: '×',
  target: `≥ ${NGINX_LIMIT}`,
  measure: () =>
    withResources(async (use) => {
      const origin = await use(startChild('memory-server.ts', String(FILE_SIZE)));
      const nginx = await use(startNginx(origin.said));
      const service = await use(startService());
      return compare(NGINX_LIMIT, {
        proxy: await service.prepare(localUrl(origin.said)),
        nginx: localUrl(nginx.port),
      });
    }),
};

/** One GiB in turn on each way, the first way against the second. Each round reads what none has read before. */
async function compare(limit: number, ways: Readonly<Record<string, string>>): Promise<Measurement> {
  const rates = new Map<string, number[]>(Object.keys(ways).map((way) => [way, []]));
  for (let round = 0; round <= RUNS; round++) {
    for (const [way, url] of Object.entries(ways)) {
      const rate = await download(url, GIB, round * GIB);
      // The first round warms up.
      if (round > 0) rates.get(way)?.push(rate);
    }
  }
  const medians = [...rates].map(([way, values]) => [way, median(values)] as const);
  const [ours = Number.NaN, theirs = Number.NaN] = medians.map(([, rate]) => rate);
  const said = medians.map(([way, rate]) => `${way} ${rate.toFixed(0)}`).join(', ');
  const value = ours / theirs;
  return { value, met: value >= limit, note: `${said} MB/s; medians of ${RUNS} runs in turn` };
}
