import { deadlineSignal } from '../../io/wait.ts';
import type { Hole } from '../../media/fill-types.ts';
import type { RangedReader } from '../../media/ranged-reader.ts';
import type { SourceFailure } from '../policy/failure.ts';
import { type MissOptions, withConfirmedMisses } from './confirmed-misses.ts';
import type { Fills } from './fills.ts';
import type { HoledFile } from './holed-file.ts';
import type { ProbeOutcome } from './probe-outcome.ts';
import { findZeroRun } from './zero-run.ts';

/** The first place in a row at which something must begin; undefined: nothing must. */
export type FindFirstElement = (
  run: Hole,
  file: RangedReader,
  signal: AbortSignal,
) => Promise<number | undefined>;

export interface ZeroRunProberOptions extends HoledFile {
  readonly fills: Fills;
  /** Called with each step towards a verdict on a position. */
  readonly onProbe: (position: number) => void;
  /** Ends every look. */
  readonly signal: AbortSignal;
}

/** What has become of a row: with its first position, or the film's own zeros. */
export type ZeroRunOutcome =
  | (Exclude<ProbeOutcome, 'late'> & { readonly first: number })
  | { readonly fine: Hole };

/** Finds out what rows of zeros are that a server which fills may have put in place of lost bytes. */
export class ZeroRunProber {
  readonly #options: ZeroRunProberOptions;

  constructor(options: ZeroRunProberOptions) {
    this.#options = options;
  }

  /**
   * @param known As much of the row as is known.
   * @throws SourceFailure when the file cannot be read around it; the signal's reason when it aborts
   */
  async probe(known: Hole, begin: FindFirstElement, failure: SourceFailure): Promise<ZeroRunOutcome> {
    const { policy, fills, signal } = this.#options;
    const position = known.first;
    const file = this.#reporting(position);
    const time = deadlineSignal(signal, policy.totalTimeout, () => new Error('it took too long'));
    try {
      const bounds = {
        from: fills.endBefore(position),
        to: Math.min(fills.startAfter(position), position + policy.maxHole),
      };
      const run = await findZeroRun(file, known, bounds, time.signal);
      const misses = {
        // A server that fills has zeros where articles are lost; what breaks off says nothing of what is the film's own.
        file: this.#options.file,
        signal: time.signal,
        breaksTell: false,
        onStep: () => {
          this.#options.onProbe(position);
        },
      };
      const begins = await withConfirmedMisses(misses, (sure, end) => begin(run, sure, end));
      return begins === undefined ? { fine: run } : await this.#fill(run, misses, failure);
    } finally {
      time.done();
    }
  }

  async #fill(run: Hole, misses: MissOptions, failure: SourceFailure) {
    const { policy, size, mime, planFill, source, fills } = this.#options;
    const { first, last } = run;
    const lasting = source.serving?.complete === true;
    const refuse = (refused: string) => ({ first, refused, last, lasting, failure });
    if (last - first + 1 > fills.maxHole(policy, size)) return refuse('more is lost than may be filled');
    const planned = await withConfirmedMisses(misses, (sure, end) => planFill(mime, run, sure, end));
    return 'refused' in planned ? refuse(planned.refused) : { first, fill: planned };
  }

  /** The file, each read of which is a step towards a verdict on a position. */
  #reporting(position: number): RangedReader {
    const { file, onProbe: onStep } = this.#options;
    return {
      size: file.size,
      read: async (first, last, signal) => {
        const bytes = await file.read(first, last, signal);
        onStep(position);
        return bytes;
      },
    };
  }
}
