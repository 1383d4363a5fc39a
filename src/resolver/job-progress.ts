import type { JobProgress } from '../model/index.ts';
import type { ResolveContext } from './context.ts';

const STAGE_TEXTS = {
  queued: 'Queued at',
  downloading: 'Downloading with',
  opening: 'Opening with',
  verifying: 'Checking with',
  repairing: 'Repairing with',
  unpacking: 'Unpacking with',
  ready: 'Ready at',
};

/** Shows each step of a job in the progress display. */
export function jobProgressListener(
  { backend, progress, log }: ResolveContext,
  detail: string,
): (state: JobProgress) => void {
  return ({ stage, percent, stallReason: held }) => {
    progress
      .update({
        stage: `${STAGE_TEXTS[stage]} ${backend.name}`,
        detail: held === undefined ? detail : `It waits: ${held} · ${detail}`,
        ...(percent === undefined ? {} : { percent }),
      })
      .catch((error: unknown) => {
        log.warning(`the progress could not be shown: ${error instanceof Error ? error.message : 'unknown'}`);
      });
  };
}
