import { type Deferred, deferred } from '../../io/deferred.ts';
import { watchdog } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';
import type { BodySink } from './http1/types.ts';
import type { OpenedRange } from './source.ts';

/** Bytes that are read at most; more is the business of a transfer. */
export const MAX_READ_BYTES = 16 * 1024 * 1024;

export interface ReadLimits {
  /** Milliseconds of silence until the connection counts as dead. */
  readonly stallTimeout: number;
  readonly signal: AbortSignal;
}

/**
 * The first `wanted` bytes of an opened range, or all of it when it is shorter. Ends the body.
 *
 * @throws SourceFailure broken, stalled, or what the body fails of; the signal's reason when it aborts
 */
export async function readBytes(opened: OpenedRange, wanted: number, limits: ReadLimits): Promise<Buffer> {
  try {
    return await takeStart(opened, wanted, limits);
  } finally {
    opened.body.close();
  }
}

/** As readBytes, but what follows these bytes can still be read: `rest` is undefined when there is nothing more. */
export async function splitStart(
  opened: OpenedRange,
  wanted: number,
  limits: ReadLimits,
): Promise<{ readonly start: Buffer; readonly rest: OpenedRange | undefined }> {
  try {
    const start = await takeStart(opened, wanted, limits);
    const range = { ...opened.range, first: opened.range.first + start.byteLength };
    if (range.first <= range.last) return { start, rest: { ...opened, range } };
    opened.body.close();
    return { start, rest: undefined };
  } catch (error) {
    opened.body.close();
    throw error;
  }
}

async function takeStart(
  { range, body }: OpenedRange,
  wanted: number,
  { stallTimeout: stall, signal }: ReadLimits,
): Promise<Buffer> {
  const length = Math.min(wanted, range.last - range.first + 1, MAX_READ_BYTES);
  const bytes = Buffer.alloc(length);
  const done: Deferred<void> = deferred();
  const silence = watchdog(stall, () => {
    done.reject(new SourceFailure('stalled', 'the body went silent'));
  });
  const onAbort = () => {
    done.reject(signal.reason as Error);
  };
  let have = 0;
  const sink: BodySink = {
    room: () => (have < length ? bytes.subarray(have) : undefined),
    filled: (count) => {
      silence.start();
      have += count;
      if (have === length) done.resolve();
    },
    end: (failure) => {
      if (have < length)
        done.reject(failure ?? new SourceFailure('broken', `${length - have} bytes are missing`));
    },
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    silence.start();
    body.flow(sink);
    await done.promise;
    return bytes;
  } finally {
    silence.end();
    signal.removeEventListener('abort', onAbort);
  }
}
