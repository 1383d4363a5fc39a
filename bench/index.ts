import type { Figure } from './figure.ts';
import { firstRequestInKodi, quitDuringDownload } from './kodi.ts';
import { firstRequest } from './plugin.ts';
import { longestBlock } from './proxy/block.ts';
import { cpuPerGib, cpuPerGibTls } from './proxy/cpu.ts';
import { memory } from './proxy/memory.ts';
import { sharedPool, slowConnections } from './proxy/paced.ts';
import { seekAddedP50, seekAddedP99 } from './proxy/seek.ts';
import { throughputVsNginx, throughputVsRelay } from './proxy/throughput.ts';
import { reportedToUrl } from './resolve.ts';

/** Every figure, in the order in which they are measured. */
export const FIGURES: readonly Figure[] = [
  firstRequest,
  firstRequestInKodi,
  quitDuringDownload,
  reportedToUrl,
  throughputVsRelay,
  throughputVsNginx,
  cpuPerGib,
  cpuPerGibTls,
  seekAddedP50,
  seekAddedP99,
  slowConnections,
  sharedPool,
  memory,
  longestBlock,
];
