import type { Answer, Incoming } from '../../http/types.ts';
import { Exception, resourceAnswer, validationError } from './answers.ts';
import { categoryInRow } from './categories.ts';
import { type Criteria, forwardedValue } from './criteria.ts';
import type { ProwlarrIndexer } from './indexer.ts';
import { dateText, type Prowlarr } from './prowlarr.ts';
import { queryIndexer } from './query-indexer.ts';
import { infoHash, LEECHERS, type Row, rowsOf, SEEDERS } from './rows.ts';

/**
 * GET /api/v1/search (protocols.md §7.2): waits for all indexers that it asks.
 *
 * @throws Exception when none of those wanted is on and awake
 */
export async function search(request: Incoming, prowlarr: Prowlarr): Promise<Answer> {
  const { query } = request;
  const wrong = wrongParameter(query);
  if (wrong !== undefined) return wrong;
  const criteria = criteriaOf(query);
  const able = wantedOf(query, prowlarr).filter(
    ({ id, enable }) => enable && prowlarr.cooldowns.of(id) === undefined,
  );
  if (able.length === 0) throw new Exception(400, 'Exceptions.NzbDroneClientException', NOBODY);
  const rows = await Promise.all(
    able.map(async (indexer) => {
      const releases = await queryIndexer(indexer, criteria, prowlarr);
      return rowsOf(releases, indexer, criteria.categories, { request, prowlarr });
    }),
  );
  return resourceAnswer(withoutTwins(rows.flat()).map((row) => rowResource(row, prowlarr.now())));
}

const NOBODY = 'Search failed due to all selected indexers being unavailable';

/** Numbers come one by one: a list with commas is none. */
function wrongParameter(query: URLSearchParams): Answer | undefined {
  const given = ['indexerIds', 'categories'].flatMap((name) =>
    query.getAll(name).map((value) => [name, value] as const),
  );
  const odd = given.find(([, value]) => !/^-?\d+$/.test(value));
  if (odd === undefined) return undefined;
  const [name, value] = odd;
  return validationError(name, `The value '${value}' is not valid.`, 'application/json; charset=utf-8');
}

/** In the order of their ids. -1 stands for all of usenet, -2 for all torrents, and none for all. */
function wantedOf(query: URLSearchParams, { indexers }: Prowlarr): readonly ProwlarrIndexer[] {
  const ids = query.getAll('indexerIds').map(Number);
  const all = indexers.toSorted((one, other) => one.id - other.id);
  if (ids.length === 0) return all;
  return all.filter(({ id, protocol }) => ids.includes(id) || ids.includes(protocol === 'usenet' ? -1 : -2));
}

const FILM_TOKENS = ['imdbid', 'tmdbid', 'year', 'genre'];
/** The tokens that are read in a search of each type; in others, and of other names, they are words. */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  movie: FILM_TOKENS,
  tvsearch: [...FILM_TOKENS, 'tvdbid', 'tvmazeid', 'rid', 'season', 'episode'],
};
const TOKEN = /\{(\w+):([^{}]+)\}/g;

function criteriaOf(query: URLSearchParams): Criteria {
  const type = query.get('type') || 'search';
  const text = query.get('query') ?? '';
  const parameters = new Map<string, string>();
  const words = text.replace(TOKEN, (token, name: string, value: string) => {
    const lower = name.toLowerCase();
    if (TOKENS[type]?.includes(lower) !== true) return token;
    const parameter = lower === 'episode' ? 'ep' : lower;
    parameters.set(parameter, forwardedValue(parameter, value));
    return '';
  });
  return {
    type,
    parameters,
    text: words.trim(),
    categories: query.getAll('categories').map(Number),
    limit: Number(query.get('limit') ?? 0),
    offset: Number(query.get('offset') ?? 0),
  };
}

/** Of rows with one guid, that of the indexer that goes first. */
function withoutTwins(rows: readonly Row[]): readonly Row[] {
  const kept = new Map<string, Row>();
  for (const row of rows.toSorted((one, other) => one.indexer.priority - other.indexer.priority))
    if (!kept.has(row.guid)) kept.set(row.guid, row);
  return rows.filter((row) => kept.get(row.guid) === row);
}

const MINUTE = 60_000;

function rowResource(row: Row, now: number): unknown {
  const { release, indexer, guid, page, published, imdb, tmdb, tvdb, size, files, grabs } = row;
  const minutes = (now - published) / MINUTE;
  const isTorrent = indexer.protocol === 'torrent';
  return {
    guid,
    age: Math.floor(minutes / 1440),
    ageHours: minutes / 60,
    ageMinutes: minutes,
    size,
    files,
    grabs,
    indexerId: indexer.id,
    indexer: indexer.name,
    title: release.name,
    sortTitle: sortTitle(release.name),
    imdbId: imdb,
    tmdbId: tmdb,
    tvdbId: tvdb,
    tvMazeId: 0,
    publishDate: dateText(published),
    commentUrl: `${page}#comments`,
    downloadUrl: row.downloadUrl,
    infoUrl: page,
    indexerFlags: [],
    categories: row.categories.map(categoryInRow),
    ...(isTorrent && { infoHash: infoHash(release), seeders: SEEDERS, leechers: LEECHERS }),
    protocol: indexer.protocol,
    fileName: `${release.name}.${isTorrent ? 'torrent' : 'nzb'}`,
  };
}

const sortTitle = (title: string) =>
  title
    .toLowerCase()
    .replaceAll('?', '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
