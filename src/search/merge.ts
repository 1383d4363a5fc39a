import type { Link, Posting, Quality, Release } from '../model/index.ts';
import { clustersOf, groupBy, type Post } from './identity.ts';

export interface MergeOptions {
  /** Called once for each distinct name. */
  readonly parseName: (name: string) => Quality;
  /** Source ids, the preferred one first: in this order stand a release's links, and of what they say the first counts. */
  readonly order?: readonly string[];
}

/**
 * One release for each post (see identity.ts), with every link to it. The outcome does not depend on the order of the
 * listings, and the time is near to linear in their number.
 */
export function mergePostings(
  postings: readonly Posting[],
  { parseName, order = [] }: MergeOptions,
): Release[] {
  const compare = comparison(order);
  const qualities = new Map<string, Quality>();
  const qualityOf = (name: string) => {
    const known = qualities.get(name) ?? parseName(name);
    qualities.set(name, known);
    return known;
  };
  return (
    clustersOf(sameIds(postings, compare))
      // Neither a cluster nor a post is ever empty.
      .map((posts) => posts.flatMap(({ listings }) => listings).sort(compare) as Listings)
      .sort((a, b) => compare(a[0], b[0]))
      .map((listings) => releaseOf(listings, qualityOf))
  );
}

type Listings = [Posting, ...Posting[]];
type Comparison = (a: Posting, b: Posting) => number;

/** What one indexer lists under one id is one post, whatever else it says. */
function sameIds(postings: readonly Posting[], compare: Comparison): Post[] {
  const ids = groupBy(postings, ({ link }) => `${link.indexer}\n${link.guid || link.url}`);
  return [...ids.values()].map((listings) => {
    listings.sort(compare);
    const poster = firstKnown(listings, 'poster');
    return {
      listings,
      name: listings[0].name,
      size: firstKnown(listings, 'size'),
      posted: firstKnown(listings, 'posted'),
      poster: poster === undefined ? undefined : posterId(poster),
    };
  });
}

/** Some give the whole header, some only the address in it. */
const posterId = (poster: string) =>
  (/[^\s<>()"]+@[^\s<>()"]+/.exec(poster)?.[0] ?? poster.trim()).toLowerCase();

/** By preference, then by all that could tell two listings apart. */
function comparison(order: readonly string[]): Comparison {
  const ranks = new Map(order.map((source, index) => [source, index]));
  const rank = ({ link }: Posting) => ranks.get(link.source) ?? order.length;
  return (a, b) =>
    rank(a) - rank(b) || compareTexts(a.link, b.link, LINK_KEYS) || compareTexts(a, b, OTHER_KEYS);
}

const LINK_KEYS = ['source', 'indexer', 'guid', 'url'] as const;
const OTHER_KEYS = ['name', 'size', 'posted', 'poster', 'grabs', 'passworded', 'claims'] as const;

function compareTexts<T>(a: T, b: T, keys: readonly (keyof T)[]): number {
  for (const key of keys) {
    if (a[key] === b[key]) continue;
    const [one, other] = [textOf(a[key]), textOf(b[key])];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

function releaseOf(listings: Listings, qualityOf: (name: string) => Quality): Release {
  if (listings.length === 1) {
    const [{ link, ...post }] = listings;
    return { ...post, links: [link], quality: qualityOf(post.name) };
  }
  const [{ name }] = listings;
  const size = firstKnown(listings, 'size');
  const posted = firstKnown(listings, 'posted');
  const poster = firstKnown(listings, 'poster');
  const grabs = listings.map((each) => each.grabs).filter((each) => each !== undefined);
  const locks = listings.map((each) => each.passworded).filter((each) => each !== undefined);
  const claims = listings
    .map((each) => each.claims ?? {})
    .reduceRight((all, each) => ({ ...all, ...each }), {});
  const [first, ...further] = listings.map(({ link }) => link) as [Link, ...Link[]];
  const urls = new Set([first.url]);
  return {
    name,
    links: [
      first,
      // The same address twice is one way.
      ...further.filter(({ url }) => !urls.has(url) && urls.add(url)),
    ],
    ...(size !== undefined && { size }),
    ...(posted !== undefined && { posted }),
    ...(poster !== undefined && { poster }),
    // Each indexer counts its own.
    ...(grabs.length > 0 && { grabs: Math.max(...grabs) }),
    // Who has looked into it knows better than who has not.
    ...(locks.length > 0 && { passworded: locks.some(Boolean) }),
    ...(Object.keys(claims).length > 0 && { claims }),
    quality: qualityOf(name),
  };
}

const firstKnown = <K extends keyof Posting>(listings: readonly Posting[], key: K): Posting[K] =>
  listings.find((each) => each[key] !== undefined)?.[key] as Posting[K];
