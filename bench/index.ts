import { directAddedStart, directThroughput } from './direct/against-own.ts';
import { directRequests } from './direct/requests.ts';
import type { Figure } from './figure.ts';
import { boxClosed, refusal } from './host.ts';
import { hostileNames } from './hostile.ts';
import { firstRequestInKodi, quitDuringDownload } from './kodi.ts';
import { namesFigures } from './names/figures.ts';
import { nzbCheckVsScan } from './nzb/check-vs-scan.ts';
import { packageSizes } from './package.ts';
import { firstPictureInKodi, holeInKodi, stallInKodi, stallInKodiAltmount } from './play/kodi.ts';
import { stallFigures } from './play/stall.ts';
import { startFigures } from './play/start.ts';
import { firstRequest } from './plugin.ts';
import { longestBlock } from './proxy/block.ts';
import { cpuPerGib, cpuPerGibTls } from './proxy/cpu.ts';
import { memory } from './proxy/memory.ts';
import { sharedPool, slowConnections } from './proxy/paced.ts';
import { seekAddedP50, seekAddedP99 } from './proxy/seek.ts';
import { throughputVsNginx, throughputVsRelay } from './proxy/throughput.ts';
import {
  existingJobToUrl,
  existingPackToUrl,
  pollRate,
  readyToUrl,
  reportedToUrl,
  submitToUrl,
} from './resolve.ts';
import { answerToList } from './search/answer-to-list.ts';
import { searchHits } from './search/hits.ts';
import { deadIndexer, deadIndexerHydra } from './search/managers.ts';
import { formats5000, rank5000, rank5000Cold } from './search/rank.ts';
import { longestBlockCrafted } from './service/crafted.ts';
import { idleCpu, idleMemory, idleMemoryAfter } from './service/idle.ts';

/** Every figure, in the order in which they are measured. */
export const FIGURES: readonly Figure[] = [
  firstRequest,
  firstRequestInKodi,
  quitDuringDownload,
  boxClosed,
  refusal,
  reportedToUrl,
  submitToUrl,
  readyToUrl,
  pollRate,
  existingJobToUrl,
  ...startFigures,
  ...stallFigures,
  nzbCheckVsScan,
  firstPictureInKodi,
  stallInKodi,
  stallInKodiAltmount,
  holeInKodi,
  existingPackToUrl,
  answerToList,
  deadIndexer,
  deadIndexerHydra,
  searchHits,
  rank5000,
  rank5000Cold,
  formats5000,
  directAddedStart,
  directThroughput,
  directRequests,
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
  longestBlockCrafted,
  idleMemory,
  idleMemoryAfter,
  idleCpu,
  hostileNames,
  ...namesFigures,
  ...packageSizes,
];
