import type { Clip } from '../clips/index.ts';
import type { ClipRange } from '../http/types.ts';
import type { ServingScript } from './script.ts';

export interface LiveRange {
  readonly clip: Clip;
  readonly start: number;
  /** Not included. */
  readonly end: number;
}

interface Watching {
  readonly script: ServingScript;
  /** Up to which offset the service has bytes behind this one now; undefined: it has none, and the body breaks off. */
  readonly reach: (at: number) => number | undefined;
  /** The body is over after so many bytes, however it ended. */
  readonly onEnd?: (bytes: number) => void;
}

/** The body of a film at whose every stretch the service looks anew what it still has: what happens while it runs shows in it. */
export function liveBody({ clip, start, end }: LiveRange, { script, reach, onEnd }: Watching): ClipRange {
  const range = { clip, start, end };
  // The head leaves, and nothing behind it.
  if (reach(start) === undefined) return { ...range, cut: { at: start, how: 'reset' } };
  const fetch = () => {
    let taken = start;
    return {
      beyond: async (at: number) => {
        const allowed = await script.due();
        const to = reach(at);
        return to === undefined ? undefined : Math.min(to, at + allowed);
      },
      took: (to: number) => {
        script.count(to - taken);
        taken = to;
      },
      close: () => onEnd?.(taken - start),
    };
  };
  return { ...range, fetch };
}
