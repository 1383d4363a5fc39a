import type { Link, Posting, Quality, Release } from '../model/index.ts';
import { clustersOf, normalName, type Post } from './identity.ts';

export interface MergeOptions {
  /** What a name tells; asked once for each release. */
  readonly parseName: (name: string) => Quality;
  /** Source ids, the preferred one first: in this order stand a release's links, and of what they say the first counts. */
  readonly order?: readonly string[];
}

/** Brings together what is listed, while more of it comes. */
export interface Merger {
  add(postings: readonly Posting[]): void;
  /**
   * One release for each post (see identity.ts), with every link to it. The outcome does not depend on the order in
   * which the listings came; a release to which nothing was added is the same object as before. The time is near to
   * linear in the number of listings, and afterwards in the number of names that have come anew.
   */
  releases(): Release[];
}

export function mergePostings(postings: readonly Posting[], options: MergeOptions): Release[] {
  const merger = openMerger(options);
  merger.add(postings);
  return merger.releases();
}

export function openMerger({ parseName, order = [] }: MergeOptions): Merger {
  const compare = comparison(order);
  const posts = new Map<string, { readonly listings: Listings; name: string }>();
  /** Ids of the posts of each name, and what was made of them. */
  const names = new Map<string, { readonly ids: Set<string>; merged?: Merged[] }>();

  const add = (posting: Posting) => {
    const id = idOf(posting);
    const post = posts.get(id) ?? { listings: [posting], name: normalName(posting.name) };
    const [first] = post.listings;
    if (first !== posting) post.listings.push(posting);
    // The preferred one leads, for its name is the post's; the others are sorted when they are needed.
    if (compare(posting, first) < 0) post.listings.reverse();
    const before = names.get(post.name);
    before?.ids.delete(id);
    delete before?.merged;
    post.name = normalName(post.listings[0].name);
    posts.set(id, post);
    const alike = names.get(post.name) ?? { ids: new Set() };
    alike.ids.add(id);
    delete alike.merged;
    names.set(post.name, alike);
  };
  const merged = (ids: ReadonlySet<string>): Merged[] => {
    const alike = [...ids].map((id) => posts.get(id)).filter((post) => post !== undefined);
    return clustersOf(alike.map(({ listings }) => postOf(listings.sort(compare)))).map((cluster) => {
      // Neither a cluster nor a post is ever empty.
      const listings = cluster.flatMap((post) => post.listings).sort(compare) as Listings;
      return { first: listings[0], release: releaseOf(listings, parseName) };
    });
  };
  return {
    add: (postings) => {
      for (const posting of postings) add(posting);
    },
    releases: () =>
      [...names.values()]
        .flatMap((alike) => (alike.merged ??= merged(alike.ids)))
        .sort((a, b) => compare(a.first, b.first))
        .map(({ release }) => release),
  };
}

type Listings = [Posting, ...Posting[]];
type Comparison = (a: Posting, b: Posting) => number;

interface Merged {
  /** By which it is sorted. */
  readonly first: Posting;
  readonly release: Release;
}

/** What one indexer lists under one id is one post, whatever else it says. */
const idOf = ({ link }: Posting) => `${link.indexer}\n${link.guid || link.url}`;

function postOf(listings: Listings): Post {
  const poster = firstKnown(listings, 'poster');
  return {
    listings,
    size: firstKnown(listings, 'size'),
    posted: firstKnown(listings, 'posted'),
    poster: poster === undefined ? undefined : posterId(poster),
  };
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

function releaseOf(listings: Listings, parseName: (name: string) => Quality): Release {
  if (listings.length === 1) {
    const [{ link, ...post }] = listings;
    return { ...post, links: [link], quality: parseName(post.name) };
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
    quality: parseName(name),
  };
}

const firstKnown = <K extends keyof Posting>(listings: readonly Posting[], key: K): Posting[K] =>
  listings.find((each) => each[key] !== undefined)?.[key] as Posting[K];
