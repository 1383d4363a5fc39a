import type { Logger } from '../../log/index.ts';
import type { Answer, SearchSource, Testable } from '../source.ts';
import type { SourceOptions } from '../wire/options.ts';
import { addonClient } from './client.ts';
import { lister } from './list.ts';
import { abilitiesOf, rememberedOffer } from './manifest.ts';
import { testConnection } from './test-connection.ts';
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
  const client = addonClient(options);
  const offer = rememberedOffer(client, options, log);
  const list = lister(client, options);
  return {
    id,
    name,
    listsSecrets: true,
    abilities: async (signal) => abilitiesOf(await offer.get(signal)),
    ask: async (query, signal) => {
      signal.throwIfAborted();
      if (query.kind === 'text') return NOTHING;
      if (wantedBy(query) === undefined) return 'unsupported';
      const offered = await offer.get(signal);
      const wanted = wantedBy(query, offered);
      if (wanted === undefined) return 'unsupported';
      const { postings, failures, form } = await list(wanted, offered, signal);
      log.info(`${name}: ${postings.length} ${form}, ${failures.length} failures`);
      return { postings, failures, ignoredId: false };
    },
    test: (signal) => testConnection({ client, offer, list }, signal),
  };
}

/** The protocol knows no texts: nothing is listed for one, and that is no failure of the add-on. */
const NOTHING: Answer = { postings: [], failures: [], ignoredId: false };
