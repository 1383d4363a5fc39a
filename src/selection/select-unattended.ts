import { unlessAborted } from '../io/wait.ts';
import { isAlike, isReleaseOf } from '../library/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { packChoice } from './choices.ts';
import { lookUp } from './select.ts';
import type { SelectContext, Selection } from './selection.ts';
import type { SearchStages, SelectionStages } from './stages.ts';

/**
 * The choice that nobody is asked for. A season pack that the backend holds needs no search: only when it fails after all
 * are the sources asked, and what they find is tried as if the pack had not been there.
 * @throws as select
 */
export async function selectUnattended(
  given: MediaRequest,
  context: SelectContext,
  stages: SearchStages & Pick<SelectionStages, 'select'>,
): Promise<Selection> {
  const pack = await packToPlay(given, context, stages);
  if (pack === undefined) return await stages.select(given, context, stages);
  const { request, chosen } = pack;
  let isFirst = true;
  let searched: Selection | undefined;
  return {
    ...{ request, chosen },
    get unsearched() {
      return searched === undefined ? true : undefined;
    },
    upcoming: () => searched?.upcoming() ?? [],
    twins: (of) => searched?.twins(of) ?? [],
    next: async () => {
      if (isFirst) {
        isFirst = false;
        return await packChoice(chosen, context, { isBeforeSearch: true });
      }
      searched ??= await stages.select(request, context, stages);
      return await searched.next();
    },
    forget: async () => {
      await searched?.forget();
    },
    close: async () => {
      await searched?.close();
    },
  };
}

interface PackToPlay {
  /** With what was looked up, where it was. */
  readonly request: MediaRequest;
  readonly chosen: Release;
}

/**
 * What played before is played again, from a pack or not. What a playlist comes to is from the pack before it, whatever the filters say, for the person has chosen that; else from
 * one that is like it. What the person starts is from any that passes the filters.
 */
async function packToPlay(
  given: MediaRequest,
  context: SelectContext,
  stages: Pick<SearchStages, 'completeRequest' | 'filterReleases'>,
): Promise<PackToPlay | undefined> {
  const { inventory, after, again = '', signal } = context;
  const sound = () =>
    inventory.packs.filter(({ release }) => inventory.broken.failedAt(release) === undefined);
  if (again !== '') {
    const played = sound().find(({ release }) => isReleaseOf(again, release));
    return played && { request: given, chosen: played.release };
  }
  const same = sound().find(({ key }) => key === after?.pack);
  if (same !== undefined) return { request: given, chosen: same.release };
  if (sound().length === 0) return undefined;
  const [{ request, filter }] = await Promise.all([
    lookUp(given, context, stages),
    unlessAborted(inventory.answered, signal),
  ]);
  // Of a backend that has not answered nobody knows whether it still has the pack.
  const there = sound().filter(({ release }) => inventory.existingJob(release) !== undefined);
  const chosen = filter
    .candidates(there.map(({ release }) => release))
    .filter(({ rejections }) => rejections.length === 0)
    .map(({ release }) => release)
    .find((release) => after === undefined || isAlike(release, after));
  return chosen && { request, chosen };
}
