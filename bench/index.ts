import type { Figure } from './figure.ts';
import { firstRequestInKodi, quitDuringDownload } from './kodi.ts';
import { firstRequest } from './plugin.ts';
import { throughputVsDirect } from './proxy.ts';
import { reportedToUrl } from './resolve.ts';

/** Every figure, in the order in which they are measured. */
export const FIGURES: readonly Figure[] = [
  firstRequest,
  firstRequestInKodi,
  quitDuringDownload,
  reportedToUrl,
  throughputVsDirect,
];
