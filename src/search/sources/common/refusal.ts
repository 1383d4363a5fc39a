import { SlipstreamError } from '../../../errors/index.ts';
import { phraseOf, saysAccountClosed, saysLimitReached } from '../../../io/external-text.ts';
import { badAnswer } from '../../../io/http.ts';
import { indexerLabel } from '../../../model/index.ts';
import { sourceName } from '../source.ts';
import type { SourceOptions } from './options.ts';

/**
 * What a service's refusal means. The codes are those of the Newznab specification, but indexers use them loosely
 * (a used-up quota comes as 100 as well as 500), so the words of the description count more than the code.
 */
export interface SourceRefusal {
  /** Newznab's error code; undefined: the answer was no error document. */
  readonly code?: number;
  /** The description, or the beginning of whatever was sent instead. */
  readonly text: string;
  readonly httpStatus: number;
  /** Milliseconds that it asks to be left alone. */
  readonly retryAfter?: number | undefined;
}

/** A service as messages speak of it. */
export interface ServiceLabels {
  /** As messages begin: "The indexer Example". */
  readonly who: string;
  /** The name the person gave it. */
  readonly name: string;
  /** Where its API key is to be found: ends "It is shown …". */
  readonly keyPlace: string;
  /** Where it tells what is wrong with it: ends "Look at …". */
  readonly ownPlace: string;
  /** Where its address and key stand: "Open …". */
  readonly setUpIn: string;
}

type LabelOptions = Pick<SourceOptions, 'name' | 'setUpIn'>;

const SETTINGS = 'the settings of Slipstream (Connection)';

/** "its address in the settings …". */
export const addressPlace = ({ setUpIn }: Pick<ServiceLabels, 'setUpIn'>): string =>
  `its address in ${setUpIn}`;

export const indexerLabels = ({ name, setUpIn = SETTINGS }: LabelOptions): ServiceLabels => ({
  who: indexerLabel(name),
  name,
  setUpIn,
  keyPlace: 'on your profile page there',
  ownPlace: 'the web site of the indexer',
});

export const managerLabels = (
  software: string,
  { name, setUpIn = SETTINGS }: LabelOptions,
  keyPlace: string,
): ServiceLabels => ({
  who: name.toLowerCase() === software.toLowerCase() ? software : `${software} (${name})`,
  name,
  setUpIn,
  keyPlace,
  ownPlace: `the log of ${software}`,
});

/** An indexer behind a manager. */
export const memberLabels = (manager: ServiceLabels, indexer: string): ServiceLabels => ({
  ...manager,
  name: sourceName({ name: indexer, manager }),
  who: sourceName({ name: indexer, manager: { name: manager.who } }),
});

/** No such function, or a parameter that is missing or wrong: another kind of query may do. */
export function isUnsupported({ code, text }: SourceRefusal): boolean {
  if (code === 202 || code === 203) return true;
  return (code === 200 || code === 201) && !KEY_WORDS.test(text);
}

/** "No such item" as the answer to a search. */
export function isNothingFound({ code }: SourceRefusal): boolean {
  return code === 300;
}

const COUNT_REACHED = /\b(?:max\w*|daily|hits?|grabs?|requests?)\b.*\breached\b/i;
const KEY_WORDS = /\bapi[ _-]?key\b|\bcredentials\b/i;
/** 910 switches the whole interface off, for everybody: to ask again at once is as useless. */
const LIMIT_CODES = [429, 500, 501, 910];

export function refusalError(refusal: SourceRefusal, service: ServiceLabels): SlipstreamError {
  const { code, httpStatus, text } = refusal;
  const { who, ownPlace } = service;
  const detail = `HTTP ${httpStatus}${code === undefined ? '' : `, error ${code}`}: ${phraseOf(text, 200)}`;
  if (isRateLimit(refusal)) return limitError(refusal, who, detail);
  if (isAccountProblem(refusal)) return accountError(refusal, service, detail);
  if (code === undefined) return httpError(refusal, service, detail);
  return errorOf(
    'SERVICE_ERROR',
    `${who} answered with an error: ${phraseOf(text, 100) || `number ${code}`}.`,
    `Try again later; if it stays, look at ${ownPlace}.`,
    { detail, transient: true, retryAfter: refusal.retryAfter },
  );
}

