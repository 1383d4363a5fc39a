import { openBrokenReleases } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import type { ReplacementPlan } from '../resolver.ts';

/** What played has lost bytes for good: neither the release nor its job is offered first again. Never rejects. */
export async function rememberBroken(
  { request, backend, playing }: ReplacementPlan,
  folder: string,
  log: Logger,
): Promise<void> {
  if (playing === undefined) return;
  const broken = await openBrokenReleases(request, backend, { folder, log });
  const damaged = { code: 'DAMAGED', broken: true } as const;
  await broken.recordFailure({ release: playing.release }, damaged);
  if (playing.job !== undefined) await broken.recordFailure({ job: playing.job }, damaged);
}
