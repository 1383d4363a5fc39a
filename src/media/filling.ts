import type { Hole } from './fill.ts';
import { firstBeginOf } from './first-begin.ts';
import { isStuffing } from './mpegts/stuffing.ts';
import type { RangedReader } from './ranged-reader.ts';

/** Bytes of a file that some server has sent, and how more of it is had. */
export interface Sample {
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
export async function fillingOf(
  sample: Sample,
  signal: AbortSignal,
): Promise<'zeros' | 'null packets' | undefined> {
  const { bytes, mime } = sample;
  const isZero = bytes.every((byte) => byte === 0);
  if (!isZero && !isStuffing(bytes)) return undefined;
  const kind = await mime();
  if (!isZero) return kind === 'video/mp2t' ? 'null packets' : undefined;
  return (await areOwn(sample, kind, signal)) ? undefined : 'zeros';
}

/** Reads around zeros until it shows what they are. */
const MOST_READS = 8;

class NothingShows extends Error {}

/**
 * Whether zeros may be the film's own: nothing has to begin in them, as the structure around them shows. Where that does
 * not show soon, zeros are all around, which no film has.
 */
async function areOwn({ bytes, first, file }: Sample, mime: string, signal: AbortSignal): Promise<boolean> {
  const begin = firstBeginOf(mime);
  if (begin === undefined) return false;
  let reads = 0;
  const counted: RangedReader = {
    size: file.size,
    read: (from, to, until) =>
      ++reads > MOST_READS ? Promise.reject(new NothingShows()) : file.read(from, to, until),
  };
  try {
    const run: Hole = { first, last: first + bytes.byteLength - 1 };
    return (await begin(run, counted, signal)) === undefined && reads <= MOST_READS;
  } catch (error) {
    if (error instanceof NothingShows) return false;
    throw error;
  }
}
