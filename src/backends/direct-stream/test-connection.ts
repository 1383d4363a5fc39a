import type { Check } from '../../diagnosis/check.ts';
import {
  explainAddress,
  type ProbeTarget,
  refusedByOtherServer,
  runCheckSteps,
  type StepFailure,
} from '../../diagnosis/index.ts';
import { type ErrorCode, SlipstreamError } from '../../errors/index.ts';
import { CrossOriginRedirect } from '../../io/cross-origin-redirect.ts';
import { badAnswer } from '../../io/http.ts';
import { probeStream } from './probe-stream.ts';
import { httpsRequiredError, isHttpsHint, NzbsUnsupported, ServiceMissing } from './replies.ts';
import type { StreamService } from './service.ts';
import type { DirectStreamTimings } from './timings.ts';

/** As Backend.test: that somebody answers, then that it is the service, takes the key, and streams from NZBs. */
export function testConnection(
  service: StreamService,
  times: DirectStreamTimings,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const { name, origin } = service;
  const explain = (error: SlipstreamError, own: AbortSignal) => explained(error, service, times, own);
  const steps = [
    {
      what: () => `An answer at ${origin}`,
      run: (own: AbortSignal) => checkAnswers(service, times, own),
      explain,
    },
    {
      what: () => `The streaming of ${name}`,
      run: async (own: AbortSignal) => {
        await service.testOrder(own);
        return undefined;
      },
      explain,
    },
    {
      what: () => name,
      run: async (own: AbortSignal) => (await service.testExtras?.(own)) ?? [],
      explain,
    },
  ];
  return runCheckSteps(steps, signal);
}

/** Whatever the front page is, that there is one is enough; a gateway says by its status that nothing is behind it. */
async function checkAnswers(
  { name, base }: StreamService,
  { request }: DirectStreamTimings,
  signal: AbortSignal,
): Promise<undefined> {
  const sight = await probeStream({ url: `${base}/`, who: name, timeout: request, signal });
  if (sight.kind === 'later' && sight.after === undefined)
    throw new SlipstreamError(
      'SERVICE_ERROR',
      {
        what: `${name} is not running: only what stands in front of it answers.`,
        next: `Start ${name}, and look at its log if it does not stay up.`,
      },
      { detail: `HTTP ${sight.status}`, transient: true },
    );
  if (sight.kind === 'absent' && isHttpsHint(sight.words))
    throw httpsRequiredError(name, `HTTP ${sight.status}`);
}

/** What only somebody else answers to an order without an NZB. */
const FOREIGN_CODES: ReadonlySet<ErrorCode> = new Set(['BAD_ANSWER', 'SUBMIT_REFUSED']);

async function explained(
  error: SlipstreamError,
  service: StreamService,
  { request: timeout }: DirectStreamTimings,
  signal: AbortSignal,
): Promise<StepFailure> {
  const sought = serviceProbe(service);
  if (error.code === 'AUTH_FAILED') {
    const other = await refusedByOtherServer(error, sought, { signal, timeout });
    return other === undefined
      ? { failure: error, setting: 'direct_api_key' }
      : { failure: other, setting: 'direct_url' };
  }
  // The key is what was put into a header.
  if (error.code === 'INVALID_REQUEST') return { failure: error, setting: 'direct_api_key' };
  if (error instanceof NzbsUnsupported) return { failure: error, setting: 'direct_url' };
  const isTelling = error instanceof ServiceMissing && !error.isElsewhere;
  const isOthers = FOREIGN_CODES.has(error.code) && !isTelling && !(error instanceof CrossOriginRedirect);
  const plain = isOthers ? badAnswer(service.name, error.message, error) : error;
  return {
    failure: await explainAddress(plain, sought, { signal, timeout, isTelling }),
    setting: 'direct_url',
  };
}

const serviceProbe = ({ name, base, usualPort, isAt }: StreamService): ProbeTarget => ({
  label: name,
  settingLabel: 'the streaming service address',
  enteredUrl: base,
  usualPorts: [usualPort],
  usualPaths: [`/${name.toLowerCase()}`],
  isAt,
  mayBeOld: true,
});
