import { SlipstreamError } from '../../errors/index.ts';
import { StandingError } from '../standing.ts';
import { type Refusal, refusalError, type Service } from '../wire/refusal.ts';

interface Named {
  /** The indexer's name in Prowlarr. */
  readonly name: string;
  readonly prowlarr: Service;
}

/**
 * What Prowlarr means where it does not ask an indexer, or has just failed to (protocols.md §7.3); undefined for what
 * the indexer itself may have answered.
 */
export function meaningOf(refusal: Refusal, named: Named): Error | undefined {
  const { code, httpStatus, text } = refusal;
  if (httpStatus === 401) return refusalError(refusal, named.prowlarr);
  if (httpStatus === 429 && code === 429) return restOf(refusal);
  if (httpStatus === 410) return changed(named, 'is switched off');
  if (httpStatus === 404 && text.includes('does not exist')) return changed(named, 'is no longer there');
  return undefined;
}

/** Milliseconds, where it does not say how long. */
const USUAL_REST = 5 * 60_000;

function restOf({ text, retryAfter = USUAL_REST }: Refusal): StandingError {
  const until = Date.now() + retryAfter;
  const limit = /Limit of (\d+) in last (\d+) hour/i.exec(text);
  return new StandingError({
    kind: 'rests',
    rest:
      limit === null
        ? { until, reason: 'failures', why: 'it failed' }
        : { until, reason: 'limit', why: `its limit of ${limit[1]} in ${limit[2]} h, set there, is used up` },
  });
}

/** Since it was listed. */
function changed({ name, prowlarr }: Named, how: string): StandingError {
  return new StandingError({
    kind: 'failed',
    failure: new SlipstreamError('SERVICE_ERROR', {
      what: `The indexer ${name} ${how} in ${prowlarr.who}.`,
      next: 'Nothing needs to be done; the next search does without it.',
    }),
  });
}
