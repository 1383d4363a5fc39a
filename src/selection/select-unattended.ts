import { unlessAborted } from '../io/wait.ts';
import { isReleaseOf, isSimilarRelease } from '../library/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { packChoice } from './choices.ts';
import { completeAndFilter } from './select.ts';
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
  const pack = await findPack(given, context, stages);
  if (pack === undefined) return await stages.select(given, context, stages);
  const { request, chosen } = pack;
  let isFirst = true;
  let searched: Selection | undefined;
  return {
    request,
    chosen,
    get unsearched() {
      return searched === undefined ? true : undefined;
    },
    upcoming: () => searched?.upcoming() ?? [],
    reposts: (of) => searched?.reposts(of) ?? [],
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

interface PackChoice {
  /** With what was looked up, where it was. */
  readonly request: MediaRequest;
  readonly chosen: Release;
}

/**
 * What played before is played again, from a pack or not. What a playlist comes to is from the pack before it, whatever the filters say, for the person has chosen that; else from
 * one that is like it. What the person starts is from any that passes the filters.
 */
async function findPack(
  given: MediaRequest,
  context: SelectContext,
  stages: Pick<SearchStages, 'addMetadata' | 'filterReleases'>,
): Promise<PackChoice | undefined> {
  const { inventory, previous: after, replayedRelease: again = '', signal } = context;
  const usablePacks = () =>
    inventory.packs.filter(({ release }) => inventory.broken.failedAt(release) === undefined);
  if (again !== '') {
    const played = usablePacks().find(({ release }) => isReleaseOf(again, release));
    return played && { request: given, chosen: played.release };
  }
  const previousPack = usablePacks().find(({ key }) => key === after?.pack);
  if (previousPack !== undefined) return { request: given, chosen: previousPack.release };
  if (usablePacks().length === 0) return undefined;
  const [{ request, filter }] = await Promise.all([
    completeAndFilter(given, context, stages),
    unlessAborted(inventory.answered, signal),
  ]);
  // Of a backend that has not answered nobody knows whether it still has the pack.
  const heldPacks = usablePacks().filter(({ release }) => inventory.existingJob(release) !== undefined);
  const chosen = filter
    .candidates(heldPacks.map(({ release }) => release))
    .filter(({ rejections }) => rejections.length === 0)
    .map(({ release }) => release)
    .find((release) => after === undefined || isSimilarRelease(release, after));
  return chosen && { request, chosen };
}
