import { startChild } from '../child.ts';
import { type Figure, median } from '../figure.ts';
import { fiftyFormats } from '../formats.ts';
import { rankOnce } from '../ranking.ts';

const RUNS = 7;
/** Rounds that only compile. */
const WARM_UP = 4;
const WARM_LIMIT_MS = 300;
const COLD_LIMIT_MS = 900;
const FORMATS_LIMIT_MS = 1_000;

/** 5,000 distinct posts, from their names to the sorted list, in a process that has done so before. */
export const rank5000: Figure = {
  name: 'search.rank-5000',
  unit: 'ms',
  target: `≤ ${WARM_LIMIT_MS}`,
  measure: async () => measured(await rounds(WARM_UP, () => rankOnce()), WARM_LIMIT_MS),
};

/** The same in a fresh process, as each play starts one: from the first of its work, loading the parser included. */
export const rank5000Cold: Figure = {
  name: 'search.rank-5000-cold',
  unit: 'ms',
  target: `≤ ${COLD_LIMIT_MS}`,
  measure: async () => measured(await rounds(0, coldOnce), COLD_LIMIT_MS),
};

/** The same, warm, with fifty custom formats on. */
export const formats5000: Figure = {
  name: 'search.formats-5000',
  unit: 'ms',
  target: `≤ ${FORMATS_LIMIT_MS}`,
  measure: async () => {
    const formats = fiftyFormats();
    const times = await rounds(WARM_UP, () => rankOnce(formats));
    const without = median(await rounds(0, () => rankOnce()));
    const { note, ...figure } = measured(times, FORMATS_LIMIT_MS);
    return { ...figure, note: `${without.toFixed(0)} ms without formats, ${note}` };
  },
};

async function coldOnce(): Promise<number> {
  const ranker = await startChild('ranker.ts');
  await ranker.stop();
  return ranker.said;
}

async function rounds(warmUp: number, once: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < warmUp + RUNS; run++) times.push(await once());
  return times.slice(warmUp);
}

function measured(times: readonly number[], limit: number) {
  const value = median(times);
  const [least, most] = [Math.min(...times), Math.max(...times)];
  return {
    value,
    met: value <= limit,
    note: `${least.toFixed(0)} to ${most.toFixed(0)} ms, n ${times.length}`,
  };
}
