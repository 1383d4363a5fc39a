import { pause } from '../../io/wait.ts';
import { SourceFailure } from '../policy/failure.ts';
import { readBytes } from '../source/read-bytes.ts';
import type { ByteSource } from '../source/source.ts';

export interface ByteProbeOptions {
  readonly source: ByteSource;
  readonly size: number;
  /** Milliseconds for one attempt's head, and of silence in its body. */
  readonly timeout: number;
  readonly stall: number;
  /** A body that breaks off twice before the byte says that it is lost, too; absent: it proves nothing. */
  readonly breaksTell?: boolean;
}

/** Bodies that break off until the byte counts as lost. */
export const BREAKS_UNTIL_LOST = 2;

/** Milliseconds between two attempts. */
const PAUSE = 250;

/**
 * Asks the source for the byte at a position. Only its own "missing" says that it is lost, or breaks where they tell.
 *
 * @throws SourceFailure what the last attempt failed of otherwise; the signal's reason when it aborts
 */
export async function isByteAvailable(
  { source, size, timeout, stall, breaksTell }: ByteProbeOptions,
  position: number,
  attempts: number,
  signal: AbortSignal,
): Promise<boolean> {
  let breaks = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      const wish = { first: position, last: position, size, timeout, signal };
      await readBytes(await source.open(wish), 1, { stallTimeout: stall, signal });
      return true;
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      if (error.kind === 'missing') return false;
      if (error.kind === 'broken' && ++breaks >= BREAKS_UNTIL_LOST && breaksTell === true) return false;
      if (attempt >= attempts) throw error;
    }
    await pause(PAUSE, signal);
  }
}
