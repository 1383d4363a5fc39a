import { SlipstreamError } from '../../../errors/index.ts';
import { phraseOf } from '../../../io/external-text.ts';
import { type ServiceLabels } from '../common/refusal.ts';
import type { Unavailability } from '../unavailability.ts';
import type { HydraIndexer } from './indexers.ts';

/** Why NZBHydra2 would not ask an indexer now (protocols.md §6.4); undefined: it would. */
export function unavailabilityOf(
  indexer: HydraIndexer,
  service: ServiceLabels,
  now = Date.now(),
): Unavailability | undefined {
  const { name, state, until = 0, hits = 0, hitLimit } = indexer;
  switch (state) {
    case 'off':
      return failedWith(
        'SERVICE_ERROR',
        `${service.who} has the indexer ${name} switched off.`,
        NOTHING_TO_DO,
      );
    case 'system':
      return failedWith(
        'AUTH_FAILED',
        `${service.who} has switched the indexer ${name} off: ${lastErrorText(indexer)}.`,
        `Mend it in ${service.who} under Config, Indexers, and switch it on again there.`,
      );
    case 'rests': {
      const rest = { until, reason: 'failures', why: `it failed: ${lastErrorText(indexer)}` } as const;
      return until > now ? { kind: 'rests', rest } : undefined;
    }
    case 'on':
      return hitLimit !== undefined && hits >= hitLimit
        ? limitReached(indexer, hitLimit, service)
        : undefined;
  }
}

const NOTHING_TO_DO = 'Nothing needs to be done; the next search does without it.';

function limitReached({ name, reset }: HydraIndexer, limit: number, { who }: ServiceLabels): Unavailability {
  const why = `its limit of ${limit} searches, set there, is used up`;
  if (reset !== undefined) return { kind: 'rests', rest: { until: reset, reason: 'limit', why } };
  return failedWith(
    'RATE_LIMITED',
    `${who} does not ask the indexer ${name}: ${why}.`,
    `Wait a while, or raise its limit in ${who} under Config, Indexers.`,
  );
}

/** Without the beginning that says whose it is. */
function lastErrorText({ lastError = 'it does not say why' }: HydraIndexer): string {
  const said = phraseOf(lastError, 300).replace(/^Error while communicating with indexer .*?\. /, '');
  return said.slice(0, 100);
}

function failedWith(
  code: 'SERVICE_ERROR' | 'AUTH_FAILED' | 'RATE_LIMITED',
  what: string,
  next: string,
): Unavailability {
  return { kind: 'failed', failure: new SlipstreamError(code, { what, next }) };
}
