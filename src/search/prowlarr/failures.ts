import * as v from 'valibot';
import { SlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import { type Client, isRefusal, listOf, type Resource } from './client.ts';
import { type Indexer, MAX_INDEXERS } from './indexers.ts';

/**
 * Prowlarr drops an indexer that fails without a word, and lets it rest from then on. Which ones rest it tells when
 * asked, so whoever listed nothing is looked up there.
 */
interface Rest {
  readonly indexerId: number;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

const Status = v.object({ indexerId: v.number(), disabledTill: v.string() });

const RESOURCE: Resource<readonly Rest[]> = {
  path: '/indexerstatus',
  schema: v.pipe(
    listOf(Status, MAX_INDEXERS),
    v.transform((all) =>
      all.map(({ indexerId, disabledTill }) => ({ indexerId, until: Date.parse(disabledTill) })),
    ),
  ),
};

/** Milliseconds. The list is already here; what is missing in it is not worth a long wait. */
const LONGEST_WAIT = 3_000;

interface Circumstances {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly log: Logger;
}

/** Why these indexers, which were asked, have listed nothing; nothing for those that simply have nothing. */
export async function failuresOf(
  silent: readonly Indexer[],
  client: Client,
  { signal, timeout, log }: Circumstances,
): Promise<SlipstreamError[]> {
  if (silent.length === 0) return [];
  const rests = await restsNow(client, { signal, timeout: Math.min(timeout, LONGEST_WAIT), log });
  return silent.flatMap((indexer) => {
    const rest = rests.find(({ indexerId }) => indexerId === indexer.id);
    if (rest !== undefined) return [atRest(indexer, client, rest.until)];
    return indexer.queryLimit === undefined ? [] : [atLimit(indexer, client, indexer.queryLimit)];
  });
}

async function restsNow(client: Client, { signal, timeout, log }: Circumstances): Promise<readonly Rest[]> {
  try {
    const rests = await client.get(RESOURCE, { signal, timeout });
    return isRefusal(rests) ? [] : rests;
  } catch (error) {
    signal.throwIfAborted();
    log.warning(`${client.service.who}: which indexers failed is not known: ${String(error)}`);
    return [];
  }
}

function atRest({ name }: Indexer, { service }: Client, until: number): SlipstreamError {
  const left = until - Date.now();
  const known = left > 0;
  return new SlipstreamError(
    'SERVICE_ERROR',
    {
      what: `The indexer ${name} failed behind ${service.who}, which lets it rest${known ? ` for ${inWords(left)}` : ''}.`,
      next: 'Prowlarr shows the reason under System, Events.',
    },
    { transient: true, ...(known && { retryAfter: left }) },
  );
}

/** Prowlarr counts searches by itself and, when the person's own limit is reached, does not ask any more. */
function atLimit({ name }: Indexer, { service }: Client, limit: number): SlipstreamError {
  return new SlipstreamError(
    'RATE_LIMITED',
    {
      what: `The indexer ${name} behind ${service.who} listed nothing; its limit of ${limit} searches may be used up.`,
      next: `Wait a while, or raise the query limit of ${name} in Prowlarr.`,
    },
    { transient: true },
  );
}

/** Nobody is left to ask: the failures of all, as one. */
export function allUnavailable({ service }: Client, failures: readonly SlipstreamError[]): SlipstreamError {
  const rests = failures.flatMap(({ retryAfter }) => retryAfter ?? []);
  return new SlipstreamError(
    'SERVICE_ERROR',
    {
      what: `${service.who} lets all of its usenet indexers rest after failures.`,
      next: 'Try again later; Prowlarr shows the reasons under System, Events.',
    },
    {
      transient: true,
      detail: failures.map(({ explanation }) => explanation.what).join(' '),
      ...(rests.length > 0 && { retryAfter: Math.min(...rests) }),
    },
  );
}

function inWords(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 90) return `${minutes} minute${minutes === 1 ? '' : 's'}`;
  return `${Math.round(minutes / 60)} hours`;
}
