// What is read around a hole: bounded, and a neighbour that is missing as well is no failure.
import type { RangedReader } from './ranged-reader.ts';

/** A part of a file. */
export interface FileSlice {
  /** Position in the file of the first byte. */
  readonly start: number;
  readonly bytes: Buffer;
}

/** Most bytes that are read on one side of a hole. */
const MAX_REACH = 8 * 1024 * 1024;
/** Enough for most holes; what is read is doubled when it is not, by no more than can be looked through in no time. */
const FIRST_STEP = 128 * 1024;
const MAX_STEP = 1024 * 1024;
/** Another hole is approached by halves, down to this. */
const MIN_STEP = 16 * 1024;

/** The bytes from first to last, both inclusive; undefined when they cannot be had. Rejects on abort only. */
export async function readIfAvailable(
  file: RangedReader,
  first: number,
  last: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  try {
    const { buffer, byteOffset, length } = await file.read(first, last, signal);
    return Buffer.from(buffer, byteOffset, length);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** The bytes before `end`, more at each step, for as long as they can be had and the reach allows. */
export async function* readBackward(
  file: RangedReader,
  end: number,
  signal: AbortSignal,
): AsyncGenerator<FileSlice, void> {
  let bytes = Buffer.alloc(0);
  yield* readGrowing(Math.min(MAX_REACH, end), async (done, length) => {
    const start = end - done - length;
    const more = await readIfAvailable(file, start, start + length - 1, signal);
    if (more === undefined) return undefined;
    bytes = Buffer.concat([more, bytes]);
    return { start, bytes };
  });
}

/** The bytes from `start` on, in the same way. */
export async function* readForward(
  file: RangedReader,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<FileSlice, void> {
  let bytes = Buffer.alloc(0);
  yield* readGrowing(Math.min(MAX_REACH, file.size - start), async (done, length) => {
    const first = start + done;
    const more = await readIfAvailable(file, first, first + length - 1, signal);
    if (more === undefined) return undefined;
    bytes = Buffer.concat([bytes, more]);
    return { start, bytes };
  });
}

type Step = (done: number, length: number) => Promise<FileSlice | undefined>;

async function* readGrowing(room: number, read: Step): AsyncGenerator<FileSlice, void> {
  let step = FIRST_STEP;
  let missed = false;
  for (let done = 0; done < room && step >= MIN_STEP; ) {
    const length = Math.min(step, room - done);
    const stretch = await read(done, length);
    if (stretch === undefined) {
      missed = true;
      step = Math.floor(length / 2);
      continue;
    }
    done += length;
    if (!missed) step = Math.min(done, MAX_STEP);
    yield stretch;
  }
}
