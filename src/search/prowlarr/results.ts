import * as v from 'valibot';
import type { Claims, Posting } from '../../model/index.ts';
import { type Address, linkFrom, withLogin } from '../wire/address.ts';
import { claimsOf, dateOf, MAX_NAME_LENGTH, stableGuid } from '../wire/reading.ts';
import { listOf } from './client.ts';

const number = v.fallback(v.optional(v.nullable(v.number())), undefined);
const text = v.fallback(v.optional(v.nullable(v.string())), undefined);

const Result = v.object({
  title: v.string(),
  guid: text,
  downloadUrl: text,
  size: number,
  publishDate: text,
  grabs: number,
  indexerId: v.number(),
  indexer: text,
  imdbId: number,
  tmdbId: number,
  tvdbId: number,
  tvMazeId: number,
  protocol: v.string(),
});
type Result = v.InferOutput<typeof Result>;

/** Each indexer gives 100; some ignore the limit. */
const MAX_RESULTS = 5000;

export const Results = listOf(Result, MAX_RESULTS);

/** One row, and who listed it. */
export interface Row {
  readonly posting: Posting;
  readonly indexerId: number;
}

/** Torrents, and rows without a name or an address, are left out. */
export function rowsOf(results: readonly Result[], source: string, address: Address): Row[] {
  return results.flatMap((result) => rowOf(result, source, address) ?? []);
}

function rowOf(result: Result, source: string, address: Address): Row | undefined {
  const { title, guid, downloadUrl, indexer, indexerId, protocol } = result;
  const name = title.trim().slice(0, MAX_NAME_LENGTH);
  const link = linkFrom(downloadUrl ?? '', `${address.base}/`);
  if (name === '' || link === undefined || protocol !== 'usenet') return undefined;
  const claims = claimsIn(result);
  const posting: Posting = {
    name,
    link: {
      url: withLogin(throughBase(link, address.base), address),
      guid: stableGuid(guid ?? '') || stableGuid(link.href),
      indexer: indexer || String(indexerId),
      source,
    },
    ...factsOf(result),
    ...(claims !== undefined && { claims }),
  };
  return { posting, indexerId };
}

function factsOf({ size, publishDate, grabs }: Result): Pick<Posting, 'size' | 'posted' | 'grabs'> {
  const posted = dateOf(publishDate ?? undefined);
  return {
    ...(isCount(size) && size > 0 && { size }),
    ...(posted !== undefined && { posted }),
    ...(isCount(grabs) && { grabs }),
  };
}

const isCount = (value: number | null | undefined): value is number =>
  value !== null && value !== undefined && Number.isSafeInteger(value) && value >= 0;

/** 0 stands for "none". */
function claimsIn({ imdbId, tmdbId, tvdbId, tvMazeId }: Result): Claims | undefined {
  const written = (id: number | null | undefined) => String(id ?? 0);
  return claimsOf({
    imdb: written(imdbId),
    tmdb: written(tmdbId),
    tvdb: written(tvdbId),
    tvmaze: written(tvMazeId),
  });
}

/**
 * Download links name the host that Prowlarr believes to be called by, which behind a proxy may be one that nobody else
 * can reach. The address at which it has just answered is known to work.
 */
function throughBase(link: URL, base: string): URL {
  const path = /\/\d+\/download$/.exec(link.pathname)?.[0];
  return path === undefined ? link : new URL(`${base}${path}${link.search}`);
}
