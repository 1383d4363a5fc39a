import type { Posting } from '../../model/index.ts';
import { plainWords } from '../../release/index.ts';

// Which listings are the same post. They are when their names are the same and so are, as far as both tell them, size,
// time of posting and poster; and at least one of size and time must be told by both. Two ids that one source gives
// for one indexer's posts are two posts, however alike they are. One id is one post when the names are the same; under
// other names only as far as nothing contradicts, for two sources may each have another indexer of that name. What fits
// two posts stays by itself: a row too many does no harm, a wrong link would play something else.

/** Listings of one indexer's id that are one post, and what they say together. */
export interface Post {
  /** Never empty. */
  readonly listings: readonly [Posting, ...Posting[]];
  readonly size: number | undefined;
  readonly posted: number | undefined;
  /** In one spelling. */
  readonly poster: string | undefined;
}

/** Posts that are one. Never empty. */
type Cluster = readonly Post[];

/** What can be compared by its distance. */
type Field = 'size' | 'posted';
const FIELDS: readonly Field[] = ['size', 'posted'];

/**
 * How far two values may be apart that mean the same.
 * Sizes: indexers count a post with or without its smallest files, and round. Times, in milliseconds: clocks without a
 * zone are off by summer time, and some list a post only when it is complete.
 */
const TOLERANCE: Readonly<Record<Field, (value: number) => number>> = {
  size: (bytes) => bytes * 0.01,
  posted: () => 2 * 3_600_000,
};
const exact = () => 0;

/** The most telling posts first: what tells less may join them, and is never what brings two of them together. */
const PHASES_BY_FIELDS: readonly {
  readonly measures: readonly [Field, ...Field[]];
  readonly signed: boolean;
}[] = [
  { measures: ['size', 'posted'], signed: true },
  { measures: ['size', 'posted'], signed: false },
  { measures: ['size'], signed: true },
  { measures: ['size'], signed: false },
  { measures: ['posted'], signed: true },
  { measures: ['posted'], signed: false },
];

/** Under which names are the same: dots, blanks, underscores and capitals are the indexers' business. */
export function normalName(name: string): string {
  const bare = name.replace(/\.nzb$/i, '');
  return plainWords(bare) || bare.trim();
}

/** Names under one id that are compared with each other. An indexer that gives one id to more tells nothing by it. */
const MAX_NAMES = 20;

/**
 * Posts of one id, each of another name, with all that are the same one: each joins the first whose posts it all fits.
 * The outcome depends on their order: the preferred ones first.
 */
export function clusterById(named: readonly Post[]): Cluster[] {
  if (named.length > MAX_NAMES) return named.map((post) => [post]);
  const clusters: Post[][] = [];
  for (const post of named) {
    const own = clusters.find((cluster) => cluster.every((other) => isSamePostById(post, other)));
    if (own === undefined) clusters.push([post]);
    else own.push(post);
  }
  return clusters;
}

/** Within one source an id is one post's until something contradicts; of two sources size or time must agree. */
function isSamePostById(a: Post, b: Post): boolean {
  const shared = FIELDS.filter((measure) => a[measure] !== undefined && b[measure] !== undefined);
  if (!shared.every((measure) => agree(rangeOf([a, b], measure), measure))) return false;
  const sources = new Set(a.listings.map(({ link }) => link.source));
  return shared.length > 0 || b.listings.some(({ link }) => sources.has(link.source));
}

/** Posts of one name, each with all that are the same one. The outcome does not depend on their order. */
export function clusterByName(alike: readonly Post[]): Cluster[] {
  if (alike.length === 1) return [alike];
  let clusters: Cluster[] = [];
  for (const { measures, signed: hasPoster } of PHASES_BY_FIELDS) {
    const phasePosts = alike.filter(
      (post) => hasExactly(post, measures) && (post.poster !== undefined) === hasPoster,
    );
    clusters = joinStrays(clusters, clusterByFields(phasePosts, measures), measures);
  }
  return [...clusters, ...alike.filter((post) => hasExactly(post, [])).map((post) => [post])];
}

/** Whether it tells these, and only these. */
const hasExactly = (post: Post, measures: readonly Field[]) =>
  FIELDS.every((each) => (post[each] !== undefined) === measures.includes(each));

/** Brings together posts that tell the same things. Exact agreement decides where mere likeness would be ambiguous. */
function clusterByFields(posts: readonly Post[], measures: readonly Field[]): Cluster[] {
  const posters = [...groupBy(posts, ({ poster }) => poster ?? '').values()];
  const likely = posters.flatMap((group) => cutByFields(group, measures, (measure) => TOLERANCE[measure]));
  const certain = likely.flatMap((cluster) =>
    canBeSamePost(cluster) ? [cluster] : cutByFields(cluster, measures, () => exact),
  );
  return certain.flatMap((cluster) => (canBeSamePost(cluster) ? [cluster] : cluster.map((post) => [post])));
}

