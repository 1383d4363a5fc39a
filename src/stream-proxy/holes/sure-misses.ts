import { pause } from '../../io/wait.ts';
import type { RangedReader } from '../../media/ranged-reader.ts';
import { SourceFailure } from '../policy/failure.ts';
import { BREAKS } from './look.ts';

/** Attempts at one read. */
const ATTEMPTS = 3;
/** Milliseconds between two of them. */
const PAUSE = 250;

export interface Misses {
  readonly file: RangedReader;
  /** A read that breaks off twice is of lost bytes, too (see LookOptions). */
  readonly breaksTell: boolean;
  readonly signal: AbortSignal;
}

/**
 * Runs what takes each read that fails for one of lost bytes, as planFill does, and sees to it that they are: a read
 * that fails of anything else is made again, and ends the run when it goes on failing.
 *
 * @throws SourceFailure what a read failed of; the signal's reason when it aborts
 */
export async function withSureMisses<T>(
  { file, breaksTell, signal }: Misses,
  run: (file: RangedReader, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const failing = new AbortController();
  const read: RangedReader['read'] = async (first, last, end) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await file.read(first, last, end);
      } catch (error) {
        if (!(error instanceof SourceFailure) || error.kind === 'missing') throw error;
        if (error.kind === 'broken' && breaksTell && attempt >= BREAKS) throw error;
        if (attempt === ATTEMPTS) {
          failing.abort(error);
          throw error;
        }
      }
      await pause(PAUSE, end);
    }
  };
  const outcome = await run({ size: file.size, read }, AbortSignal.any([signal, failing.signal]));
  failing.signal.throwIfAborted();
  return outcome;
}
