import { ownValue } from '../../io/own-property.ts';
import type { JobProgress } from '../../model/index.ts';
import type { Stage } from '../job/progress.ts';
import type { Group } from './rpc-schema.ts';

/** NZBGet's words for what it does (protocols.md §4.3); what it adds one day counts as its last step. */
const STAGE_OF: Readonly<Record<string, Stage>> = {
  QUEUED: 'queued',
  PAUSED: 'queued',
  FETCHING: 'queued',
  DOWNLOADING: 'downloading',
  PP_QUEUED: 'verifying',
  LOADING_PARS: 'verifying',
  VERIFYING_SOURCES: 'verifying',
  VERIFYING_REPAIRED: 'repairing',
  REPAIRING: 'repairing',
  RENAMING: 'verifying',
};

/** The steps whose own progress NZBGet counts in permille, and which are the whole of our stage. */
const PERMILLE_STAGES: ReadonlySet<string> = new Set(['VERIFYING_SOURCES', 'REPAIRING', 'UNPACKING']);

export function progressOf({ status, wanted, left, stageProgress }: Group): JobProgress {
  const stage = ownValue(STAGE_OF, status) ?? 'unpacking';
  if (stage === 'downloading') {
    return wanted > 0 ? { stage, percent: percentOf(1 - left / wanted) } : { stage };
  }
  return PERMILLE_STAGES.has(status) ? { stage, percent: percentOf(stageProgress / 1000) } : { stage };
}

const percentOf = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;

/** Tells how long to wait until the next look, given what the last one has seen. */
export interface PollPacer {
  /** Milliseconds. */
  nextDelay(progress: JobProgress | undefined): number;
}

/**
 * A quarter of what is left of the stage by its speed so far, so that the end is met soon and a long download costs few
 * requests; where nobody counts, an eighth of the time that the stage has lasted.
 */
export function adaptivePollPacer({ min, max }: { readonly min: number; readonly max: number }): PollPacer {
  let stage: Stage | undefined;
  let since = performance.now();
  let from = 0;
  return {
    nextDelay: (progress) => {
      const { percent } = progress ?? {};
      const now = performance.now();
      if (progress?.stage !== stage) {
        stage = progress?.stage;
        since = now;
        from = percent ?? 0;
      }
      const gained = (percent ?? 0) - from;
      const lasted = now - since;
      const guess =
        percent !== undefined && gained > 0 ? (lasted / gained) * (100 - percent) * 0.25 : lasted / 8;
      return Math.min(max, Math.max(min, guess));
    },
  };
}
