import type { Answer, Incoming } from '../../http/types.ts';
import { newznabDocument, newznabError, validationError } from './answers.ts';
import { cooldownAnswer, indexerOf, unavailableAnswer } from './availability.ts';
import { capsOf } from './caps.ts';
import { type Criteria, forwardedValue } from './criteria.ts';
import { cannedFeed, feedOf } from './feed.ts';
import type { Prowlarr } from './prowlarr.ts';
import { queryIndexer } from './query-indexer.ts';
import { rowsOf } from './rows.ts';

const FUNCTIONS = ['search', 'tvsearch', 'movie', 'music', 'book'];
/** By this id Prowlarr itself answers, for the tests of programs that use it. */
const CANNED = 0;

/**
 * The Newznab interface of one indexer (protocols.md §7.3). `t=caps` asks the indexer nothing, and is refused as a search
 * is.
 *
 * @throws Exception when there is no such indexer
 */
export async function newznab(request: Incoming, id: number, prowlarr: Prowlarr): Promise<Answer> {
  const { query } = request;
  const wrong = wrongParameter(query);
  if (wrong !== undefined) return wrong;
  const name = query.get('t') ?? '';
  if (id === CANNED) return newznabDocument(cannedFeed(prowlarr.now()));
  const indexer = indexerOf(id, prowlarr);
  const refused = unavailableAnswer(indexer, 'query', prowlarr);
  if (refused !== undefined) return refused;
  if (name === 'caps') return newznabDocument(capsOf(indexer, prowlarr.faults));
  if (!FUNCTIONS.includes(name)) return newznabError(400, 202, `No such function (${name})`);
  const criteria = criteriaOf(query);
  const releases = await queryIndexer(indexer, criteria, prowlarr);
  const rows = rowsOf(releases, indexer, criteria.categories, { request, prowlarr });
  return cooldownAnswer(indexer, prowlarr) ?? newznabDocument(feedOf(rows, indexer));
}

function wrongParameter(query: URLSearchParams): Answer | undefined {
  const season = query.get('season') ?? '';
  if (!/^\d*$/.test(season))
    return validationError(
      'season',
      `The value '${season}' is not valid for season.`,
      'application/problem+json; charset=utf-8',
    );
  if (!query.get('t')) return newznabError(400, 200, 'Missing parameter (t)');
  if (!/^(?:tt)?\d*$/.test(query.get('imdbid') ?? ''))
    return newznabError(400, 201, 'Incorrect parameter (imdbid)');
  return undefined;
}

const PARAMETERS = ['imdbid', 'tmdbid', 'tvdbid', 'tvmazeid', 'rid', 'season', 'ep', 'year', 'genre'];
/** Each of them goes out with the value of `maxage`: a defect of Prowlarr. */
const CONFUSED = ['minage', 'minsize', 'maxsize'];
const DEFAULT_LIMIT = 100;

function criteriaOf(query: URLSearchParams): Criteria {
  const given = (name: string) => query.get(name) ?? '';
  const parameters = PARAMETERS.filter((name) => given(name) !== '');
  const maxage = given('maxage');
  const confused = CONFUSED.filter((name) => given(name) !== '');
  return {
    type: given('t'),
    text: given('q'),
    parameters: new Map(parameters.map((name) => [name, forwardedValue(name, given(name))])),
    categories: given('cat').split(',').filter(Boolean).map(Number),
    limit: Number(given('limit') || DEFAULT_LIMIT),
    offset: Number(given('offset')),
    ...(maxage !== '' && {
      further: Object.fromEntries(['maxage', ...confused].map((name) => [name, maxage])),
    }),
  };
}
