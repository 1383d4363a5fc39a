import {
  type Explained,
  explainAddress,
  refusedBySomebodyElse,
  runSteps,
  type Sought,
} from '../../diagnosis/index.ts';
import { type ErrorCode, SlipstreamError } from '../../errors/index.ts';
import { badAnswer } from '../../io/http.ts';
import { Moved } from '../../io/moved.ts';
import type { Check } from '../../settings/index.ts';
import { lookAt } from './look.ts';
import { NoService, saysHttps, TakesNoNzbs, wantsHttps } from './replies.ts';
import type { Service } from './service.ts';
import type { Times } from './times.ts';

/** As Backend.test: that somebody answers, then that it is the service, takes the key, and streams from NZBs. */
export function testConnection(
  service: Service,
  times: Times,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const { name, origin } = service;
  const explain = (error: SlipstreamError, own: AbortSignal) => explained(error, service, times, own);
  const steps = [
    { what: () => `An answer at ${origin}`, run: (own: AbortSignal) => knock(service, times, own), explain },
    {
      what: () => `The streaming of ${name}`,
      run: async (own: AbortSignal) => {
        await service.tryOut(own);
        return undefined;
      },
      explain,
    },
    {
      what: () => name,
      run: async (own: AbortSignal) => (await service.checkBeside?.(own)) ?? [],
      explain,
    },
  ];
  return runSteps(steps, signal);
}

/** Whatever the front page is, that there is one is enough; a gateway says by its status that nothing is behind it. */
async function knock({ name, base }: Service, { request }: Times, signal: AbortSignal): Promise<undefined> {
  const sight = await lookAt({ url: `${base}/`, who: name, timeout: request, signal });
  if (sight.kind === 'later' && sight.after === undefined)
    throw new SlipstreamError(
      'SERVICE_ERROR',
      {
        what: `${name} is not running: only what stands in front of it answers.`,
        next: `Start ${name}, and look at its log if it does not stay up.`,
      },
      { detail: `HTTP ${sight.status}`, transient: true },
    );
  if (sight.kind === 'absent' && saysHttps(sight.words)) throw wantsHttps(name, `HTTP ${sight.status}`);
}

/** What only somebody else answers to an order without an NZB. */
const OTHERS: ReadonlySet<ErrorCode> = new Set(['BAD_ANSWER', 'SUBMIT_REFUSED']);

async function explained(
  error: SlipstreamError,
  service: Service,
  { request: timeout }: Times,
  signal: AbortSignal,
): Promise<Explained> {
  const sought = soughtService(service);
  if (error.code === 'AUTH_FAILED') {
    const other = await refusedBySomebodyElse(error, sought, { signal, timeout });
    return other === undefined
      ? { failure: error, setting: 'direct_api_key' }
      : { failure: other, setting: 'direct_url' };
  }
  // The key is what was put into a header.
  if (error.code === 'INVALID_REQUEST') return { failure: error, setting: 'direct_api_key' };
  if (error instanceof TakesNoNzbs) return { failure: error, setting: 'direct_url' };
  const isTelling = error instanceof NoService && !error.isElsewhere;
  const isOthers = OTHERS.has(error.code) && !isTelling && !(error instanceof Moved);
  const plain = isOthers ? badAnswer(service.name, error.message, error) : error;
  return {
    failure: await explainAddress(plain, sought, { signal, timeout, isTelling }),
    setting: 'direct_url',
  };
}

const soughtService = ({ name, base, usualPort, isAt }: Service): Sought => ({
  it: name,
  place: 'the streaming service address',
  typed: base,
  usualPorts: [usualPort],
  usualPaths: [`/${name.toLowerCase()}`],
  isAt,
  mayBeOld: true,
});
