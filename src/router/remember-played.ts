import { packEpisodes } from '../job-files/pack-episodes.ts';
import { openLastPlayed, openPackStore } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest } from '../model/index.ts';
import type { StreamOrigin } from '../resolver.ts';

/** Remembers what an episode was played from: its season pack, and what the next one should be like. Never fails. */
export async function rememberPlayed(
  request: MediaRequest,
  { release, job, files }: StreamOrigin,
  { backend, folder, log }: { readonly backend: string; readonly folder: string; readonly log: Logger },
): Promise<void> {
  if (request.episode === undefined) return;
  const pack =
    job === undefined
      ? undefined
      : await openPackStore({ folder, log }).save({
          backend,
          job,
          release,
          request,
          // It is found again by the job's id or name; for some backends it is secret.
          keepStorage: false,
          episodes: packEpisodes(files, job.name),
        });
  await openLastPlayed({ folder, log }).record(request, release, pack);
}