/** An answer that is no list of releases but a page for people: of a proxy in front of it, or of something else. */
export function htmlPageError(service: ServiceLabels, detail: string): SlipstreamError {
  return errorOf(
    'BAD_ANSWER',
    `${service.who} sent a web page where a list of releases belongs.`,
    `Try again later; if it stays, check ${addressPlace(service)}.`,
    { detail, transient: true },
  );
}

/** HTML and whatever else begins like markup: no words for a person. */
export const isHtml = (text: string): boolean => text.trimStart().startsWith('<');

function isRateLimit({ code, httpStatus, text }: SourceRefusal): boolean {
  if (code !== undefined && LIMIT_CODES.includes(code)) return true;
  return httpStatus === 429 || (!isHtml(text) && (saysLimitReached(text) || COUNT_REACHED.test(text)));
}

function isAccountProblem({ code, httpStatus, text }: SourceRefusal): boolean {
  if (isHtml(text)) return httpStatus === 401;
  if (code === 200 || code === 201) return KEY_WORDS.test(text);
  if (code !== undefined) return (code >= 100 && code <= 107) || saysAccountClosed(text);
  // Some answer in plain text with 200.
  const inWords = httpStatus < 500 && (KEY_WORDS.test(text) || saysAccountClosed(text));
  return httpStatus === 401 || httpStatus === 403 || inWords;
}

function limitError({ code, retryAfter }: SourceRefusal, who: string, detail: string): SlipstreamError {
  const off = code === 910;
  return errorOf(
    'RATE_LIMITED',
    off
      ? `${who} has switched its search interface off for now.`
      : `${who} asks for patience: its limit of requests is used up.`,
    off ? 'Try again later.' : 'Wait a while and try again; your account page there shows the limits.',
    { detail, transient: true, retryAfter },
  );
}

function accountError(
  { code, text }: SourceRefusal,
  service: ServiceLabels,
  detail: string,
): SlipstreamError {
  const { who, name, keyPlace, ownPlace, setUpIn } = service;
  const refused = (what: string, next: string) => errorOf('AUTH_FAILED', what, next, { detail });
  if (code === 101 || saysAccountClosed(text))
    return refused(
      `${who} says that your account is suspended or has expired.`,
      `Log in there and look at your account; if it is in order, look at ${ownPlace}.`,
    );
  if (code === 102)
    return refused(
      `${who} does not let your account search.`,
      `Look at ${ownPlace} whether your account includes the API.`,
    );
  return refused(
    `${who} refused the API key.`,
    `Open ${setUpIn} and enter the API key of ${name} again. It is shown ${keyPlace}.`,
  );
}

function httpError(
  { httpStatus, retryAfter }: SourceRefusal,
  service: ServiceLabels,
  detail: string,
): SlipstreamError {
  const { who } = service;
  if (httpStatus === 404)
    return errorOf(
      'BAD_ANSWER',
      `${who} has no search interface at this address.`,
      `Check ${addressPlace(service)}.`,
      { detail },
    );
  if (httpStatus === 403 || httpStatus >= 500)
    return errorOf('SERVICE_ERROR', `${who} is out of order at the moment.`, 'Try again later.', {
      detail,
      transient: true,
      retryAfter,
    });
  return badAnswer(who, detail);
}

/** Whether the service has looked at the key, and does not serve whoever has it. */
export const isAccountFailure = ({ code }: SlipstreamError): boolean =>
  code === 'AUTH_FAILED' || code === 'RATE_LIMITED';

interface FailureDetails {
  readonly detail: string;
  readonly transient?: boolean;
  readonly retryAfter?: number | undefined;
}

function errorOf(
  code: 'RATE_LIMITED' | 'AUTH_FAILED' | 'SERVICE_ERROR' | 'BAD_ANSWER',
  what: string,
  next: string,
  { detail, transient = false, retryAfter }: FailureDetails,
): SlipstreamError {
  const rest = retryAfter === undefined ? {} : { retryAfter };
  return new SlipstreamError(code, { what, next }, { detail, transient, ...rest });
}
