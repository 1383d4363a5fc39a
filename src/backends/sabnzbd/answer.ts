import * as v from 'valibot';
import { ENTER_IT, SlipstreamError } from '../../errors/index.ts';
import { findCrossOriginRedirect } from '../../io/cross-origin-redirect.ts';
import { quotedSuffix, sanitizeExternalText } from '../../io/external-text.ts';
import { badAnswer } from '../../io/http.ts';
import { type HttpResponse } from '../../io/http-answer.ts';
import { isRecord, parseJson } from '../../io/json.ts';
import { Refused, RefusedForAll, serverFaultOf } from '../refusals.ts';
import { refusalAnswer } from './schema.ts';
import type { SabDialect } from './server.ts';

/** No answer of the kind of server that was asked; perhaps it is of another kind. */
export class UnexpectedResponse extends SlipstreamError {}

/** There is no such API at all. */
export class ApiMissing extends UnexpectedResponse {}

/** Not the server itself has refused us: its key is not at fault. */
export class BlockedByGateway extends UnexpectedResponse {}

/**
 * @param isSubmission An NZB was handed over.
 * @throws Refused, RefusedForAll, UnexpectedResponse, ApiMissing, BlockedByGateway, CrossOriginRedirect; Busy, AUTH_FAILED, SERVICE_ERROR, BAD_ANSWER
 */
export function readAnswer<T>(
  { name, keyIn, keyLocation: keyPlace }: Pick<SabDialect, 'name' | 'keyIn' | 'keyLocation'>,
  answer: HttpResponse,
  schema: v.GenericSchema<unknown, T>,
  isSubmission = false,
): T {
  const moved = findCrossOriginRedirect({ who: name, url: answer.url }, answer);
  if (moved !== undefined) throw moved;
  const body = parseJson(answer.text());
  const said = v.safeParse(refusalAnswer, body);
  const saysNo = said.success && said.output.status === false;
  const words = sanitizeExternalText(said.success ? (said.output.error ?? '') : answer.text());
  const detail = `HTTP ${answer.status}${words === '' ? '' : `: ${words}`}`;
  if (isKeyRefusal(answer)) {
    const failure = keyRefusedError({ name, keyLocation: keyPlace }, detail);
    // The others do not look at the header at all, so they miss the key.
    throw answer.status !== 401 && keyIn === 'header' ? unexpectedResponseError(failure, detail) : failure;
  }
  if (answer.status === 401 || answer.status === 403) throw gatewayError(name, answer, detail);
  if (saysNo && isSubmission && isReleaseRefusal(answer, words)) throw refusedError(name, words, detail);
  const failure = failureOf(name, answer, saysNo, words, detail);
  if (failure !== undefined) throw failure;
  if (body === undefined) throw unexpectedResponseError(badAnswer(name, ''), 'not JSON');
  const parsed = v.safeParse(schema, body);
  if (!parsed.success) throw badAnswer(name, `unexpected answer: ${parsed.issues[0].message}`);
  return parsed.output;
}

/** Errors come with 200, 400 and 500, as JSON or as plain text (protocols.md §1.2, §2.10, §3.1). */
function failureOf(
  name: string,
  answer: HttpResponse,
  saysNo: boolean,
  words: string,
  detail: string,
): SlipstreamError | undefined {
  const trouble = serverFaultOf(name, answer, { detail });
  if (trouble !== undefined) return trouble;
  const { status } = answer;
  if (status === 404 || status === 405)
    return new ApiMissing('BAD_ANSWER', badAnswer(name, '').explanation, {
      detail: `no SABnzbd API there, ${detail}`,
    });
  if (status >= 300 && status < 400)
    return unexpectedResponseError(badAnswer(name, ''), `no SABnzbd API there, ${detail}`);
  return saysNo || status >= 400 ? refusedError(name, words, detail) : undefined;
}

/** A job of that name waits there already: perhaps the one that we have just submitted. */
const NAME_TAKEN = /saving the entity changes/i;

/** nzbdav says no to an NZB that it cannot read with 500, and with its reader's words (protocols.md §1.2). */
const isReleaseRefusal = ({ status }: HttpResponse, words: string): boolean =>
  status === 500 && words !== '' && !NAME_TAKEN.test(words);

/** InfiniDysk takes no more than its settings allow, and says so with status 200 (protocols.md §1.2). */
const QUEUE_FULL = /^queue is full/i;

function refusedError(name: string, words: string, detail: string): Refused {
  if (QUEUE_FULL.test(words)) return queueFullError(name, detail);
  const what = `${name} refused the request${quotedSuffix(words)}.`;
  return new Refused('SERVICE_ERROR', { what, next: `Look at the log of ${name}.` }, { detail });
}

export function queueFullError(name: string, detail: string): RefusedForAll {
  const next = `Remove what waits in ${name}, or let its queue be longer there, then try again.`;
  return new RefusedForAll('SERVICE_ERROR', { what: `The queue of ${name} is full.`, next }, { detail });
}

/** nzbdav says so with 401, AltMount with 200, SABnzbd with 403 in plain text, or without a word. */
export function isKeyRefusal(answer: HttpResponse): boolean {
  const text = answer.text();
  const body = parseJson(text);
  const refuses = isRecord(body) && body['status'] === false;
  if (answer.status === 401) return refuses;
  if (answer.status === 403) return refuses || text.trim() === '' || /^\W*api ?key/i.test(text);
  return answer.status === 200 && refuses && /api ?key/i.test(String(body['error']));
}

export function keyRefusedError(
  { name, keyLocation: keyPlace }: Pick<SabDialect, 'name' | 'keyLocation'>,
  detail: string,
): SlipstreamError {
  const explanation = { what: `${name} refused the API key.`, next: `Copy it from ${keyPlace}. ${ENTER_IT}` };
  return new SlipstreamError('AUTH_FAILED', explanation, { detail });
}

/** A login page before it, a guard against robots, or SABnzbd's check of its name (protocols.md §3.1). */
function gatewayError(name: string, answer: HttpResponse, detail: string): BlockedByGateway {
  const explanation = /hostname/i.test(answer.text())
    ? {
        what: 'SABnzbd refuses the host name in its address.',
        next: 'Enter its IP address, or add the name to host_whitelist in SABnzbd (Config, Special).',
      }
    : {
        what: `Something in front of ${name} refuses us (HTTP ${answer.status}).`,
        next: `Enter an address at which ${name} answers without a login page before it.`,
      };
  return new BlockedByGateway('AUTH_FAILED', explanation, { detail });
}

const unexpectedResponseError = ({ code, explanation }: SlipstreamError, detail: string) =>
  new UnexpectedResponse(code, explanation, { detail });
