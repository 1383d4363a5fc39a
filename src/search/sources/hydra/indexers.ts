import * as v from 'valibot';
import { findCrossOriginRedirect } from '../../../io/cross-origin-redirect.ts';
import { fetchBounded } from '../../../io/http.ts';
import { parseJson } from '../../../io/json.ts';
import { boundedList } from '../common/bounded-list.ts';
import { refusalError } from '../common/refusal.ts';
import type { NewznabClient } from '../newznab/client.ts';

/** One indexer as NZBHydra2 has it (protocols.md §6.4). */
export interface HydraIndexer {
  readonly name: string;
  /** `system`: its key was refused, and it stays off until a person acts. `rests`: until `until`. */
  readonly state: 'on' | 'off' | 'system' | 'rests';
  /** Milliseconds since the epoch. */
  readonly until?: number;
  readonly lastError?: string;
  /** Queries that NZBHydra2 has sent it lately, and how many it may; undefined: not told, not limited. */
  readonly hits?: number;
  readonly hitLimit?: number;
  /** When the hits are counted anew; milliseconds since the epoch. */
  readonly reset?: number;
}

const STATE_BY_NAME = {
  ENABLED: 'on',
  DISABLED_USER: 'off',
  DISABLED_SYSTEM: 'system',
  DISABLED_SYSTEM_TEMPORARY: 'rests',
} as const;

/** Nobody has more. */
export const MAX_INDEXERS = 200;
const number = v.fallback(v.nullish(v.number()), undefined);
/** Seconds since the epoch. */
const time = number;

const IndexerRow = v.object({
  indexer: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  state: v.picklist(Object.keys(STATE_BY_NAME) as (keyof typeof STATE_BY_NAME)[]),
  disabledUntil: time,
  lastError: v.fallback(v.nullish(v.string()), undefined),
  apiResetTime: time,
  apiHits: number,
  apiHitLimit: number,
});
/** Those that are off count as well, and a state that is not known is left out. */
const IndexerRows = boundedList(IndexerRow, 10 * MAX_INDEXERS);

/** Milliseconds; it asks no indexer, and mostly takes 10 to 25. */
const LIST_TIMEOUT = 5_000;
const MAX_BYTES = 1024 * 1024;

/**
 * All that are configured, with their states; undefined where NZBHydra2 does not give the list (it may be switched off
 * there, and is refused like a wrong key: 500 with a page).
 *
 * @throws SlipstreamError UNREACHABLE, TIMEOUT, SERVICE_ERROR; Moved; the signal's reason when it aborts
 */
export async function fetchHydraIndexers(
  { service, address, apiKey }: NewznabClient,
  signal: AbortSignal,
): Promise<readonly HydraIndexer[] | undefined> {
  const url = `${address.base}/api/stats/indexers`;
  const answer = await fetchBounded({
    url,
    method: 'POST',
    who: service.who,
    signal,
    timeout: LIST_TIMEOUT,
    maxBytes: MAX_BYTES,
    maxRedirects: 0,
    headers: {
      accept: 'application/json',
      ...(address.login !== undefined && { authorization: address.login.authorization }),
    },
    body: { type: 'application/json', bytes: Buffer.from(JSON.stringify({ apikey: apiKey })) },
  });
  const moved = findCrossOriginRedirect({ url, who: service.who, base: address.base }, answer);
  if (moved !== undefined) throw moved;
  const { status: httpStatus } = answer;
  // A proxy before it, which will be asked in vain for the rest as well.
  if (httpStatus >= 502 && httpStatus <= 504) throw refusalError({ text: '', httpStatus }, service);
  if (httpStatus !== 200) return undefined;
  const listed = v.safeParse(IndexerRows, parseJson(answer.text()));
  return listed.success ? listed.output.map(indexerOf) : undefined;
}

function indexerOf(listed: v.InferOutput<typeof IndexerRow>): HydraIndexer {
  const { indexer, state, disabledUntil, lastError, apiResetTime, apiHits, apiHitLimit } = listed;
  return {
    name: indexer,
    state: STATE_BY_NAME[state],
    ...(isPresent(disabledUntil) && { until: disabledUntil * 1000 }),
    ...(isPresent(lastError) && { lastError }),
    ...(isPresent(apiHits) && { hits: apiHits }),
    ...(isPresent(apiHitLimit) && { hitLimit: apiHitLimit }),
    ...(isPresent(apiResetTime) && { reset: apiResetTime * 1000 }),
  };
}

const isPresent = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;
