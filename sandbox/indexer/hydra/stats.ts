import { type Answer, type Incoming, json } from '../../http/types.ts';
import type { Hydra } from './hydra.ts';
import type { HydraIndexer, HydraState } from './indexer.ts';
import { errorPage, plainError } from './pages.ts';

/** `POST /api/stats/indexers`: names, states and hits of all indexers, none of which is asked (protocols.md §6.4). */
export function stats(request: Incoming, { apiKey, indexers, settings }: Hydra): Answer {
  if (request.method !== 'POST') return plainError(request.path, request.query);
  if (keyIn(request.body.toString('utf8')) !== apiKey || !settings.allowApiStats) return errorPage(500);
  return {
    ...json(200, indexers.toSorted(inItsOrder).map(entry)),
    headers: { 'content-type': 'application/json;charset=UTF-8' },
  };
}

const ORDER: readonly HydraState[] = [
  ...(['ENABLED', 'DISABLED_SYSTEM_TEMPORARY', 'DISABLED_SYSTEM', 'DISABLED_USER'] as const),
];

/** By state, then by name. */
const inItsOrder = (a: HydraIndexer, b: HydraIndexer) =>
  ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || (a.name < b.name ? -1 : 1);

function keyIn(body: string): unknown {
  try {
    return (JSON.parse(body) as { readonly apikey?: unknown }).apikey;
  } catch {
    return undefined;
  }
}

function entry(indexer: HydraIndexer): unknown {
  const { name, state, disabledUntil, lastError } = indexer;
  return {
    indexer: name,
    state,
    level: indexer.level,
    // Seconds.
    disabledUntil: state === 'DISABLED_SYSTEM_TEMPORARY' ? (disabledUntil ?? 0) / 1000 : null,
    lastError: lastError ?? null,
    apiResetTime: null,
    downloadResetTime: null,
    apiHits: indexer.apiHits,
    apiHitLimit: indexer.apiHitLimit ?? null,
    downloadHits: indexer.downloadHits,
    downloadHitLimit: indexer.downloadHitLimit ?? null,
    vipExpirationDate: null,
  };
}
