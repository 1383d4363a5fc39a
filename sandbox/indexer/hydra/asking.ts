import { STATUS_CODES } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome } from '../behind.ts';
import { flood } from '../flood.ts';
import type { Kind, Page, SearchSupport } from '../search.ts';
import type { HydraCategory } from './categories.ts';
import type { Hydra } from './hydra.ts';
import type { HydraIndexer } from './indexer.ts';

/** What NZBHydra2 was asked. */
export interface Question {
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
export function isAsked(indexer: HydraIndexer, question: Question, { faults }: Hydra): boolean {
  const { kind, query, category } = question;
  const isOn = (name: string) => indexer.categories.length === 0 || indexer.categories.includes(name);
  if (!indexer.isAwake || (category !== undefined && !isOn(category.name))) return false;
  const given = IDS.filter((id) => query.has(id));
  const knows = idsOf(indexer, faults, kind).some((id) => query.has(id));
  return given.length === 0 || knows || query.has('q');
}

const FAILED = undefined;
const NOTHING: Page = { offset: 0, total: 0, releases: [] };

/**
 * Asks one indexer for its next rows, and keeps what its failure means for it (protocols.md §6.4).
 *
 * @returns undefined when it has failed
 */
export async function ask(
  indexer: HydraIndexer,
  question: Question,
  offset: number,
  { faults, settings: { times }, closed }: Hydra,
): Promise<Page | undefined> {
  indexer.apiHits += 1;
  const query = sentOn(question, idsOf(indexer, faults, question.kind), offset);
  const outcome = await within(times.limit, closed, (signal) =>
    indexer.ask(question.kind, query, times.limit, signal),
  );
  if (outcome.kind === 'failed') {
    noteFailure(indexer, outcome.by, times.rests);
    return FAILED;
  }
  indexer.recover();
  if (faults.search === 'empty') return NOTHING;
  if (faults.search !== 'flood') return outcome.page;
  return { offset, total: flood().length, releases: flood().slice(offset, offset + 100) };
}

/** Whatever it was asked, it asks its indexers for a thousand rows, of whatever password. */
function sentOn(
  { kind, query, category }: Question,
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
  answer: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  const decided = new AbortController();
  const signal = AbortSignal.any([decided.signal, closed]);
  const late = pause<Outcome>(limit, { kind: 'failed', by: 'dead' }, { signal });
  const both = [answer(signal), late] as const;
  try {
    return await Promise.race(both);
  } finally {
    decided.abort();
    await Promise.allSettled(both);
  }
}

function noteFailure(
  indexer: HydraIndexer,
  by: Extract<Outcome, { kind: 'failed' }>['by'],
  rests: readonly number[],
): void {
  const why = reasonOf(by);
  if (why === undefined) return;
  if (why.refused) indexer.refuse(why.error);
  else indexer.rest(rests, `Error while communicating with indexer ${indexer.name}. ${why.error}`);
}

/** Undefined: it is not held against the indexer. */
function reasonOf(
  by: Extract<Outcome, { kind: 'failed' }>['by'],
): { readonly refused: boolean; readonly error: string } | undefined {
  if (by === 'malformed-xml' || by === 'page' || by === 'xml-page') return undefined;
  if (typeof by === 'string') return { refused: false, error: REASONS[by] };
  if ('status' in by) {
    const name = STATUS_CODES[by.status] ?? '';
    return { refused: false, error: `Server returned: ${name}. ${name}. Code: ${by.status}` };
  }
  const told = `Error code: ${by.code}. Description: ${by.description}`;
  if (by.code >= 200 && by.code < 300) return undefined;
  if (by.code > 102) return { refused: false, error: told };
  return { refused: true, error: `Indexer refused authentication. ${told}` };
}

const REASONS = {
  dead: 'The indexer did not answer in time',
  resets: 'Connection reset',
  'bare-item': 'An item has neither guid nor enclosure',
} as const;
