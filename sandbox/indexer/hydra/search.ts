import { listedAt } from '../documents.ts';
import type { Hydra } from './hydra.ts';
import { type HydraQuery, isAsked, queryIndexer } from './query-indexer.ts';
import { type Result, resultOf } from './results.ts';
import type { IndexerProgress } from './share.ts';

/** A page of the list. */
export interface Listed {
  readonly offset: number;
  readonly total: number;
  readonly results: readonly Result[];
}

export interface PageRequest {
  /** Of these alone; undefined: of all. */
  readonly names: readonly string[] | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Searches, or goes on with what an earlier page has gathered (protocols.md §6.1). */
export async function search(question: HydraQuery, wanted: PageRequest, hydra: Hydra): Promise<Listed> {
  const { offset, limit } = wanted;
  if (limit === 0) return { offset, total: 0, results: [] };
  const key = keyOf(question);
  const begun = offset === 0 ? undefined : hydra.gathered.get(key);
  const shares = begun ?? (await firstRound(question, wanted, hydra));
  hydra.gathered.set(key, shares);
  let dry = readToTheEnd(shares, offset + limit);
  while (dry !== undefined) {
    await nextRound(dry, question, hydra);
    dry = readToTheEnd(shares, offset + limit);
  }
  const all = shares.flatMap(({ results }) => results);
  const once = withoutDuplicates(all).toSorted(newestFirst);
  const total = shares.reduce((sum, share) => sum + share.total, 0) - (all.length - once.length);
  return { offset, total, results: once.slice(offset, offset + limit) };
}

/** What is remembered of a search does not look at the indexers that were asked. */
function keyOf({ query }: HydraQuery): string {
  const own = new URLSearchParams(query);
  for (const name of ['apikey', 'indexers', 'limit', 'offset', 'o']) own.delete(name);
  own.sort();
  return own.toString();
}

/** All indexers side by side: the slowest of them decides how long it takes. */
async function firstRound(
  question: HydraQuery,
  { names }: PageRequest,
  hydra: Hydra,
): Promise<readonly IndexerProgress[]> {
  const asked = hydra.indexers.filter(
    (indexer) => (names?.includes(indexer.name) ?? true) && isAsked(indexer, question, hydra),
  );
  const shares = asked.map((indexer): IndexerProgress => ({ indexer, results: [], total: 0 }));
  await Promise.all(shares.map((share) => nextRound(share, question, hydra)));
  return shares;
}

/** One that fails has no more than it has given before. */
async function nextRound(share: IndexerProgress, question: HydraQuery, hydra: Hydra): Promise<void> {
  const { indexer, results } = share;
  const page = indexer.isAwake ? await queryIndexer(indexer, question, results.length, hydra) : undefined;
  const came = (page?.releases ?? []).map((post) => resultOf(indexer, post)).toSorted(newestFirst);
  hydra.results.add(came);
  results.push(...came);
  share.total = came.length === 0 ? results.length : (page?.total ?? 0);
}

/** When the lists are merged by date: the first of which all rows are read before there are enough, and that has more. */
function readToTheEnd(shares: readonly IndexerProgress[], enough: number): IndexerProgress | undefined {
  const read = shares.map(() => 0);
  for (let n = 0; n < enough; n++) {
    const heads = shares.map(({ results }, place) => results[read[place] ?? 0]);
    const dry = shares.find(
      ({ results, total }, place) => heads[place] === undefined && results.length < total,
    );
    if (dry !== undefined) return dry;
    const [newest] = heads.filter((head) => head !== undefined).toSorted(newestFirst);
    if (newest === undefined) return undefined;
    const place = heads.indexOf(newest);
    read[place] = (read[place] ?? 0) + 1;
  }
  return undefined;
}

const newestFirst = (a: Result, b: Result) => listedAt(b.post) - listedAt(a.post);

/** Of a post that several have, the row of the one with the higher score is kept, then the newer one. */
function withoutDuplicates(results: readonly Result[]): Result[] {
  const ranked = results.toSorted((a, b) => b.indexer.score - a.indexer.score || newestFirst(a, b));
  const kept = new Map<string, Result[]>();
  for (const result of ranked) {
    const alike = kept.get(result.title) ?? [];
    if (!alike.some((other) => isSamePost(result, other))) kept.set(result.title, [...alike, result]);
  }
  return [...kept.values()].flat();
}

function isSamePost(one: Result, other: Result): boolean {
  const sizes = [one.post.size, other.post.size];
  return one.indexer !== other.indexer && Math.min(...sizes) >= 0.99 * Math.max(...sizes);
}
