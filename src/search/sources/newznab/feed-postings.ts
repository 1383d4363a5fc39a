import type { Claims, IndexerManager, Posting } from '../../../model/index.ts';
import { parseLink, type SourceAddress, withLogin } from '../common/address.ts';
import {
  claimsOf,
  MAX_NAME_LENGTH,
  parseDate,
  parseId,
  parsePositive,
  parseWholeNumber,
  stableGuid,
} from '../common/fields.ts';
import type { FeedItem } from './feed-document.ts';

/** How the items of one answer are read. */
export interface FeedContext {
  /** SearchSource.id. */
  readonly source: string;
  /** Where the answer came from: relative addresses start there. */
  readonly url: string;
  readonly address: SourceAddress;
  readonly dialect: ItemDialect;
}

/** What managers of indexers write otherwise than indexers. */
export interface ItemDialect {
  readonly indexerOf: (item: FeedItem) => string;
  /** Empty where it gives none. */
  readonly guidOf: (item: FeedItem) => string;
  readonly linkOf: (link: URL) => URL;
  /** Through which the links lead. */
  readonly manager?: IndexerManager;
  /** Whether 0 grabs stand for "not known" (protocols.md §7.3). */
  readonly zeroIsUnknown?: true;
}

/** An indexer as such: the attribute is the stable id, the element often an address with it. */
export const indexerDialect = (name: string): ItemDialect => ({
  indexerOf: () => name,
  guidOf: ({ attributes, texts }) => stableGuid(attributes.get('guid') || (texts.get('guid') ?? '')),
  linkOf: (link) => link,
});

/** Items without a name or an NZB's address are left out. */
export function postingsOf(items: readonly FeedItem[], context: FeedContext): Posting[] {
  return items.flatMap((item) => postingOf(item, context) ?? []);
}

function postingOf(item: FeedItem, { source, url, address, dialect }: FeedContext): Posting | undefined {
  const { texts, attributes } = item;
  const name = (texts.get('title') ?? '').slice(0, MAX_NAME_LENGTH);
  const link = parseLink(enclosureOf(item)?.get('url') || (texts.get('link') ?? ''), url);
  if (name === '' || link === undefined) return undefined;
  const claims = claimsFrom(attributes);
  return {
    name,
    link: {
      url: withLogin(dialect.linkOf(link), address),
      guid: dialect.guidOf(item) || stableGuid(link.href),
      indexer: dialect.indexerOf(item),
      source,
      ...(dialect.manager && { manager: dialect.manager }),
    },
    ...postFieldsOf(item, dialect),
    ...(claims !== undefined && { claims }),
  };
}

function postFieldsOf(
  item: FeedItem,
  { zeroIsUnknown }: ItemDialect,
): Omit<Posting, 'name' | 'link' | 'claims'> {
  const { texts, attributes } = item;
  const size =
    parsePositive(attributes.get('size')) ??
    parsePositive(enclosureOf(item)?.get('length')) ??
    parsePositive(texts.get('size'));
  const posted = parseDate(attributes.get('usenetdate')) ?? parseDate(texts.get('pubdate'));
  const grabs = (zeroIsUnknown ? parsePositive : parseWholeNumber)(attributes.get('grabs'));
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

function claimsFrom(attributes: ReadonlyMap<string, string>): Claims | undefined {
  const either = (...names: string[]) => names.map((name) => attributes.get(name)).find(parseId);
  const ids = {
    imdb: either('imdb', 'imdbid'),
    tmdb: either('tmdbid', 'tmdb'),
    tvdb: attributes.get('tvdbid'),
    tvmaze: attributes.get('tvmazeid'),
  };
  return claimsOf(
    ids,
    numberOrUndefined(attributes.get('season')),
    numberOrUndefined(attributes.get('episode')),
  );
}

/** "3", "03" and "S03", "E03". */
function numberOrUndefined(value: string | undefined): number | undefined {
  const digits = /^[se]?(\d{1,4})$/i.exec(value ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
