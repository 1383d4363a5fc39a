import { searchSources } from '../connections/sources.ts';
import type { Logger } from '../log/index.ts';
import type { Posting } from '../model/index.ts';
import { type Listed, readListed } from '../resolver.ts';
import { listAnew } from '../search/index.ts';
import type { Settings } from '../settings/index.ts';
import type { ProxyOptions } from '../stream-proxy.ts';

interface RelistContext {
  readonly settings: () => Settings;
  readonly dataFolder: string;
  readonly log: Logger;
}

/**
 * Finds the address of a stream anew: asks the source that had listed it, once, for the same post. An add-on's addresses
 * die with its restart, or after a time (protocols.md §8.11).
 */
export function relister({ settings, dataFolder, log }: RelistContext): NonNullable<ProxyOptions['relist']> {
  return async (value, signal) => {
    const listed = readListed(value);
    if (listed === undefined) return undefined;
    const { sources } = await searchSources(settings(), dataFolder, log);
    const source = sources.find(({ id }) => id === listed.source);
    if (source === undefined) return undefined;
    const postings = await listAnew(source, listed.request, signal);
    const link = postings.find((posting) => isSame(posting, listed))?.link;
    return link && { url: link.url, headers: link.headers ?? {} };
  };
}

/** An id of its own tells a post even where its name and size have changed with its first opening (§8.5). */
function isSame({ name, size, link }: Posting, listed: Listed): boolean {
  if (link.plays !== true) return false;
  return link.guid === listed.guid || (name === listed.name && size === listed.size);
}
