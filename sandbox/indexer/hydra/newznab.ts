import type { Answer, Incoming } from '../../http/types.ts';
import { categoryAsked } from './categories.ts';
import { download } from './downloads.ts';
import type { Hydra } from './hydra.ts';
import { errorJson, listJson } from './json.ts';
import { type HydraQuery, idsOf } from './query-indexer.ts';
import { rowOf } from './rows.ts';
import { search } from './search.ts';
import { capsXml, errorXml, listXml, wrappedError } from './xml.ts';

/** What it knows of an address with a name in it. */
export type NamedIndexer = { readonly name: string } | undefined;

/** The Newznab endpoint: every error of it has status 200 (protocols.md §6.1). @param path of `/api/NAME` */
export async function newznab(request: Incoming, named: NamedIndexer, hydra: Hydra): Promise<Answer> {
  const { query } = request;
  const told = query.get('o') === 'json' ? errorJson : errorXml;
  if (query.get('apikey') !== hydra.apiKey) return told(100, 'Wrong api key');
  // It reads the season as an integer, and what is to be done as one of the words that it knows.
  const isValid = /^\d*$/.test(query.get('season') ?? '') && FUNCTIONS.includes(query.get('t') ?? '');
  if (!isValid)
    return hydra.settings.wrapApiErrors ? wrappedError() : told(900, 'Validation failed for argument [0]');
  const kind = query.get('t');
  switch (kind) {
    case 'caps':
      return capsXml(knowsIds(hydra));
    case 'get':
      return download(query.get('id') ?? '', hydra);
    case 'search':
    case 'tvsearch':
    case 'movie':
      if (named !== undefined && query.has('indexers')) return told(200, UNKNOWN);
      return list({ kind, query, category: categoryAsked(query.get('cat') ?? '') }, named, request, hydra);
    default:
      return told(200, UNKNOWN);
  }
}

const FUNCTIONS = ['', 'caps', 'get', 'search', 'tvsearch', 'movie'];
const UNKNOWN = 'Unknown or incorrect parameter';

const knowsIds = ({ indexers, faults }: Hydra) =>
  indexers.some(
    (indexer) =>
      indexer.enable &&
      [...idsOf(indexer, faults, 'movie'), ...idsOf(indexer, faults, 'tvsearch')].length > 0,
  );

async function list(
  question: HydraQuery,
  named: NamedIndexer,
  request: Incoming,
  hydra: Hydra,
): Promise<Answer> {
  const { query } = question;
  const page = await search(
    question,
    {
      names: named === undefined ? query.get('indexers')?.split(',') : [named.name],
      offset: Number(query.get('offset') ?? 0),
      limit: Number(query.get('limit') ?? 100),
    },
    hydra,
  );
  const base = `${hydra.linkBase ?? calledBy(request)}${hydra.urlBase}`;
  const key = encodeURIComponent(hydra.apiKey);
  const rows = page.results.map((result) => rowOf(result, (id) => `${base}/getnzb/api/${id}?apikey=${key}`));
  return query.get('o') === 'json' ? listJson(page, rows) : listXml(page, rows);
}

/** The host of the request, always with its port. */
function calledBy({ headers: { host = '' } }: Incoming): string {
  return /:\d+$/.test(host) ? `http://${host}` : `http://${host}:80`;
}
