import type { Figure } from './figure.ts';
import { firstRequestInKodi } from './kodi.ts';
import { firstRequest } from './plugin.ts';
import { throughputVsDirect } from './proxy.ts';
import { reportedToUrl } from './resolve.ts';

/** Every figure, in the order in which they are measured. */
export const FIGURES: readonly Figure[] = [
  firstRequest,
  firstRequestInKodi,
  reportedToUrl,
  throughputVsDirect,
];
