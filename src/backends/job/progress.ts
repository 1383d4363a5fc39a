import type { JobProgress } from '../../model/index.ts';

export type Stage = JobProgress['stage'];

/** What JobProgress promises. */
const STAGE_ORDER: readonly Stage[] = [
  'queued',
  'downloading',
  'opening',
  'verifying',
  'repairing',
  'unpacking',
  'ready',
];

/**
 * Hands on what is new, and never a step back: a server may check again after a repair, or begin a backup from its
 * beginning, but the person is shown how far the film is.
 */
export function monotonicProgress(
  onProgress: (progress: JobProgress) => void,
): (progress: JobProgress) => void {
  let last: JobProgress | undefined;
  return (progress) => {
    if (last !== undefined && !isFurther(progress, last)) return;
    last = progress;
    onProgress(progress);
  };
}

function isFurther(next: JobProgress, last: JobProgress): boolean {
  const step = STAGE_ORDER.indexOf(next.stage) - STAGE_ORDER.indexOf(last.stage);
  if (step === 0 && next.stallReason !== last.stallReason) return true;
  return step > 0 || (step === 0 && next.percent !== undefined && next.percent > (last.percent ?? -1));
}
