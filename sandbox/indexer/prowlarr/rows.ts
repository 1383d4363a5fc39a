import { randomUUID } from 'node:crypto';
import type { CatalogueRelease } from '../../catalogue.ts';
import type { Incoming } from '../../http/types.ts';
import { listedAt } from '../documents.ts';
import { numbersOf, withDescendants } from './categories.ts';
import { addressAtIndexer } from './criteria.ts';
import type { ProwlarrIndexer } from './indexer.ts';
import { protectedLink } from './links.ts';
import { calledOrigin, type Prowlarr } from './prowlarr.ts';

/** A post as Prowlarr has read it from an indexer's list. 0 is a number that the indexer does not tell. */
export interface Row {
  readonly release: CatalogueRelease;
  readonly indexer: ProwlarrIndexer;
  /** Another one in each search where the indexer gives none. */
  readonly guid: string;
  /** Its page at the indexer. */
  readonly page: string;
  /** Milliseconds since the epoch. */
  readonly published: number;
  readonly size: number;
  readonly files: number;
  readonly grabs: number;
  readonly imdb: number;
  readonly tmdb: number;
  readonly tvdb: number;
  readonly categories: readonly number[];
  readonly downloadUrl: string;
}

/** The part of the sandbox's own address under which the posts of its indexers lie. */
export const OWN_POSTS = '/the-indexers-own';

/** The posts as rows, those outside of the categories that were asked for left out. */
export function rowsOf(
  releases: readonly CatalogueRelease[],
  indexer: ProwlarrIndexer,
  asked: readonly number[],
  { request, prowlarr }: { readonly request: Incoming; readonly prowlarr: Prowlarr },
): Row[] {
  const wanted = new Set(withDescendants(asked));
  return releases
    .map((release) => rowOf(release, indexer, calledOrigin(request, prowlarr), prowlarr))
    .filter(({ categories }) => asked.length === 0 || categories.some((id) => wanted.has(id)));
}

function rowOf(
  release: CatalogueRelease,
  indexer: ProwlarrIndexer,
  own: string,
  { apiKey, urlBase, url }: Prowlarr,
): Row {
  const { guid, of, posted, name } = release;
  const told = (what: NonNullable<CatalogueRelease['untold']>[number], value: number) =>
    release.untold?.includes(what) === true ? 0 : value;
  const page = `${indexer.baseUrl}/details/${guid}`;
  const base = indexer.isElsewhere ? indexer.baseUrl : `${url()}${OWN_POSTS}/${indexer.id}`;
  const link = protectedLink(addressAtIndexer(base, guid));
  const download = new URLSearchParams({ apikey: apiKey, link, file: name });
  return {
    release,
    indexer,
    page,
    guid: release.untold?.includes('guid') === true ? randomUUID() : page,
    published: told('usenetdate', Date.parse(posted)) || listedAt(release),
    size: told('size', release.size),
    files: told('files', release.videos.length + 2),
    grabs: told('grabs', release.grabs),
    imdb: told('imdb', Number(of.imdb.replace('tt', ''))),
    tmdb: Number(of.tmdb),
    tvdb: Number(of.tvdb ?? 0),
    categories: numbersOf(indexer.categories, release.categories),
    downloadUrl: `${own}${urlBase}/${indexer.id}/download?${download.toString()}`,
  };
}

/** Torrents have it: of a post, what its guid is made of. */
export const infoHash = ({ guid }: CatalogueRelease): string => guid.replaceAll('-', '').padEnd(40, '0');
export const SEEDERS = 5;
export const LEECHERS = 4;
