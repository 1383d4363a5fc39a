import { searchSources } from '../connections/sources.ts';
import type { Logger } from '../log/index.ts';
import type { Posting } from '../model/index.ts';
import type { RelistOf } from '../play-address/open-or-relist.ts';
import { listAgain } from '../search/index.ts';
import type { Settings } from '../settings/index.ts';
import { type ListingRef, parseListingRef } from './listing-ref.ts';

interface RelistContext {
  readonly settings: () => Settings;
  readonly dataFolder: string;
  readonly log: Logger;
}

/**
 * Finds the address of a stream anew by what tells where it was listed: asks the source that had listed it, once, for the same post. An add-on's addresses
 * die with its restart, or after a time (protocols.md §8.11).
 */
export function createRelist({ settings, dataFolder, log }: RelistContext): RelistOf {
  return async (value, signal) => {
    const listed = parseListingRef(value);
    if (listed === undefined) return undefined;
    const { sources } = await searchSources(settings(), dataFolder, log);
    const source = sources.find(({ id }) => id === listed.source);
    if (source === undefined) return undefined;
    const postings = await listAgain(source, listed.request, signal);
    const playable = postings.filter(({ link }) => link.plays === true);
    // An id of its own tells a post even where its name and size have changed with its first opening (protocols.md §8.5).
    const link = (
      playable.find((posting) => posting.link.guid === listed.guid) ??
      playable.find((posting) => isSamePosting(posting, listed))
    )?.link;
    return link && { url: link.url, headers: link.headers ?? {} };
  };
}

/** Of a pack AIOStreams told two sizes that differ by a thousandth of a percent (protocols.md §8.5). */
const SIZE_TOLERANCE = 0.01;

function isSamePosting({ name, size }: Posting, listed: ListingRef): boolean {
  const agree = size === listed.size || Math.abs((size ?? 0) / (listed.size ?? 0) - 1) < SIZE_TOLERANCE;
  return name === listed.name && agree;
}
