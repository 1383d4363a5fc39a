import { childOf, childrenOf, type XmlElement } from '../../io/xml.ts';
import type { Claims, Posting } from '../../model/index.ts';
import type { PostingNameParser } from '../../release/index.ts';

/** How the releases of one answer are read. */
export interface FeedContext {
  /** The name the person gave the indexer. */
  readonly indexer: string;
  /** Where the answer came from. */
  readonly url: string;
  readonly parseName: PostingNameParser;
}

/** No name is longer; what is, says nothing more. */
const MAX_NAME_LENGTH = 500;
/** An answer has 100 items; some indexers ignore the limit. */
const MAX_ITEMS = 1000;

/** The releases of an RSS document; items without a name or an NZB address are left out. @param rss its root */
export function parseFeed(rss: XmlElement, context: FeedContext): Posting[] {
  const channel = childOf(rss, 'channel');
  if (channel === undefined) return [];
  return childrenOf(channel, 'item')
    .slice(0, MAX_ITEMS)
    .flatMap((item) => releaseOf(item, context) ?? []);
}

function releaseOf(item: XmlElement, { indexer, source, url }: FeedContext): Posting | undefined {
  const name = textOf(item, 'title').slice(0, MAX_NAME_LENGTH);
  const nzbUrl = nzbUrlOf(item, url);
  if (name === '' || nzbUrl === undefined) return undefined;
  const attributes = attributesOf(item);
  const size = positive(attributes.get('size')) ?? positive(enclosureOf(item)?.attributes.get('length'));
  const posted = dateOf(attributes.get('usenetdate')) ?? dateOf(textOf(item, 'pubDate'));
  const grabs = wholeNumber(attributes.get('grabs'));
  const passworded = passwordOf(attributes.get('password'));
  const claims = claimsOf(attributes);
  return {
    name,
    link: {
      url: nzbUrl,
      guid: attributes.get('guid') || stableGuid(textOf(item, 'guid')) || nzbUrl,
      indexer,
      source,
    },
    ...(size !== undefined && { size }),
    ...(posted !== undefined && { posted }),
    ...(grabs !== undefined && { grabs }),
    ...(passworded !== undefined && { passworded }),
    ...(Object.keys(claims).length > 0 && { claims }),
  };
}

const textOf = (item: XmlElement, name: string) => childOf(item, name)?.text ?? '';

/** By name in lower case; the first one counts where a name comes twice. */
function attributesOf(item: XmlElement): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const { attributes: pair } of childrenOf(item, 'attr')) {
    const name = pair.get('name')?.toLowerCase();
    const value = pair.get('value')?.trim();
    if (name !== undefined && value !== undefined && !attributes.has(name)) attributes.set(name, value);
  }
  return attributes;
}

/** The enclosure that is an NZB, else the first. */
function enclosureOf(item: XmlElement): XmlElement | undefined {
  const all = childrenOf(item, 'enclosure');
  return all.find(({ attributes }) => attributes.get('type') === 'application/x-nzb') ?? all[0];
}

function nzbUrlOf(item: XmlElement, base: string): string | undefined {
  const address = enclosureOf(item)?.attributes.get('url') || textOf(item, 'link');
  if (address === '' || !URL.canParse(address, base)) return undefined;
  const url = new URL(address, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/**
 * The part of a guid that stays the same: of an address the id in its query or the last part of its path, without
 * what is hung onto it (some indexers give the download address with the person's key as guid).
 */
function stableGuid(guid: string): string {
  if (!URL.canParse(guid)) return guid;
  const url = new URL(guid);
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? '';
  for (const name of [...url.searchParams.keys()])
    if (SECRET_PARAMETER.test(name)) url.searchParams.delete(name);
  // With a query, the last part of the path is often the same for all: "details.php?nid=100".
  const path = url.search === '' ? last : last + url.search;
  const id = url.searchParams.get('guid') ?? url.searchParams.get('id') ?? path;
  return url.search === '' ? withoutEnding(id) : id;
}

const SECRET_PARAMETER = /^(?:[ir]|user|.*(?:key|token|pass|auth).*)$/i;

function withoutEnding(id: string): string {
  return id.replace(/[&?;].*$/, '').replace(/\.nzb$/i, '');
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;
}

function positive(text: string | undefined): number | undefined {
  const number = wholeNumber(text);
  return number === 0 ? undefined : number;
}

/** RFC 2822, ISO 8601, or seconds since the epoch. */
function dateOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const time = /^\d{9,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  return time > 0 ? time : undefined;
}

/** 0: none; 1 and 2: protected; others (-1, 10): the indexer does not know for sure. */
function passwordOf(value: string | undefined): boolean | undefined {
  if (value === '0') return false;
  return value === '1' || value === '2' ? true : undefined;
}

function claimsOf(attributes: ReadonlyMap<string, string>): Claims {
  const id = (...names: string[]) => names.map((name) => idOf(attributes.get(name))).find(Boolean);
  const imdb = id('imdb', 'imdbid');
  const tvdb = id('tvdbid');
  const tmdb = id('tmdbid', 'tmdb');
  const season = numbered(attributes.get('season'));
  const episode = numbered(attributes.get('episode'));
  return {
    ...(imdb !== undefined && { imdb: `tt${imdb.padStart(7, '0')}` }),
    ...(tvdb !== undefined && { tvdb }),
    ...(tmdb !== undefined && { tmdb }),
    ...(season !== undefined && { season }),
    ...(episode !== undefined && { episode }),
  };
}

/** Digits without "tt" and leading zeros; 0 stands for "none". */
function idOf(value: string | undefined): string | undefined {
  return /^(?:tt)?0*([1-9]\d{0,11})$/i.exec(value ?? '')?.[1];
}

/** "3", "03" and "S03", "E03". */
function numbered(value: string | undefined): number | undefined {
  const digits = /^[se]?(\d{1,4})$/i.exec(value ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
