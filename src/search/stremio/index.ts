import type { Logger } from '../../log/index.ts';
import type { Answer, SearchSource, Testable } from '../source.ts';
import type { SourceOptions } from '../wire/options.ts';
import { addonClient } from './client.ts';
import { lister } from './list.ts';
import { abilitiesOf, rememberedOffer } from './manifest.ts';
import { asSpoken } from './spoken.ts';
import { type Tested, testConnection } from './test-connection.ts';
import { wantedBy } from './wanted.ts';

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
export function stremioSource(options: AddonOptions, log: Logger): SearchSource & Testable {
  const { id, name } = options;
  const addonAt = (url: string): Tested => {
    const client = addonClient({ ...options, url });
    return { client, offer: rememberedOffer(client, options, log), list: lister(client, options) };
  };
  // At once, so that an address that is none is told.
  const entered = addonAt(options.url);
  let addon: Tested | undefined;
  const open = async (signal: AbortSignal): Promise<Tested> => {
    if (addon !== undefined) return addon;
    const url = await asSpoken(options.url, signal);
    addon = url === options.url ? entered : addonAt(url);
    return addon;
  };
  return {
    id,
    name,
    listsSecrets: true,
    knowsNoWords: true,
    abilities: async (signal) => abilitiesOf(await (await open(signal)).offer.get(signal)),
    ask: async (query, signal) => {
      signal.throwIfAborted();
      if (query.kind === 'text') return NOTHING;
      if (wantedBy(query) === undefined) return 'unsupported';
      const { offer, list } = await open(signal);
      const offered = await offer.get(signal);
      const wanted = wantedBy(query, offered);
      if (wanted === undefined) return 'unsupported';
      const { postings, failures, form } = await list(wanted, offered, signal);
      log.info(`${name}: ${postings.length} ${form}, ${failures.length} failures`);
      return { postings, failures, ignoredId: false };
    },
    test: async (signal) => testConnection(await open(signal), signal),
  };
}

/** The protocol knows no texts: nothing is listed for one, and that is no failure of the add-on. */
const NOTHING: Answer = { postings: [], failures: [], ignoredId: false };
