import type { Link, Posting, Quality, Release } from '../../model/index.ts';
import { withoutPassword } from '../../release/index.ts';
import { clusterById, clusterByName, groupBy, normalName, type Post } from './identity.ts';

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
  const compare = comparePostings(order);
  const ids = new Map<string, IndexerId>();
  /** To which something was added since the last look. */
  const changed = new Set<IndexerId>();
  /** The posts of each name, and what was made of them. */
  const names = new Map<string, { readonly posts: Set<Post>; merged?: Merged[] }>();

  const add = (listed: Posting) => {
    const posting = withoutPassword(listed);
    const key = indexerIdKey(posting);
    const id = ids.get(key) ?? { listings: [], posts: [] };
    id.listings.push(posting);
    ids.set(key, id);
    changed.add(id);
  };
  const postsNamedAs = (post: Post) => {
    const name = nameOf(post);
    const alike = names.get(name) ?? { posts: new Set() };
    names.set(name, alike);
    delete alike.merged;
    return alike.posts;
  };
  const regroup = (id: IndexerId) => {
    for (const post of id.posts) postsNamedAs(post).delete(post);
    id.posts = postsOf(id.listings.sort(compare), compare);
    for (const post of id.posts) postsNamedAs(post).add(post);
  };
  const merged = (alike: ReadonlySet<Post>): Merged[] =>
    alike.size === 0
      ? []
      : clusterByName([...alike]).map((cluster) => {
          const listings = listingsOf(cluster, compare);
          return { first: listings[0], release: releaseOf(listings, parseName) };
        });
  return {
    add: (postings) => {
      for (const posting of postings) add(posting);
    },
    releases: () => {
      for (const id of changed) regroup(id);
      changed.clear();
      return [...names.values()]
        .flatMap((alike) => (alike.merged ??= merged(alike.posts)))
        .sort((a, b) => compare(a.first, b.first))
        .map(({ release }) => release);
    },
  };
}

type Listings = readonly [Posting, ...Posting[]];
type Comparison = (a: Posting, b: Posting) => number;

/** What one indexer's name and one id stand for. */
interface IndexerId {
  readonly listings: Posting[];
  /** Made of them, each of another name; nearly always one. */
  posts: readonly Post[];
}

interface Merged {
  /** By which it is sorted. */
  readonly first: Posting;
  readonly release: Release;
}

const indexerIdKey = ({ link }: Posting) => `${link.indexer}\n${link.guid || link.url}`;

/** The preferred listing's. */
const nameOf = ({ listings: [first] }: Post) => normalName(first.name);

/** The posts that one id stands for; its listings are sorted. */
function postsOf(listings: readonly Posting[], compare: Comparison): Post[] {
  const named = [...groupBy(listings, ({ name }) => normalName(name)).values()].map(postOf);
  return clusterById(named).map((cluster) => postOf(listingsOf(cluster, compare)));
}

/** Neither a cluster nor a post is ever empty. */
const listingsOf = (cluster: readonly Post[], compare: Comparison) =>
  cluster.flatMap(({ listings }) => listings).sort(compare) as unknown as Listings;

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
function comparePostings(order: readonly string[]): Comparison {
  const ranks = new Map(order.map((source, index) => [source, index]));
  const rank = ({ link }: Posting) => ranks.get(link.source) ?? order.length;
  return (a, b) =>
    rank(a) - rank(b) || compareTexts(a.link, b.link, LINK_KEYS) || compareTexts(a, b, OTHER_KEYS);
}

const LINK_KEYS = ['source', 'indexer', 'guid', 'url'] as const;
const OTHER_KEYS = ['name', 'size', 'posted', 'poster', 'grabs', 'passworded', 'password', 'claims'] as const;

function compareTexts<T>(a: T, b: T, keys: readonly (keyof T)[]): number {
  for (const key of keys) {
    if (a[key] === b[key]) continue;
    const [one, other] = [comparableText(a[key]), comparableText(b[key])];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

const comparableText = (value: unknown) =>
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
  const password = firstKnown(listings, 'password');
  const grabs = listings.map((each) => each.grabs).filter((each) => each !== undefined);
  const passwordFlags = listings.map((each) => each.passworded).filter((each) => each !== undefined);
  const claims = listings
    .map((each) => each.claims ?? {})
    .reduceRight((all, each) => ({ ...all, ...each }), {});
  const [first, ...further] = listings.map(({ link }) => link) as [Link, ...Link[]];
  const linkKeys = new Set([linkKey(first)]);
  return {
    name,
    links: [
      first,
      // The same way twice is one.
      ...further.filter((link) => !linkKeys.has(linkKey(link)) && linkKeys.add(linkKey(link))),
    ],
    ...(size !== undefined && { size }),
    ...(posted !== undefined && { posted }),
    ...(poster !== undefined && { poster }),
    ...(password !== undefined && { password }),
    // Each indexer counts its own.
    ...(grabs.length > 0 && { grabs: Math.max(...grabs) }),
    // Who has looked into it knows better than who has not.
    ...(passwordFlags.length > 0 && { passworded: passwordFlags.some(Boolean) }),
    ...(Object.keys(claims).length > 0 && { claims }),
    quality: parseName(name),
  };
}

/** The address; of a link through a manager, which writes another one each time, what it leads to. */
const linkKey = ({ url, manager, source, indexer, guid }: Link) =>
  manager === undefined ? url : JSON.stringify([source, indexer, guid]);

const firstKnown = <K extends keyof Posting>(listings: readonly Posting[], key: K): Posting[K] =>
  listings.find((each) => each[key] !== undefined)?.[key] as Posting[K];
