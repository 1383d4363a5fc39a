import { own } from '../io/own.ts';
import type { Hole } from './fill.ts';
import { matroskaBegin } from './matroska/begins.ts';
import { mp4Begin } from './mp4/begins.ts';
import type { RangedReader } from './ranged-reader.ts';

type FirstBegin = (run: Hole, file: RangedReader, signal: AbortSignal) => Promise<number | undefined>;

const BEGINS: Readonly<Record<string, FirstBegin>> = {
  'video/x-matroska': matroskaBegin,
  'video/webm': matroskaBegin,
  'video/mp4': mp4Begin,
  'video/quicktime': mp4Begin,
};

/**
 * Finds the first place in a run of zeros at which a file must begin something that no zeros can begin: then they stand
 * in place of lost bytes. By MIME type (mime.ts); undefined for kinds whose structure does not tell.
 */
export const firstBeginOf = (mime: string): FirstBegin | undefined => own(BEGINS, mime);
