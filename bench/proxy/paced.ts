import { startChild } from '../child.ts';
import { download } from '../client.ts';
import { type Figure, median } from '../figure.ts';
import type { PacedOptions } from '../paced-server.ts';
import { withResources } from '../resources.ts';
import { startService } from '../service.ts';
import { FILE_SIZE, localUrl, RUNS } from './setup.ts';

/** An origin that is far away and limits each connection: several at once help. */
export const slowConnections = againstSingleStream({
  name: 'proxy.slow-connections',
  limit: 3.5,
  origin: { latency: 60, rate: 10e6, shared: false },
  bytes: 512e6,
  // A connection's rate is the origin's to keep: no need to watch it for a minute.
  singleBytes: 64e6,
});

/** An origin whose connections share one rate: several at once only take from each other. */
export const sharedPool = againstSingleStream({
  name: 'proxy.shared-pool',
  limit: 0.95,
  origin: { latency: 60, rate: 40e6, shared: true },
  bytes: 256e6,
  singleBytes: 256e6,
});

interface Comparison {
  readonly name: string;
  readonly limit: number;
  readonly origin: Omit<PacedOptions, 'size'>;
  readonly bytes: number;
  readonly singleBytes: number;
}

/** The proxy's rate against that of the same player with its one connection at the origin. */
function againstSingleStream({ name, limit, origin, bytes, singleBytes }: Comparison): Figure {
  return {
    name,
    unit: '×',
    target: `≥ ${limit} × a single stream`,
    measure: () =>
      withResources(async (use) => {
        const options: PacedOptions = { ...origin, size: FILE_SIZE };
        const server = await use(startChild('paced-server.ts', JSON.stringify(options)));
        const rates = { proxy: [] as number[], single: [] as number[] };
        for (let run = 0; run < RUNS; run++) {
          rates.single.push(await download(localUrl(server.said), singleBytes));
          // A new proxy each time: what one has learnt of the origin must not help the next.
          rates.proxy.push(
            await withResources(async (useOnce) => {
              const service = await useOnce(startService());
              return download(await service.prepare(localUrl(server.said)), bytes);
            }),
          );
        }
        const [proxied, single] = [median(rates.proxy), median(rates.single)];
        const value = proxied / single;
        const spread = `${Math.min(...rates.proxy).toFixed(1)}–${Math.max(...rates.proxy).toFixed(1)}`;
        const note = `${proxied.toFixed(1)} MB/s (${spread}) through the proxy, ${single.toFixed(1)} single; medians of ${RUNS}`;
        return { value, met: value >= limit, note };
      }),
  };
}
