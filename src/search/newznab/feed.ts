import type { Posting } from '../../model/index.ts';
import { type Address, linkFrom, withLogin } from '../wire/address.ts';
import {
  claimsOf,
  dateOf,
  type Ids,
  idOf,
  MAX_NAME_LENGTH,
  positive,
  stableGuid,
  wholeNumber,
} from '../wire/reading.ts';
import type { FeedItem } from './document.ts';

/** How the items of one answer are read. */
export interface FeedContext {
  /** SearchSource.id. */
  readonly source: string;
  /** Where the answer came from: relative addresses start there. */
  readonly url: string;
  readonly address: Address;
  readonly dialect: ItemDialect;
}

/** What managers of indexers write otherwise than indexers. */
export interface ItemDialect {
  readonly indexerOf: (item: FeedItem) => string;
  /** Empty where it gives none. */
  readonly guidOf: (item: FeedItem) => string;
  readonly linkOf: (link: URL) => URL;
}

/** An indexer as such: the attribute is the stable id, the element often an address with it. */
export const indexerDialect = (name: string): ItemDialect => ({
  indexerOf: () => name,
  guidOf: ({ attributes, texts }) => stableGuid(attributes.get('guid') || (texts.get('guid') ?? '')),
  linkOf: (link) => link,
});

/** One row, and the ids that its indexer gives it, of whichever kind. */
export interface Row {
  readonly posting: Posting;
  readonly ids: Ids;
}

/** Items without a name or an NZB's address are left out. */
export function rowsOf(items: readonly FeedItem[], context: FeedContext): Row[] {
  return items.flatMap((item) => rowOf(item, context) ?? []);
}

function rowOf(item: FeedItem, { source, url, address, dialect }: FeedContext): Row | undefined {
  const { texts, attributes } = item;
  const name = (texts.get('title') ?? '').slice(0, MAX_NAME_LENGTH);
  const link = linkFrom(enclosureOf(item)?.get('url') || (texts.get('link') ?? ''), url);
  if (name === '' || link === undefined) return undefined;
  const ids = idsOf(attributes);
  const claims = claimsOf(ids, numbered(attributes.get('season')), numbered(attributes.get('episode')));
  const posting: Posting = {
    name,
    link: {
      url: withLogin(dialect.linkOf(link), address),
      guid: dialect.guidOf(item) || stableGuid(link.href),
      indexer: dialect.indexerOf(item),
      source,
    },
    ...factsOf(item),
    ...(claims !== undefined && { claims }),
  };
  return { posting, ids };
}

function factsOf(item: FeedItem): Omit<Posting, 'name' | 'link' | 'claims'> {
  const { texts, attributes } = item;
  const size =
    positive(attributes.get('size')) ??
    positive(enclosureOf(item)?.get('length')) ??
    positive(texts.get('size'));
  const posted = dateOf(attributes.get('usenetdate')) ?? dateOf(texts.get('pubdate'));
  const grabs = wholeNumber(attributes.get('grabs'));
  const passworded = passwordOf(attributes.get('password'));
  const poster = attributes.get('poster')?.slice(0, MAX_NAME_LENGTH) || undefined;
  return {
    ...(size !== undefined && { size }),
    ...(posted !== undefined && { posted }),
    ...(grabs !== undefined && { grabs }),
    ...(passworded !== undefined && { passworded }),
    ...(poster !== undefined && { poster }),
  };
}

/** The enclosure that is an NZB, else the first. */
function enclosureOf({ enclosures }: FeedItem): ReadonlyMap<string, string> | undefined {
  return enclosures.find((each) => each.get('type') === 'application/x-nzb') ?? enclosures[0];
}

/** 0: none; 1 and 2: protected; others (-1, 10): the indexer does not know for sure. */
function passwordOf(value: string | undefined): boolean | undefined {
  if (value === '0') return false;
  return value === '1' || value === '2' ? true : undefined;
}

function idsOf(attributes: ReadonlyMap<string, string>): Ids {
  const id = (...names: string[]) => names.map((name) => idOf(attributes.get(name))).find(Boolean);
  const imdb = id('imdb', 'imdbid');
  const tmdb = id('tmdbid', 'tmdb');
  const tvdb = id('tvdbid');
  const tvmaze = id('tvmazeid');
  return {
    ...(imdb !== undefined && { imdb }),
    ...(tmdb !== undefined && { tmdb }),
    ...(tvdb !== undefined && { tvdb }),
    ...(tvmaze !== undefined && { tvmaze }),
  };
}

/** "3", "03" and "S03", "E03". */
function numbered(value: string | undefined): number | undefined {
  const digits = /^[se]?(\d{1,4})$/i.exec(value ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
