import { ownValue } from '../io/own-property.ts';
import type { Hole } from './fill-types.ts';
import { findMatroskaElement } from './matroska/first-element.ts';
import { findMp4Element } from './mp4/first-element.ts';
import type { RangedReader } from './ranged-reader.ts';

type FindFirstElement = (run: Hole, file: RangedReader, signal: AbortSignal) => Promise<number | undefined>;

const FINDERS: Readonly<Record<string, FindFirstElement>> = {
  'video/x-matroska': findMatroskaElement,
  'video/webm': findMatroskaElement,
  'video/mp4': findMp4Element,
  'video/quicktime': findMp4Element,
};

/**
 * Finds the first place in a run of zeros at which a file must begin something that no zeros can begin: then they stand
 * in place of lost bytes. By MIME type (mime.ts); undefined for kinds whose structure does not tell.
 */
export const firstElementFinder = (mime: string): FindFirstElement | undefined => ownValue(FINDERS, mime);
