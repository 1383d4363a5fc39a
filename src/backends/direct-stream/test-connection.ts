import { asSlipstreamError, type ErrorCode, type Explanation, SlipstreamError } from '../../errors/index.ts';
import type { Check } from '../../settings/index.ts';
import { lookAt } from './look.ts';
import { NoService, saysHttps, wantsHttps } from './replies.ts';
import type { Service } from './service.ts';
import type { Times } from './times.ts';

/** As Backend.test: that somebody answers, then that it is the service, takes the key, and streams from NZBs. */
export async function testConnection(
  service: Service,
  times: Times,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  signal.throwIfAborted();
  const { name, origin } = service;
  const steps: readonly (readonly [string, () => Promise<void>])[] = [
    [`${name} at ${origin}`, () => knock(service, times, signal)],
    [`The streaming of ${name}`, () => service.tryOut(signal)],
  ];
  const checks: Check[] = [];
  for (const [what, step] of steps) {
    try {
      await step();
      checks.push({ what });
    } catch (error) {
      signal.throwIfAborted();
      checks.push(failedCheck(what, service, asSlipstreamError(error)));
      break;
    }
  }
  return checks;
}

/** Whatever the front page is, that there is one is enough; a gateway says by its status that nothing is behind it. */
async function knock({ name, base }: Service, { request }: Times, signal: AbortSignal): Promise<void> {
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

function failedCheck(what: string, service: Service, failure: SlipstreamError): Check {
  const explanation = explanationOf(service, failure);
  return {
    what,
    setting: failure.code === 'AUTH_FAILED' ? 'direct_api_key' : 'direct_url',
    failure:
      explanation === undefined
        ? failure
        : new SlipstreamError(failure.code, explanation, {
            cause: failure,
            detail: failure.message,
            transient: failure.transient,
          }),
  };
}

/** What the technical reason means where an address is set up; undefined: the failure says it already. */
function explanationOf({ name, origin, base }: Service, failure: SlipstreamError): Explanation | undefined {
  const { code, message } = failure;
  const isSecure = origin.startsWith('https:');
  if (isSecure && /EPROTO|ERR_SSL/.test(message))
    return {
      what: `${name} does not speak HTTPS at ${origin}.`,
      next: 'Write http:// in its address in the settings.',
    };
  if (!isSecure && /HPE_|ECONNRESET/.test(message))
    return {
      what: `What answers at ${origin} does not speak HTTP.`,
      next: `If ${name} is set up for HTTPS there, write https:// in its address in the settings; else check the port.`,
    };
  if (message.includes('ECONNREFUSED'))
    return {
      what: `Nothing listens at ${origin}.`,
      next: `Start ${name}, and check that the port in the settings is its own.`,
    };
  const isElsewhere = failure instanceof NoService ? failure.isElsewhere : OTHERS.has(code);
  return isElsewhere ? elsewhere(name, origin, base.slice(origin.length)) : undefined;
}

/** What only somebody else answers to an order without an NZB. */
const OTHERS: ReadonlySet<ErrorCode> = new Set(['BAD_ANSWER', 'SUBMIT_REFUSED']);

const elsewhere = (name: string, origin: string, path: string): Explanation =>
  path === ''
    ? {
        what: `Something answers at ${origin}, but it is not the API of ${name}.`,
        next: `Check the port in the settings; if it is the right one, update ${name}.`,
      }
    : {
        what: `${name} is not found under ${path} at ${origin}.`,
        next: 'Check the path in its address in the settings; mostly there is none.',
      };
