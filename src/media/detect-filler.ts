import type { Hole } from './fill-types.ts';
import { firstElementFinder } from './first-element.ts';
import { isStuffing } from './mpegts/stuffing.ts';
import type { RangedReader } from './ranged-reader.ts';

/** Bytes of a file that some server has sent, and how more of it is had. */
export interface ServedSample {
  readonly bytes: Uint8Array;
  readonly first: number;
  readonly file: RangedReader;
  /** As mimeOf; asked for where the bytes alone do not tell. */
  readonly mime: () => Promise<string>;
}

/**
 * What a server has put in the place of lost bytes, all of them; undefined: they are the film's own, as silence is.
 * Rejects as the file's `read` does.
 */
export async function detectFiller(
  sample: ServedSample,
  signal: AbortSignal,
): Promise<'zeros' | 'null packets' | undefined> {
  const { bytes, mime } = sample;
  const isZero = bytes.every((byte) => byte === 0);
  if (!isZero && !isStuffing(bytes)) return undefined;
  const kind = await mime();
  if (!isZero) return kind === 'video/mp2t' ? 'null packets' : undefined;
  return (await areGenuine(sample, kind, signal)) ? undefined : 'zeros';
}

/** Reads around zeros until it shows what they are. */
const MAX_READS = 8;

class Inconclusive extends Error {}

/**
 * Whether zeros may be the film's own: nothing has to begin in them, as the structure around them shows. Where that does
 * not show soon, zeros are all around, which no film has.
 */
async function areGenuine(
  { bytes, first, file }: ServedSample,
  mime: string,
  signal: AbortSignal,
): Promise<boolean> {
  const begin = firstElementFinder(mime);
  if (begin === undefined) return false;
  let reads = 0;
  const counted: RangedReader = {
    size: file.size,
    read: (from, to, until) =>
      ++reads > MAX_READS ? Promise.reject(new Inconclusive()) : file.read(from, to, until),
  };
  try {
    const run: Hole = { first, last: first + bytes.byteLength - 1 };
    return (await begin(run, counted, signal)) === undefined && reads <= MAX_READS;
  } catch (error) {
    if (error instanceof Inconclusive) return false;
    throw error;
  }
}
