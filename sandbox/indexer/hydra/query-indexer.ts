import { setTimeout as pause } from 'node:timers/promises';
import { flood } from '../flood.ts';
import type { QueryOutcome } from '../member-indexer.ts';
import type { Kind, Page, SearchSupport } from '../search.ts';
import type { HydraCategory } from './categories.ts';
import { recordFailure } from './failures.ts';
import type { Hydra } from './hydra.ts';
import type { HydraIndexer } from './indexer.ts';

/** What NZBHydra2 was asked. */
export interface HydraQuery {
  readonly kind: Kind;
  readonly query: URLSearchParams;
  /** Undefined: all. */
  readonly category: HydraCategory | undefined;
}

const IDS = ['rid', 'tvdbid', 'tvmazeid', 'imdbid', 'tmdbid', 'traktid'] as const;
/** Sent on as they came. */
const FILTERS = ['ep', 'maxage', 'minage', 'minsize', 'maxsize'];

/** The ids that an indexer knows: of films, and of series. */
export function idsOf({ support }: HydraIndexer, { search }: Hydra['faults'], kind: Kind): readonly string[] {
  const known = search === 'kindless' || kind === 'search' ? [] : support[SUPPORTS[kind]];
  return IDS.filter((id) => known.includes(id));
}

const SUPPORTS = { movie: 'movie', tvsearch: 'tv' } as const satisfies Record<string, keyof SearchSupport>;

/** Whether it is asked: one that knows none of the ids is only asked by text (protocols.md §6.1). */
export function isAsked(indexer: HydraIndexer, question: HydraQuery, { faults }: Hydra): boolean {
  const { kind, query, category } = question;
  const isOn = (name: string) => indexer.categories.length === 0 || indexer.categories.includes(name);
  if (!indexer.isAwake || (category !== undefined && !isOn(category.name))) return false;
  const given = IDS.filter((id) => query.has(id));
  const knows = idsOf(indexer, faults, kind).some((id) => query.has(id));
  return given.length === 0 || knows || query.has('q');
}

const NOTHING: Page = { offset: 0, total: 0, releases: [] };

/**
 * Asks one indexer for its next rows, and keeps what its failure means for it (protocols.md §6.4).
 *
 * @returns undefined when it has failed
 */
export async function queryIndexer(
  indexer: HydraIndexer,
  question: HydraQuery,
  offset: number,
  { faults, settings: { times }, closed }: Hydra,
): Promise<Page | undefined> {
  indexer.apiHits += 1;
  const query = sentOn(question, idsOf(indexer, faults, question.kind), offset);
  const outcome = await within(times.limit, closed, (signal) =>
    indexer.ask(question.kind, query, times.limit, signal),
  );
  if (outcome.kind === 'failed') {
    recordFailure(indexer, outcome.by, times.cooldowns);
    return undefined;
  }
  indexer.recover();
  if (faults.search === 'empty') return NOTHING;
  if (faults.search !== 'flood') return outcome.page;
  return { offset, total: flood().length, releases: flood().slice(offset, offset + 100) };
}

/** Whatever it was asked, it asks its indexers for a thousand rows, of whatever password. */
function sentOn(
  { kind, query, category }: HydraQuery,
  ids: readonly string[],
  offset: number,
): URLSearchParams {
  const out = new URLSearchParams({ t: kind });
  const pass = (name: string, value: string | null | undefined) => {
    if (value) out.set(name, value);
  };
  pass('q', query.get('q'));
  pass('cat', category?.numbers.join(','));
  for (const id of ids) pass(id, query.get(id)?.replace(/^tt/, ''));
  const season = query.get('season');
  pass('season', season ? String(Number(season)) : undefined);
  for (const name of FILTERS) pass(name, query.get(name));
  for (const [name, value] of Object.entries({ extended: 1, password: 1, limit: 1000, offset }))
    out.set(name, String(value));
  return out;
}

/** One that has not answered when the time is over has failed. */
async function within(
  limit: number,
  closed: AbortSignal,
  answer: (signal: AbortSignal) => Promise<QueryOutcome>,
): Promise<QueryOutcome> {
  const decided = new AbortController();
  const signal = AbortSignal.any([decided.signal, closed]);
  const late = pause<QueryOutcome>(limit, { kind: 'failed', by: 'dead' }, { signal });
  const both = [answer(signal), late] as const;
  try {
    return await Promise.race(both);
  } finally {
    decided.abort();
    await Promise.allSettled(both);
  }
}
