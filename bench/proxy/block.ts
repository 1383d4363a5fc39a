import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from '../../src/io/wait.ts';
import { bundle, startChild } from '../child.ts';
import { play } from '../client.ts';
import { type Figure, median } from '../figure.ts';
import { withResources } from '../resources.ts';
import { type Service, startService } from '../service.ts';
import { FILE_SIZE, FILM_RATE, GIB, localUrl, RUNS } from './setup.ts';

const LIMIT = 20;
const SECONDS = 6;
/** Milliseconds. */
const LOOK_AGAIN = 20;
const PATIENCE = 10_000;
const IN_THE_MIDDLE = 1_000;

/**
 * The longest time that the service could do nothing else, while a player reads 100 Mbit/s from it and a second process
 * ranks 5,000 releases over and over, as the plugin process does for a play during a play.
 */
export const longestBlock: Figure = {
  name: 'service.longest-block',
  unit: 'ms',
  target: `≤ ${LIMIT}`,
  measure: () =>
    withResources(async (use) => {
      const origin = await use(startChild('memory-server.ts', String(FILE_SIZE)));
      const service = await use(
        startService({ env: { NODE_OPTIONS: `--require "${await bundle('block-probe.ts')}"` } }),
      );
      const url = await service.prepare(localUrl(origin.said));
      await longestWhile(service, () => playFrom(url, 0));
      const blocks = await blocksWhileRanking(service, url);
      const inside = await longestWhile(service, async () => {
        await Promise.all([playFrom(url, 0), rankIn(service)]);
      });
      const value = median(blocks);
      const worst = `worst ${Math.max(...blocks).toFixed(1)} ms; median of ${RUNS} × ${SECONDS} s`;
      const note = `${worst}; ${inside.toFixed(0)} ms if the service ranked by itself`;
      return { value, met: value <= LIMIT, note };
    }),
};

const playFrom = (url: string, first: number): Promise<void> => play(url, FILM_RATE, SECONDS, first);

function blocksWhileRanking(service: Service, url: string): Promise<number[]> {
  return withResources(async (use) => {
    await use(startChild('ranker.ts'));
    const blocks: number[] = [];
    for (let run = 1; run <= RUNS; run++)
      blocks.push(await longestWhile(service, () => playFrom(url, run * GIB)));
    return blocks;
  });
}

async function rankIn({ pid }: Service): Promise<void> {
  await sleep(IN_THE_MIDDLE);
  process.kill(pid, 'SIGHUP');
}

/** Milliseconds of the longest block while the work is done. */
async function longestWhile(service: Service, work: () => Promise<void>): Promise<number> {
  await report(service);
  await work();
  return report(service);
}

/** Asks the probe, which then begins anew. */
async function report({ pid, stderr }: Service): Promise<number> {
  const before = reports(stderr).length;
  process.kill(pid, 'SIGUSR2');
  const said = await poll(() => Promise.resolve(reports(stderr)[before]), {
    signal: new AbortController().signal,
    interval: () => LOOK_AGAIN,
    deadline: PATIENCE,
  });
  if (said === undefined) throw new Error('the probe does not answer');
  return said;
}

const reports = (stderr: readonly string[]): number[] =>
  [...stderr.join('').matchAll(/^longest block: ([\d.]+)$/gm)].map(([, ms]) => Number(ms));
