import { type ManagerUnavailable, waitUntilAvailable } from '../backends/nzb/manager-unavailable.ts';
import type { ResolveContext } from './context.ts';

/** Milliseconds. NZBHydra2 takes 11 to 35 s to start, and nothing listens before (protocols.md §6.5). */
const MANAGER_WAIT_MS = 40_000;

/**
 * Waits until a manager of indexers is back, and shows for how long yet: a download would fail for each release that is
 * found through it. @throws the ManagerUnavailable itself when it stays away
 */
export async function waitForManager(
  away: ManagerUnavailable,
  { progress, signal, log }: Pick<ResolveContext, 'progress' | 'signal' | 'log'>,
  patience = MANAGER_WAIT_MS,
): Promise<void> {
  const { who } = away.manager;
  log.warning(`${who} is away, and waited for: ${away.message}`);
  const stage = `${who} does not answer at the moment; waiting until it is back`;
  const onLook = (left: number) => {
    progress.update({ stage, detail: `${Math.ceil(left / 1000)} seconds left` }).catch((error: unknown) => {
      log.warning(`the progress could not be shown: ${String(error)}`);
    });
  };
  if (!(await waitUntilAvailable(away, { signal, deadline: patience, onLook }))) throw away;
  log.info(`${who} is back`);
}
