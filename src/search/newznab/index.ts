import { SlipstreamError } from '../../errors/index.ts';
import { deadlineSignal } from '../../io/wait.ts';
import { type Logger, registerSecret } from '../../log/index.ts';
import type { MediaRequest, Release } from '../../model/index.ts';
import { loadReleaseNameParser } from '../../release/index.ts';
import { fitsRequest } from '../match.ts';
import type { SearchSource } from '../source.ts';
import { parseEndpoint } from './address.ts';
import { capabilitiesOf } from './capabilities.ts';
import { type Client, call } from './client.ts';
import { parseFeed } from './feed.ts';
import { planQueries, type Query } from './plan.ts';
import { oneAtATime } from './turn.ts';

export interface NewznabOptions {
  /** How the person calls the indexer. */
  readonly name: string;
  /** The address as entered: base, full path to /api, or with a key in it. */
  readonly url: string;
  /** Empty: the one in the address, if any. */
  readonly apiKey: string;
  /** Milliseconds for a whole search, all of its queries together. */
  readonly timeout: number;
  /** Folder in which the indexer's capabilities are remembered. */
  readonly cacheFolder: string;
}

/** A Newznab indexer. @throws INVALID_REQUEST when the address is no web address */
export function newznabSource(options: NewznabOptions, log: Logger): SearchSource {
  const { name, timeout } = options;
  const search = searcher(clientOf(options), options, log);
  const turns = oneAtATime();
  return {
    name,
    search: async (request, signal) => {
      const limit = deadlineSignal(signal, timeout, () => tooSlow(name, timeout));
      try {
        return await turns.take(limit.signal, () => search(request, limit.signal));
      } finally {
        limit.done();
      }
    },
  };
}

function clientOf({ name, url, apiKey }: NewznabOptions): Client {
  const who = `The indexer ${name}`;
  const endpoint = parseEndpoint(url, who);
  const key = apiKey.trim() || (endpoint.apiKey ?? '');
  registerSecret(key);
  return { who, endpoint, apiKey: key };
}

type Search = (request: MediaRequest, signal: AbortSignal) => Promise<Release[]>;

function searcher(client: Client, { name, timeout, cacheFolder }: NewznabOptions, log: Logger): Search {
  /** All that one query lists; undefined when the indexer does not know such a query. */
  const list = async (query: Query, signal: AbortSignal): Promise<Release[] | undefined> => {
    const started = performance.now();
    const sent = call(client, query, 'rss', { signal, timeout });
    // Loaded while the indexer thinks: the first request must not wait for it.
    const [answer, parseName] = await Promise.all([sent, loadReleaseNameParser()]);
    if (answer === 'unsupported') return undefined;
    const releases =
      answer === 'nothing' ? [] : parseFeed(answer.root, { indexer: name, url: answer.url, parseName });
    const took = Math.round(performance.now() - started);
    log.info(`${name}: ${describe(query)} lists ${releases.length} releases in ${took} ms`);
    return releases;
  };

  return async (request, signal) => {
    const caps = await capabilitiesOf(client, cacheFolder, { signal, timeout, log });
    const found: Release[] = [];
    let understood = false;
    for (const alternatives of planQueries(request, caps)) {
      for (const query of alternatives) {
        const releases = await list(query, signal);
        if (releases === undefined) continue;
        understood = true;
        found.push(...releases);
        break;
      }
      if (found.some((release) => fitsRequest(release, request))) break;
    }
    if (!understood) throw cannotSearch(client.who);
    return found;
  };
}

/** For the log: what is asked, without the address. */
function describe(query: Query): string {
  const { t, q, imdbid, tmdbid, tvdbid, season, ep } = query;
  const parts = { q, imdbid, tmdbid, tvdbid, season, ep };
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  return `${t ?? ''} ${given.map(([name, value]) => `${name}=${value ?? ''}`).join(' ')}`;
}

function tooSlow(name: string, timeout: number): SlipstreamError {
  return new SlipstreamError(
    'TIMEOUT',
    {
      what: `The indexer ${name} did not answer within ${Math.ceil(timeout / 1000)} seconds.`,
      next: 'Try again, or raise the time limit for searches in the settings.',
    },
    { transient: true },
  );
}

function cannotSearch(who: string): SlipstreamError {
  return new SlipstreamError('SERVICE_ERROR', {
    what: `${who} offers no search that Slipstream can use.`,
    next: 'Check that the address belongs to a Newznab indexer.',
  });
}
