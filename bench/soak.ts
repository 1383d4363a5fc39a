import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { repeatEvery } from '../src/io/wait.ts';
import { startChild } from './child.ts';
import { median } from './figure.ts';
import { FILE_SIZE, FILM_RATE, localUrl, MIB } from './proxy/setup.ts';
import { withResources } from './resources.ts';
import { startService } from './service.ts';
import { Viewer } from './soak-viewer.ts';
import { resident } from './usage.ts';

/** MiB. */
export const SOAK_DRIFT_LIMIT = 5;
/** Milliseconds. */
const SAMPLE_EVERY = 1_000;
/** For what ended with the last connection to be freed. */
const REST = 2_000;

export interface SoakReport {
  readonly minutes: number;
  /** MiB in memory: the median of each thirtieth part of the time. */
  readonly resident: readonly number[];
  /** MiB between the second sixth of the time and the last: of 30 minutes, minutes 5–10 and 25–30. */
  readonly drift: number;
  readonly met: boolean;
  readonly seeks: number;
  readonly pauses: number;
  readonly gigabytes: number;
  /** Open files and connections of the service: before the first play, and after the last. */
  readonly files: readonly [before: number, after: number];
}

const PARTS = 30;

/** Plays, pauses and seeks at 100 Mbit/s for so many minutes, and watches the service's memory. */
export function soak(minutes: number): Promise<SoakReport> {
  return withResources(async (use) => {
    const origin = await use(startChild('memory-server.ts', String(FILE_SIZE)));
    const { pid, prepare } = await use(startService());
    const url = await prepare(localUrl(origin.said));
    const before = await openFiles(pid);
    const { samples, viewer } = await watch(url, pid, minutes * 60_000);
    await sleep(REST);
    const drift = median(part(samples, 5 / 6, 1)) - median(part(samples, 1 / 6, 2 / 6));
    return {
      minutes,
      resident: Array.from({ length: PARTS }, (_, index) =>
        median(part(samples, index / PARTS, (index + 1) / PARTS)),
      ),
      drift,
      met: drift <= SOAK_DRIFT_LIMIT,
      seeks: viewer.seeks,
      pauses: viewer.pauses,
      gigabytes: viewer.bytes / 1e9,
      files: [before, await openFiles(pid)],
    };
  });
}

async function watch(url: string, pid: number, ms: number) {
  const viewer = new Viewer(url, FILE_SIZE, FILM_RATE);
  const samples: number[] = [];
  const over = new AbortController();
  const sampling = repeatEvery(SAMPLE_EVERY, over.signal, async () => {
    samples.push((await resident(pid)) / MIB);
  });
  const watching = viewer.watch(ms).finally(() => {
    over.abort();
  });
  await Promise.all([watching, sampling]);
  return { samples, viewer };
}

const part = (samples: readonly number[], from: number, to: number): readonly number[] =>
  samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to));

const openFiles = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;
