import { ownValue } from '../../io/own-property.ts';
import type { JobProgress } from '../../model/index.ts';
import type { Stage } from '../job/progress.ts';
import type { QueueSlot } from '../sabnzbd/schema.ts';

/** SABnzbd's words (protocols.md §3.3); all others, also nzbdav's and AltMount's, mean that articles are fetched. */
const STAGES: Readonly<Record<string, Stage>> = {
  queued: 'queued',
  paused: 'queued',
  propagating: 'queued',
  grabbing: 'queued',
  fetching: 'queued',
  idle: 'queued',
  checking: 'verifying',
  quickcheck: 'verifying',
  verifying: 'verifying',
  repairing: 'repairing',
  extracting: 'unpacking',
  moving: 'unpacking',
  running: 'unpacking',
};

export const stageOf = (status: string): Stage => ownValue(STAGES, status) ?? 'downloading';

/**
 * nzbdav's `percentage` wraps around at 100, `true_percentage` goes on: up to 100 the articles are fetched, above they
 * are checked (protocols.md §1.5).
 * @param showsPercent As SabDialect.hasPercent.
 */
export function progressOf({ status, percent, truePercent }: QueueSlot, showsPercent: boolean): JobProgress {
  const stage = stageOf(status);
  if (stage !== 'downloading' || !showsPercent) return { stage };
  if (truePercent === undefined)
    return { stage, ...(percent === undefined ? {} : { percent: clampPercent(percent) }) };
  return truePercent <= 100
    ? { stage, percent: clampPercent(truePercent) }
    : { stage: 'verifying', percent: clampPercent(truePercent - 100) };
}

const clampPercent = (value: number) => Math.min(100, Math.max(0, value));

/** A percentage that stands still so long says nothing about the end, in milliseconds. */
const STALL_MS = 2_000;

/** A stage that should have ended so long ago was reckoned wrongly, in milliseconds. */
const OVERDUE_MS = 250;

export interface StageEstimator {
  observe(progress: JobProgress): void;
  /** Milliseconds until the stage ends; undefined when its progress does not tell. */
  left(): number | undefined;
}

/** Reckons from the percentages of a stage when it will end. @param now Milliseconds, monotonic. */
export function stageEstimator(now: () => number): StageEstimator {
  let stage: Stage | undefined;
  let first = { at: 0, percent: 0 };
  let last = first;
  return {
    observe: ({ stage: current, percent }) => {
      if (percent === undefined || current === 'queued') {
        stage = undefined;
        return;
      }
      if (current !== stage || percent < last.percent) {
        stage = current;
        first = last = { at: now(), percent };
      } else if (percent > last.percent) last = { at: now(), percent };
    },
    left: () => {
      const speed = (last.percent - first.percent) / (last.at - first.at);
      if (stage === undefined || last === first || now() - last.at > STALL_MS) return undefined;
      const left = (100 - last.percent) / speed - (now() - last.at);
      return left < -OVERDUE_MS ? undefined : Math.max(0, left);
    },
  };
}