function cutByFields(
  posts: Cluster,
  measures: readonly Field[],
  tolerance: (measure: Field) => (value: number) => number,
): Cluster[] {
  return measures.reduce<Cluster[]>(
    (clusters, measure) => clusters.flatMap((cluster) => cut(cluster, measure, tolerance(measure))),
    [posts],
  );
}

/** Cuts a sorted row where a value leaves the tolerance of the first one: all that stay together agree. */
function cut(posts: Cluster, measure: Field, tolerance: (value: number) => number): Cluster[] {
  const valueOf = (post: Post) => post[measure] ?? 0;
  const clusters: Post[][] = [];
  let end = -Infinity;
  for (const post of [...posts].sort((a, b) => valueOf(a) - valueOf(b))) {
    const value = valueOf(post);
    if (value > end) {
      clusters.push([]);
      end = value + tolerance(value);
    }
    clusters.at(-1)?.push(post);
  }
  return clusters;
}

/** No two posters, and no two ids that one source gives for one indexer's posts. */
function canBeSamePost(posts: Cluster): boolean {
  const posters = new Set(posts.map(({ poster }) => poster).filter((poster) => poster !== undefined));
  if (posters.size > 1) return false;
  const ids = new Map<string, string>();
  return posts
    .flatMap(({ listings }) => listings)
    .every(({ link: { source, indexer, guid } }) => {
      const place = `${source}\n${indexer}`;
      const id = ids.get(place) ?? guid;
      ids.set(place, id);
      return id === guid;
    });
}

/** Adds each stray to the only cluster that it fits; a stray that fits none, or several, is a cluster of its own. */
function joinStrays(
  clusters: readonly Cluster[],
  strays: readonly Cluster[],
  measures: readonly [Field, ...Field[]],
): Cluster[] {
  const find = clusterFinder(clusters, measures);
  const joining = new Map<Cluster, Cluster[]>(clusters.map((cluster) => [cluster, []]));
  const alone: Cluster[] = [];
  for (const stray of strays) {
    const [only, second] = find(stray);
    if (only === undefined || second !== undefined) alone.push(stray);
    else joining.get(only)?.push(stray);
  }
  const whole = [...joining].flatMap(([cluster, joined]) => {
    const all = [cluster, ...joined].flat();
    // Several may join that are not one with each other: then nobody knows which of them belongs there.
    return canBeSamePost(all) && measures.every((measure) => agree(rangeOf(all, measure), measure))
      ? [all]
      : [cluster, ...joined];
  });
  return [...whole, ...alone];
}

/** Candidates that are looked at for one stray. So many posts of one name and size are ambiguous anyway. */
const MAX_CANDIDATES = 50;

/** Gives the first two clusters that a stray fits: one of them is certain, two are ambiguous. */
function clusterFinder(clusters: readonly Cluster[], measures: readonly [Field, ...Field[]]) {
  const [first] = measures;
  const rows = clusters
    .map((cluster) => ({ cluster, ...rangeOf(cluster, first) }))
    .filter(({ min: least }) => least < Infinity)
    .sort((a, b) => a.min - b.min);
  return (stray: Cluster): Cluster[] => {
    const { min: least, max: most } = rangeOf(stray, first);
    const reach = TOLERANCE[first](most);
    const from = lowerBound(rows, least - reach);
    const near = rows.slice(from, from + MAX_CANDIDATES).filter((row) => row.min <= most + reach);
    if (near.length === MAX_CANDIDATES) return near.slice(0, 2).map(({ cluster }) => cluster);
    return near
      .map(({ cluster }) => cluster)
      .filter((cluster) => fitsCluster(cluster, stray, measures))
      .slice(0, 2);
  };
}

function fitsCluster(cluster: Cluster, stray: Cluster, measures: readonly Field[]): boolean {
  return (
    measures.every(
      (measure) =>
        rangeOf(cluster, measure).min < Infinity && agree(rangeOf([...cluster, ...stray], measure), measure),
    ) && canBeSamePost([...cluster, ...stray])
  );
}

interface ValueRange {
  readonly min: number;
  readonly max: number;
}

const agree = ({ min: least, max: most }: ValueRange, measure: Field) =>
  most - least <= TOLERANCE[measure](least);

/** Infinite when nobody tells. */
function rangeOf(cluster: Cluster, measure: Field): ValueRange {
  let [least, most] = [Infinity, -Infinity];
  for (const { [measure]: value } of cluster) {
    if (value === undefined) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return { min: least, max: most };
}

/** Where in the sorted row the first stands that is not smaller. */
function lowerBound(sorted: readonly ValueRange[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.min ?? Infinity) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, [T, ...T[]]> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}
