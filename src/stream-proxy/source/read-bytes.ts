import { type Deferred, deferred } from '../../io/deferred.ts';
import { watchdog } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';
import type { Sink } from './http1/types.ts';
import type { OpenedRange } from './source.ts';

/** Bytes that are read at most; more is the business of a lane. */
export const MAX_READ = 16 * 1024 * 1024;

export interface ReadLimits {
  /** Milliseconds of silence until the connection counts as dead. */
  readonly stall: number;
  readonly signal: AbortSignal;
}

/**
 * The first `wanted` bytes of an opened range, or all of it when it is shorter. Ends the body.
 *
 * @throws SourceFailure broken, stalled, or what the body fails of; the signal's reason when it aborts
 */
export async function readBytes(
  { range, body }: OpenedRange,
  wanted: number,
  { stall, signal }: ReadLimits,
): Promise<Buffer> {
  const length = Math.min(wanted, range.last - range.first + 1, MAX_READ);
  const bytes = Buffer.alloc(length);
  const done: Deferred<void> = deferred();
  const silence = watchdog(stall, () => {
    done.reject(new SourceFailure('stalled', 'the body went silent'));
  });
  const onAbort = () => {
    done.reject(signal.reason as Error);
  };
  let have = 0;
  const sink: Sink = {
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
    body.close();
  }
}
