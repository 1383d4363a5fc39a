import { startChild } from '../child.ts';
import type { Figure } from '../figure.ts';
import { MIB } from '../proxy/setup.ts';
import { withResources } from '../resources.ts';
import { peakResident } from '../usage.ts';
import { CRAFTED, type CraftedName, RUNS } from './crafted-names.ts';

const LIMIT = 20;

/**
 * For how long nothing else has its turn while what a stranger has made to hold the service up is read. The least
 * disturbed half of the runs counts: what else the machine does is not the service's.
 */
export const longestBlockCrafted: Figure = {
  name: 'service.longest-block-crafted',
  unit: 'ms',
  target: `≤ ${LIMIT}`,
  measure: async () => {
    const read: Awaited<ReturnType<typeof readOne>>[] = [];
    for (const name of CRAFTED) read.push(await readOne(name));
    const value = Math.max(...read.map(({ longest }) => longest));
    const each = read.map(({ name, longest }) => `${name} ${longest.toFixed(1)}`).join(', ');
    const peak = Math.max(...read.map(({ memory }) => memory)) / MIB;
    return { value, met: value <= LIMIT, note: `${each}; ${peak.toFixed(0)} MiB at most; n ${RUNS}` };
  },
};

/** In a process of its own, whose memory nothing else has filled. */
const readOne = (name: CraftedName) =>
  withResources(async (use) => {
    const { said: longest, pid } = await use(startChild('crafted-reader.ts', name));
    return { name, longest, memory: await peakResident(pid) };
  });
