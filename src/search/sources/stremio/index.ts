import type { Logger } from '../../../log/index.ts';
import type { SourceOptions } from '../common/options.ts';
import type { SearchAnswer, SearchSource, TestableSource } from '../source.ts';
import { addonClient } from './client.ts';
import { streamLister } from './list-streams.ts';
import { addonCapabilities, persistedManifest } from './manifest.ts';
import { resolveScheme } from './resolve-scheme.ts';
import { streamQueryOf } from './stream-query.ts';
import { type Addon, testConnection } from './test-connection.ts';

export { secretsOfAddon } from './address.ts';

interface AddonOptions extends SourceOptions {
  /** The person has a backend that takes NZBs: they are then preferred to streams of the add-on's own. Absent: none. */
  readonly takesNzbs?: boolean;
}

/**
 * A Stremio add-on that lists streams of a usenet service (protocols.md §8.2, §8.3). Its links open the video itself; those
 * of AIOStreams and StreamNZB lead to NZBs where there is a backend for these (see list.ts).
 * The address is the key; `apiKey` is not used.
 * @throws INVALID_REQUEST when the address is no web address
 */
export function stremioSource(options: AddonOptions, log: Logger): SearchSource & TestableSource {
  const { id, name } = options;
  const openAddon = (url: string): Addon => {
    const client = addonClient({ ...options, url });
    return { client, manifest: persistedManifest(client, options, log), list: streamLister(client, options) };
  };
  // At once, so that an address that is none is told.
  const entered = openAddon(options.url);
  let addon: Addon | undefined;
  const open = async (signal: AbortSignal): Promise<Addon> => {
    if (addon !== undefined) return addon;
    const url = await resolveScheme(options.url, signal);
    addon = url === options.url ? entered : openAddon(url);
    return addon;
  };
  return {
    id,
    name,
    hasSecretLinks: true,
    isIdOnly: true,
    capabilities: async (signal) => addonCapabilities(await (await open(signal)).manifest.get(signal)),
    ask: async (query, signal) => {
      signal.throwIfAborted();
      if (query.kind === 'text') return NOTHING;
      if (streamQueryOf(query) === undefined) return 'unsupported';
      const { manifest: offer, list } = await open(signal);
      const offered = await offer.get(signal);
      const wanted = streamQueryOf(query, offered);
      if (wanted === undefined) return 'unsupported';
      const { postings, failures, form } = await list(wanted, offered, signal);
      log.info(`${name}: ${postings.length} ${form}, ${failures.length} failures`);
      return { postings, failures, ignoredId: false };
    },
    test: async (signal) => testConnection(await open(signal), signal),
  };
}

/** The protocol knows no texts: nothing is listed for one, and that is no failure of the add-on. */
const NOTHING: SearchAnswer = { postings: [], failures: [], ignoredId: false };
