import { SlipstreamError } from '../../errors/index.ts';
import type { Standing } from '../standing.ts';
import { oneLine, type Service } from '../wire/refusal.ts';
import type { Indexer } from './indexers.ts';

/** Why NZBHydra2 would not ask an indexer now (protocols.md §6.4); undefined: it would. */
export function standingOf(indexer: Indexer, service: Service, now = Date.now()): Standing | undefined {
  const { name, state, until = 0, hits = 0, hitLimit } = indexer;
  switch (state) {
    case 'off':
      return failed('SERVICE_ERROR', `${service.who} has the indexer ${name} switched off.`, UNNEEDED);
    case 'system':
      return failed(
        'AUTH_FAILED',
        `${service.who} has switched the indexer ${name} off: ${errorIn(indexer)}.`,
        `Mend it in ${service.who} under Config, Indexers, and switch it on again there.`,
      );
    case 'rests': {
      const rest = { until, reason: 'failures', why: `it failed: ${errorIn(indexer)}` } as const;
      return until > now ? { kind: 'rests', rest } : undefined;
    }
    case 'on':
      return hitLimit !== undefined && hits >= hitLimit ? atLimit(indexer, hitLimit, service) : undefined;
  }
}

const UNNEEDED = 'Nothing needs to be done; the next search does without it.';

function atLimit({ name, reset }: Indexer, limit: number, { who }: Service): Standing {
  const why = `its limit of ${limit} searches, set there, is used up`;
  if (reset !== undefined) return { kind: 'rests', rest: { until: reset, reason: 'limit', why } };
  return failed(
    'RATE_LIMITED',
    `${who} does not ask the indexer ${name}: ${why}.`,
    `Wait a while, or raise its limit in ${who} under Config, Indexers.`,
  );
}

/** Without the beginning that says whose it is. */
function errorIn({ lastError = 'it does not say why' }: Indexer): string {
  const said = oneLine(lastError, 300).replace(/^Error while communicating with indexer .*?\. /, '');
  return said.slice(0, 100);
}

function failed(
  code: 'SERVICE_ERROR' | 'AUTH_FAILED' | 'RATE_LIMITED',
  what: string,
  next: string,
): Standing {
  return { kind: 'failed', failure: new SlipstreamError(code, { what, next }) };
}
