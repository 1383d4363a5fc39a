import type { Logger } from '../../log/index.ts';
import type { Claims } from '../../model/index.ts';
import type { Answer, SearchQuery, SearchSource, Testable } from '../source.ts';
import type { SourceOptions } from '../wire/options.ts';
import { idOf, imdbDigits } from '../wire/reading.ts';
import { addonClient } from './client.ts';
import { abilitiesOf, type Offer, PREFIXES, rememberedOffer } from './manifest.ts';
import { rowsOf, Streams } from './rows.ts';
import { testConnection } from './test-connection.ts';

export { secretsOfAddon } from './address.ts';

/**
 * A Stremio add-on that lists streams of a usenet service (protocols.md §8.2, §8.3). Its links open the video itself.
 * The address is the key; `apiKey` is not used.
 * @throws INVALID_REQUEST when the address is no web address
 */
export function stremioSource(options: SourceOptions, log: Logger): SearchSource & Testable {
  const { id, name } = options;
  const client = addonClient(options);
  const offer = rememberedOffer(client, options, log);
  return {
    id,
    name,
    abilities: async (signal) => abilitiesOf(await offer.get(signal)),
    ask: async (query, signal) => {
      signal.throwIfAborted();
      if (query.kind === 'text') return NOTHING;
      if (streamOf(query, ANY) === undefined) return 'unsupported';
      const stream = streamOf(query, await offer.get(signal));
      if (stream === undefined) return 'unsupported';
      const { streams } = await client.get(stream.path, Streams, signal);
      const { base } = client.address;
      const rows = rowsOf(streams, { source: id, service: client.service, base, claims: stream.claims });
      log.info(
        `${name}: ${streams.length} streams, ${rows.postings.length} to play, ${rows.failures.length} failures`,
      );
      return { ...rows, ignoredId: false };
    },
    test: (signal) => testConnection({ client, offer }, signal),
  };
}

/** The protocol knows no texts: nothing is listed for one, and that is no failure of the add-on. */
const NOTHING: Answer = { postings: [], failures: [], ignoredId: false };

/** What some add-on can be asked for. */
const ANY: Offer = { types: ['movie', 'series'], prefixes: Object.values(PREFIXES) };

interface WantedStream {
  /** Under the add-on's address. */
  readonly path: string;
  /** What a list of its streams says of each. */
  readonly claims: Claims;
}

/** A film by its id, an episode by its show's with both numbers; undefined for what the add-on does not take. */
function streamOf(query: SearchQuery, { types, prefixes }: Offer): WantedStream | undefined {
  const { kind, id, text, season, episode, date } = query;
  const digits = idOf(id?.value);
  if (id === undefined || digits === undefined || text !== undefined || !types.includes(kind))
    return undefined;
  if ((id.kind !== 'imdb' && id.kind !== 'tmdb') || !prefixes.includes(PREFIXES[id.kind])) return undefined;
  const value = id.kind === 'imdb' ? `tt${imdbDigits(digits)}` : digits;
  const named = id.kind === 'imdb' ? value : `${PREFIXES.tmdb}${value}`;
  if (kind === 'movie') return { path: `/stream/movie/${named}.json`, claims: { [id.kind]: value } };
  if (season === undefined || episode === undefined || date !== undefined) return undefined;
  return {
    path: `/stream/series/${named}:${season}:${episode}.json`,
    claims: { [id.kind]: value, season, episode },
  };
}
