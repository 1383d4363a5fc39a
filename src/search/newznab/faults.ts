import { SlipstreamError } from '../../errors/index.ts';
import { badAnswer } from '../../io/http.ts';
import { redact } from '../../log/index.ts';

/**
 * What an indexer's refusal means. The codes are those of the Newznab specification, but indexers use them loosely
 * (a used-up quota comes as 100 as well as 500), so the words of the description count more than the code.
 */
export interface Refusal {
  /** Newznab's error code; undefined: the answer was no error document. */
  readonly code?: number;
  /** The description, or the beginning of whatever was sent instead. */
  readonly text: string;
  readonly httpStatus: number;
}

/** No such function, no such parameter: another kind of query may do. */
export function isUnsupported({ code }: Refusal): boolean {
  return code === 201 || code === 202 || code === 203;
}

/** "No such item" as the answer to a search. */
export function isNothingFound({ code }: Refusal): boolean {
  return code === 300;
}

const LIMIT_WORDS =
  /\blimit|\bquota\b|\bexceed|too many|\bthrottl|\b(?:max\w*|daily|hits?|grabs?|requests?)\b.*\breached\b/i;
const ACCOUNT_WORDS = /suspend|expired|disabled account|account.*disabled|banned/i;

export function refusalError(refusal: Refusal, who: string): SlipstreamError {
  const { code, httpStatus, text } = refusal;
  const detail = `HTTP ${httpStatus}${code === undefined ? '' : `, error ${code}`}: ${oneLine(text, 200)}`;
  if (saysLimit(refusal))
    return failure(
      'RATE_LIMITED',
      `${who} asks for patience: its limit of requests is used up.`,
      'Wait a while and try again; your account page there shows the limits.',
      detail,
      httpStatus === 429 && code === undefined,
    );
  if (saysAccount(refusal)) return accountError(refusal, who, detail);
  if (code === undefined) return httpError(httpStatus, who, detail);
  return failure(
    'SERVICE_ERROR',
    code === 910
      ? `${who} has switched its search interface off for now.`
      : `${who} answered with an error: ${oneLine(text, 100) || `number ${code}`}.`,
    'Try again later; if it stays, look at the web site of the indexer.',
    detail,
    true,
  );
}

function saysLimit({ code, httpStatus, text }: Refusal): boolean {
  if (code === 429 || code === 500 || code === 501) return true;
  return httpStatus === 429 || (!isPage(text) && LIMIT_WORDS.test(text));
}

function saysAccount({ code, httpStatus, text }: Refusal): boolean {
  if (code !== undefined) return (code >= 100 && code <= 107) || ACCOUNT_WORDS.test(text);
  // A page of HTML with 403 comes from whatever stands in front of the indexer, and soon passes.
  return httpStatus === 401 || (httpStatus === 403 && !isPage(text));
}

const isPage = (text: string) => text.trimStart().startsWith('<');

function accountError({ code, text }: Refusal, who: string, detail: string): SlipstreamError {
  const refused = (what: string, next: string) => failure('AUTH_FAILED', what, next, detail);
  if (code === 101 || ACCOUNT_WORDS.test(text))
    return refused(
      `${who} says that your account is suspended or has expired.`,
      'Log in at the web site of the indexer and look at your account.',
    );
  if (code === 102)
    return refused(
      `${who} does not let your account search.`,
      'Look at the web site of the indexer whether your account includes the API.',
    );
  return refused(
    `${who} refused the API key.`,
    'Copy the key again from your profile page at the indexer into the settings.',
  );
}

function httpError(httpStatus: number, who: string, detail: string): SlipstreamError {
  if (httpStatus === 404)
    return failure(
      'BAD_ANSWER',
      `${who} has no search interface at this address.`,
      'Check the indexer address in the settings.',
      detail,
    );
  if (httpStatus === 403 || httpStatus >= 500)
    return failure(
      'SERVICE_ERROR',
      `${who} is out of order at the moment.`,
      'Try again later.',
      detail,
      true,
    );
  return badAnswer(who, detail);
}

function failure(
  code: 'RATE_LIMITED' | 'AUTH_FAILED' | 'SERVICE_ERROR' | 'BAD_ANSWER',
  what: string,
  next: string,
  detail: string,
  transient = false,
): SlipstreamError {
  return new SlipstreamError(code, { what, next }, { detail, transient });
}

/** Text of a stranger, fit for a message: no secrets, no line breaks, no end to a sentence. */
function oneLine(text: string, length: number): string {
  return redact(text)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, length)
    .replace(/[.\s]+$/, '');
}
