import type { SlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import type { Answer, SearchQuery, SearchSource } from '../source.ts';
import { abilitiesOf, takes } from '../wire/caps.ts';
import { hasIgnoredId } from '../wire/ignored-id.ts';
import type { SourceOptions } from '../wire/options.ts';
import { idOf } from '../wire/reading.ts';
import type { Refusal } from '../wire/refusal.ts';
import type { Remembered } from '../wire/remembered.ts';
import { type Client, isRefusal, prowlarrClient } from './client.ts';
import { allUnavailable, failuresOf } from './failures.ts';
import { type Indexer, rememberedIndexers } from './indexers.ts';
import { parametersOf } from './query.ts';
import { Results, type Row, rowsOf } from './results.ts';
import { testConnection } from './test-connection.ts';

/**
 * Prowlarr by its own search API (protocols.md §7). Only indexers that understand all of a query are asked: the others
 * would be sent what is left of it, and list whatever is newest.
 *
 * @throws INVALID_REQUEST when the address is no web address
 */
export function prowlarrSource(options: SourceOptions, log: Logger): SearchSource {
  const { id, name, timeout } = options;
  const client = prowlarrClient(options);
  const indexers = rememberedIndexers(client, options, log);
  const prowlarr: Prowlarr = { id, client, indexers, timeout, log };
  return {
    id,
    name,
    abilities: async (signal) => abilitiesOf((await indexers.get(signal)).map(({ caps }) => caps)),
    ask: async (query, signal) => {
      if (query.id !== undefined && idOf(query.id.value) === undefined) return 'unsupported';
      const fitting = takersOf(query, await indexers.get(signal));
      if (fitting.length === 0) return 'unsupported';
      const started = performance.now();
      const answer = await ask(prowlarr, query, fitting, signal);
      const took = Math.round(performance.now() - started);
      const { postings, failures } = answer;
      log.info(
        `${name}: ${parametersOf(query, []).get('query') ?? ''}: ${postings.length} posts of ${fitting.length} indexers, ${failures.length} failures, in ${took} ms`,
      );
      return answer;
    },
    test: (signal) =>
      testConnection(
        {
          client,
          indexers,
          newest: async (asked, own) => {
            const rows = await newest(prowlarr, asked, own);
            return rows === 'nobody' ? rows : rows.length;
          },
          circumstances: { timeout, log },
        },
        signal,
      ),
  };
}

interface Prowlarr {
  readonly id: string;
  readonly client: Client;
  readonly indexers: Remembered<readonly Indexer[]>;
  readonly timeout: number;
  readonly log: Logger;
}

const takersOf = (query: SearchQuery, indexers: readonly Indexer[]) =>
  indexers.filter(({ caps }) => takes(caps, query));

async function ask(
  prowlarr: Prowlarr,
  query: SearchQuery,
  asked: readonly Indexer[],
  signal: AbortSignal,
): Promise<Answer> {
  const { client } = prowlarr;
  const found = await search(prowlarr, query, asked, signal);
  if (found !== 'nobody') return await answerOf(prowlarr, query, found, asked, signal);
  // They rest, or they are others by now than when they were asked for.
  const current = takersOf(query, await prowlarr.indexers.renew(signal));
  const again = areSame(current, asked) ? 'nobody' : await search(prowlarr, query, current, signal);
  if (again === 'nobody') throw allUnavailable(client, await failures(prowlarr, current, signal));
  return await answerOf(prowlarr, query, again, current, signal);
}

/** 'nobody': none of them can be asked at the moment. */
function search(
  prowlarr: Prowlarr,
  query: SearchQuery,
  asked: readonly Indexer[],
  signal: AbortSignal,
): Promise<Row[] | 'nobody'> {
  return list(prowlarr, parametersOf(query, asked), asked, signal);
}

/** One row of whatever each has newest. */
function newest(
  prowlarr: Prowlarr,
  asked: readonly Indexer[],
  signal: AbortSignal,
): Promise<Row[] | 'nobody'> {
  const parameters = parametersOf({ kind: 'text', area: 'movies' }, asked);
  parameters.set('limit', '1');
  return list(prowlarr, parameters, asked, signal);
}

async function list(
  { id, client, timeout }: Prowlarr,
  parameters: URLSearchParams,
  asked: readonly Indexer[],
  signal: AbortSignal,
): Promise<Row[] | 'nobody'> {
  if (asked.length === 0) return 'nobody';
  const resource = { path: '/search', parameters, schema: Results, expected: saysNobody };
  const results = await client.get(resource, { signal, timeout });
  return isRefusal(results) ? 'nobody' : rowsOf(results, id, client.address);
}

const saysNobody = ({ httpStatus, text }: Refusal) =>
  httpStatus === 400 && /indexers?\b.*\bunavailable/i.test(text);

async function answerOf(
  prowlarr: Prowlarr,
  query: SearchQuery,
  rows: readonly Row[],
  asked: readonly Indexer[],
  signal: AbortSignal,
): Promise<Answer> {
  const answering = new Set(rows.map(({ indexerId }) => indexerId));
  const silent = asked.filter(({ id }) => !answering.has(id));
  const postings = rows.map(({ posting }) => posting);
  return {
    postings,
    failures: await failures(prowlarr, silent, signal),
    ignoredId: hasIgnoredId(query, postings),
  };
}

const failures = (
  { client, timeout, log }: Prowlarr,
  silent: readonly Indexer[],
  signal: AbortSignal,
): Promise<SlipstreamError[]> => failuresOf(silent, client, { signal, timeout, log });

const areSame = (some: readonly Indexer[], others: readonly Indexer[]) =>
  some.length === others.length && some.every(({ id }) => others.some((other) => other.id === id));
