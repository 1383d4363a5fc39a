import { setTimeout as pause } from 'node:timers/promises';
import type { CatalogueRelease } from '../../catalogue.ts';
import { flood } from '../flood.ts';
import type { QueryOutcome } from '../member-indexer.ts';
import { type Criteria, forwardedQuery } from './criteria.ts';
import { type ProwlarrIndexer, supportOf } from './indexer.ts';
import type { Prowlarr } from './prowlarr.ts';

/** Of a query that is answered 5xx. */
const TRIES = 3;
/** So many of its posts an indexer lists in one answer that does not care what it was asked. */
const FLOODED = 3_500;

/**
 * What one indexer lists. Nobody is told when it fails: it lists nothing, and rests from then on (protocols.md §7.2). A
 * client that hangs up changes nothing of it.
 */
export async function queryIndexer(
  indexer: ProwlarrIndexer,
  criteria: Criteria,
  prowlarr: Prowlarr,
): Promise<readonly CatalogueRelease[]> {
  const query = forwardedQuery(criteria, indexer, supportOf(indexer, prowlarr.faults));
  if (query === undefined || prowlarr.limits.usedUp('query', indexer) !== undefined) return [];
  prowlarr.limits.count('query', indexer);
  const outcome = await tried(indexer, query, prowlarr);
  if (outcome.kind === 'failed' && outcome.by !== 'xml-page') {
    prowlarr.cooldowns.failed(indexer.id, leastRest(outcome.by, prowlarr));
    return [];
  }
  prowlarr.cooldowns.succeeded(indexer.id);
  return outcome.kind === 'failed' ? [] : found(outcome.page.releases, indexer, prowlarr);
}

async function tried(
  indexer: ProwlarrIndexer,
  query: URLSearchParams,
  { hosts, times, closed }: Prowlarr,
): Promise<QueryOutcome> {
  for (let left = TRIES - 1; ; left--) {
    await hosts.turn(new URL(indexer.baseUrl).hostname, closed);
    const outcome = await indexer.askFor(query.get('t') ?? '', query, times.timeout, closed);
    if (left === 0 || !isServerError(outcome)) return outcome;
    await pause(times.betweenTries, undefined, { signal: closed });
  }
}

const isServerError = (outcome: QueryOutcome): boolean =>
  outcome.kind === 'failed' &&
  typeof outcome.by === 'object' &&
  'status' in outcome.by &&
  outcome.by.status >= 500;

/** Milliseconds that it rests at least; 0: the next step. */
function leastRest(by: (QueryOutcome & { kind: 'failed' })['by'], { times }: Prowlarr): number {
  if (typeof by !== 'object') return 0;
  if ('code' in by) return /request limit reached/i.test(by.description) ? times.restAtLimit : 0;
  if (by.status !== 429) return 0;
  return by.retryAfter === undefined ? times.restAtLimit : by.retryAfter * 1000;
}

function found(
  releases: readonly CatalogueRelease[],
  indexer: ProwlarrIndexer,
  { faults, indexers }: Prowlarr,
): readonly CatalogueRelease[] {
  if (faults.search === 'empty') return [];
  if (faults.search !== 'flood') return releases;
  const from = FLOODED * indexers.filter(({ enable }) => enable).indexOf(indexer);
  return flood().slice(from, from + FLOODED);
}
