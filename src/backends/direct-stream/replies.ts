import { ENTER_IT, type ErrorCode, type Explanation, SlipstreamError } from '../../errors/index.ts';
import { quotedSuffix } from '../../io/external-text.ts';
import { badAnswer } from '../../io/http.ts';
import { type HttpResponse } from '../../io/http-answer.ts';
import { retryAfterOf } from '../../io/retry-after.ts';
import type { OrderReply } from './service.ts';

const TRY_ANOTHER = 'Try another release.';

/** Sending the same order again would bring the same answer. */
const FINAL_CODES: ReadonlySet<ErrorCode> = new Set([
  'AUTH_FAILED',
  'NOT_CONFIGURED',
  'SUBMIT_REFUSED',
  'JOB_FAILED',
  'NO_VIDEO',
  'TOO_LARGE',
  'INVALID_REQUEST',
  'INTERNAL',
]);

/** There is no such service to be had at the address. */
export class ServiceMissing extends SlipstreamError {
  /** It is another address at which it may be; else it is switched off, or speaks HTTPS there. */
  readonly isElsewhere: boolean;

  constructor(explanation: Explanation, detail: string, isElsewhere: boolean) {
    super('BAD_ANSWER', explanation, { detail });
    this.isElsewhere = isElsewhere;
  }
}

/** The StreamNZB at the address is one that takes no NZBs, whatever its key. */
export class NzbsUnsupported extends ServiceMissing {
  constructor(version: string | undefined) {
    const explanation = {
      what: `This is StreamNZB${version === undefined ? '' : ` ${version}`}, which takes no NZBs.`,
      next: 'Update it, or enter its manifest address as Stremio add-on.',
    };
    super(explanation, 'no /api/play/nzb', false);
  }
}

export function isFinalFailure(error: unknown): boolean {
  if (error instanceof ServiceMissing || !(error instanceof SlipstreamError)) return true;
  return FINAL_CODES.has(error.code) || (error.code === 'UNREACHABLE' && !error.transient);
}

/** A request that took too long at the service (408) is asked again in any case; these only where it says when. */
const RETRY_STATUSES: ReadonlySet<number> = new Set([425, 429, 502, 503, 504]);

/** That the service wants to be asked again, if that is what its answer means. */
export function retryDelayOf({ status, headers }: HttpResponse): OrderReply | undefined {
  const after = retryAfterOf(headers);
  if (status === 408 || (RETRY_STATUSES.has(status) && after !== undefined)) return { kind: 'later', after };
  return undefined;
}

interface RefusalDetails {
  readonly name: string;
  readonly status: number;
  /** What the service says, fit for a message. */
  readonly words: string;
  /** Whether it spoke in its own form, not in that of whatever stands in front of it. */
  readonly isOwn: boolean;
  /** What the person enters to be let in, and where it is; ends "Copy …". */
  readonly key: string;
}

/** What any status but success means for an order. */
export function orderRefusal({ name, status, words, isOwn, key }: RefusalDetails): SlipstreamError {
  const detail = `HTTP ${status}${words === '' ? '' : `: ${words}`}`;
  const error = (code: ErrorCode, what: string, next: string, transient = false) =>
    new SlipstreamError(code, { what, next }, { detail, transient });
  switch (status) {
    case 401:
      return error('AUTH_FAILED', `${name} refused the key.`, `Copy ${key}. ${ENTER_IT}`);
    case 402:
    case 403:
      return error(
        'AUTH_FAILED',
        `${name} does not let your account stream${quotedSuffix(words)}.`,
        `Look in ${name} whether the account is active, and whether the key belongs to it.`,
      );
    case 404:
    case 405:
      return noService(name, isOwn, detail);
    case 413:
      return error('SUBMIT_REFUSED', `The NZB is larger than ${name} takes.`, TRY_ANOTHER);
  }
  if (status >= 500 && isOwn)
    return error('JOB_FAILED', `${name} could not get the release ready${quotedSuffix(words)}.`, TRY_ANOTHER);
  if (status >= 500)
    return error(
      'SERVICE_ERROR',
      `${name} is out of order at the moment.`,
      `Look at the log of ${name}, then try again.`,
      true,
    );
  if (isHttpsHint(words)) return httpsRequiredError(name, detail);
  if (status >= 400)
    return error('SUBMIT_REFUSED', `${name} did not take the release${quotedSuffix(words)}.`, TRY_ANOTHER);
  return badAnswer(name, detail);
}

function noService(name: string, isOwn: boolean, detail: string): ServiceMissing {
  const explanation = isOwn
    ? {
        what: `${name} does not stream from NZBs: that is switched off there.`,
        next: `Switch it on in the settings of ${name} (Stremio), or choose another backend in the settings of Slipstream (Backends).`,
      }
    : {
        what: `${name} does not stream from NZBs at this address.`,
        next: `Check the port and the path of its address in the settings of Slipstream (Backends), and update ${name} if it is old.`,
      };
  return new ServiceMissing(explanation, detail, !isOwn);
}

/** What servers answer to plain HTTP at the port of their HTTPS. */
export const isHttpsHint = (words: string): boolean => /\bhttps (?:server|port)\b/i.test(words);

export const httpsRequiredError = (name: string, detail: string): ServiceMissing =>
  new ServiceMissing(
    {
      what: `${name} speaks HTTPS at this port.`,
      next: 'Begin its address in the settings of Slipstream (Backends) with https://.',
    },
    detail,
    false,
  );
