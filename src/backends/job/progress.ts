import type { JobProgress } from '../../model/index.ts';

export type Stage = JobProgress['stage'];

/** What JobProgress promises. */
const ORDER: readonly Stage[] = [
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
export function onlyForward(onProgress: (progress: JobProgress) => void): (progress: JobProgress) => void {
  let last: JobProgress | undefined;
  return (progress) => {
    if (last !== undefined && !isFurther(progress, last)) return;
    last = progress;
    onProgress(progress);
  };
}

function isFurther(next: JobProgress, last: JobProgress): boolean {
  const step = ORDER.indexOf(next.stage) - ORDER.indexOf(last.stage);
  if (step === 0 && next.held !== last.held) return true;
  return step > 0 || (step === 0 && next.percent !== undefined && next.percent > (last.percent ?? -1));
}
