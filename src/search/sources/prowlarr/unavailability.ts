import { SlipstreamError } from '../../../errors/index.ts';
import { refusalError, type ServiceLabels, type SourceRefusal } from '../common/refusal.ts';
import { SourceUnavailableError } from '../unavailability.ts';

interface IndexerContext {
  /** The indexer's name in Prowlarr. */
  readonly name: string;
  readonly prowlarr: ServiceLabels;
}

/**
 * What Prowlarr means where it does not ask an indexer, or has just failed to (protocols.md §7.3); undefined for what
 * the indexer itself may have answered.
 */
export function interpretRefusal(refusal: SourceRefusal, named: IndexerContext): Error | undefined {
  const { code, httpStatus, text } = refusal;
  if (httpStatus === 401) return refusalError(refusal, named.prowlarr);
  if (httpStatus === 429 && code === 429) return cooldownError(refusal);
  if (httpStatus === 410) return unavailableError(named, 'is switched off');
  if (httpStatus === 404 && text.includes('does not exist'))
    return unavailableError(named, 'is no longer there');
  return undefined;
}

/** Milliseconds, where it does not say how long. */
const DEFAULT_COOLDOWN = 5 * 60_000;

function cooldownError({ text, retryAfter = DEFAULT_COOLDOWN }: SourceRefusal): SourceUnavailableError {
  const until = Date.now() + retryAfter;
  const limit = /Limit of (\d+) in last (\d+) hour/i.exec(text);
  return new SourceUnavailableError({
    kind: 'rests',
    rest:
      limit === null
        ? { until, reason: 'failures', why: 'it failed' }
        : { until, reason: 'limit', why: `its limit of ${limit[1]} in ${limit[2]} h, set there, is used up` },
  });
}

/** Since it was listed. */
function unavailableError({ name, prowlarr }: IndexerContext, how: string): SourceUnavailableError {
  return new SourceUnavailableError({
    kind: 'failed',
    failure: new SlipstreamError('SERVICE_ERROR', {
      what: `The indexer ${name} ${how} in ${prowlarr.who}.`,
      next: 'Nothing needs to be done; the next search does without it.',
    }),
  });
}
