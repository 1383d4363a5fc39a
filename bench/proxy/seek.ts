import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../child.ts';
import { timeToFirstByte } from '../client.ts';
import { type Figure, percentile } from '../figure.ts';
import { withResources } from '../resources.ts';
import { startService } from '../service.ts';
import { FILE_SIZE, localUrl } from './setup.ts';

const PAIRS = 1_000;
const WARM_UP = 50;
/** Milliseconds between two pairs. */
const REST = 30;

export const seekAddedP50 = seekAdded('p50', 0.5, 2);
export const seekAddedP99 = seekAdded('p99', 0.99, 8);

/** Time from opening a connection to the first byte at a random position, less the same at the origin itself. */
function seekAdded(name: string, part: number, limit: number): Figure {
  return {
    name: `proxy.seek-added-${name}`,
    unit: 'ms',
    target: `≤ ${limit}`,
    measure: async () => {
      const { proxy, origin } = await (seeks ??= measureSeeks());
      const [through, direct] = [percentile(proxy, part), percentile(origin, part)];
      const value = through - direct;
      const note = `${through.toFixed(2)} ms through the proxy, ${direct.toFixed(2)} ms without; n ${PAIRS}`;
      return { value, met: value <= limit, note };
    },
  };
}

interface Seeks {
  readonly proxy: readonly number[];
  readonly origin: readonly number[];
}

/** Both figures come from the same seeks. */
let seeks: Promise<Seeks> | undefined;

function measureSeeks(): Promise<Seeks> {
  return withResources(async (use) => {
    const origin = await use(startChild('memory-server.ts', String(FILE_SIZE)));
    const service = await use(startService());
    const direct = localUrl(origin.said);
    const through = await service.prepare(direct);
    const times = { proxy: [] as number[], origin: [] as number[] };
    for (let pair = -WARM_UP; pair < PAIRS; pair++) {
      const first = Math.floor(Math.random() * FILE_SIZE);
      const without = await timeToFirstByte(direct, first);
      const within = await timeToFirstByte(through, first);
      if (pair >= 0) {
        times.proxy.push(within);
        times.origin.push(without);
      }
      await sleep(REST);
    }
    return times;
  });
}
