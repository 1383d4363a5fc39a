import { pause } from '../../io/wait.ts';
import type { RangedReader } from '../../media/ranged-reader.ts';
import { SourceFailure } from '../policy/failure.ts';
import { isRetryable } from '../policy/policies.ts';
import { BREAKS_UNTIL_LOST } from './probe-byte.ts';

/** Attempts at one read. */
const ATTEMPTS = 3;
/** Milliseconds between two of them. */
const PAUSE = 250;

export interface MissOptions {
  readonly file: RangedReader;
  readonly signal: AbortSignal;
  /** What breaks off twice is lost, too: a server's read that meets a lost article behind its first byte does so. */
  readonly breaksTell: boolean;
  /** Called after each attempt at a read: whoever waits for the outcome is not waiting in vain. */
  readonly onStep: () => void;
}

/**
 * Runs a planner, which takes every failed read for one of lost bytes. Lost is what the source calls missing, and what
 * breaks off where that tells. A read that fails of anything else is made again, and ends the planner when it goes on
 * failing.
 *
 * @throws SourceFailure what a read failed of; the signal's reason when it aborts
 */
export async function withConfirmedMisses<T>(
  { file, signal, breaksTell, onStep }: MissOptions,
  planner: (file: RangedReader, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const failing = new AbortController();
  const read: RangedReader['read'] = async (first, last, end) => {
    let breaks = 0;
    for (let attempt = 1; ; attempt++) {
      try {
        return await file.read(first, last, end);
      } catch (error) {
        if (!(error instanceof SourceFailure) || error.kind === 'missing') throw error;
        if (error.kind === 'broken' && ++breaks >= BREAKS_UNTIL_LOST && breaksTell) throw error;
        if (attempt >= ATTEMPTS || !isRetryable(error.kind)) {
          failing.abort(error);
          throw error;
        }
      } finally {
        onStep();
      }
      await pause(PAUSE, end);
    }
  };
  const outcome = await planner({ size: file.size, read }, AbortSignal.any([signal, failing.signal]));
  failing.signal.throwIfAborted();
  return outcome;
}
