import * as v from 'valibot';
import { SlipstreamError } from '../../../errors/index.ts';
import { preferRedirectError } from '../../../io/cross-origin-redirect.ts';
import { badAnswer, fetchBounded } from '../../../io/http.ts';
import { type HttpResponse } from '../../../io/http-answer.ts';
import { parseJson } from '../../../io/json.ts';
import { retryAfterOf } from '../../../io/retry-after.ts';
import type { SourceAddress } from '../common/address.ts';
import type { SourceOptions } from '../common/options.ts';
import {
  htmlPageError,
  isHtml,
  managerLabels,
  refusalError,
  type ServiceLabels,
  type SourceRefusal,
} from '../common/refusal.ts';
import { addonAddress } from './address.ts';

/** A Stremio add-on, and what else answers in JSON at its host (protocols.md §8.2, §8.9, §8.11). */
export interface AddonClient {
  readonly service: ServiceLabels;
  readonly address: SourceAddress;
  /** Reads one resource. @throws SlipstreamError as SearchSource.ask */
  get<T>(asked: AddonRequest<T>, signal: AbortSignal): Promise<AddonResponse<T>>;
}

interface AddonRequest<T> {
  /** At the add-on's host. */
  readonly url: string;
  readonly schema: v.GenericSchema<unknown, T>;
  /** Beside the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface AddonResponse<T> {
  readonly value: T;
  /** Milliseconds that it asks to be left alone, although it has answered. */
  readonly retryAfter: number | undefined;
}

/** A thousand streams with all their descriptions have about 1 MB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** @throws INVALID_REQUEST when the address is no web address */
export function addonClient(options: SourceOptions): AddonClient {
  const { url, timeout } = options;
  const manager = managerLabels('Stremio add-on', options, 'in the address that the add-on shows');
  const service: ServiceLabels = { ...manager, ownPlace: 'the page of the add-on' };
  const address = addonAddress(url, service.who);
  return {
    service,
    address,
    get: async ({ url, schema, headers }, signal) => {
      const asked = { url, who: service.who, base: address.base };
      const answer = await fetchBounded({
        ...asked,
        signal,
        timeout,
        maxBytes: MAX_ANSWER_BYTES,
        headers: {
          accept: 'application/json',
          ...(address.login !== undefined && { authorization: address.login.authorization }),
          ...headers,
        },
      });
      if (answer.status < 200 || answer.status >= 300)
        throw preferRedirectError(refusalOf(answer, service), asked, answer);
      const text = answer.text();
      if (isHtml(text)) throw htmlPageError(service, 'markup');
      const parsed = v.safeParse(schema, parseJson(text));
      if (!parsed.success) throw badAnswer(service.who, `unexpected answer: ${parsed.issues[0].message}`);
      return { value: parsed.output, retryAfter: retryAfterOf(answer.headers) };
    },
  };
}

const words = v.fallback(v.optional(v.string()), undefined);
/** Where services put what went wrong: AIOStreams and AltMount as an object, StreamNZB as a text, others beside it. */
const ErrorBody = v.object({
  error: v.fallback(v.optional(v.union([v.string(), v.object({ code: words, message: words })])), undefined),
  message: words,
  detail: words,
  title: words,
});

/** AIOStreams' words for a user that it does not know, a part of the address that is damaged, or no login at all. */
const ADDRESS_ERRORS: ReadonlySet<string> = new Set([
  'USER_INVALID_DETAILS',
  'ENCRYPTION_ERROR',
  'UNAUTHORIZED',
]);

/** It has nothing at this address. */
export class NotFoundError extends SlipstreamError {}

/** A front end says that the service behind it does not run, as while it starts. */
class GatewayError extends SlipstreamError {}

/** Nothing answers, or only a front end does: it may be restarting. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof GatewayError ||
  (error instanceof SlipstreamError && error.code === 'UNREACHABLE' && error.transient);

const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** The key is part of the address: there is no other to be entered. */
function refusalOf(answer: HttpResponse, service: ServiceLabels): SlipstreamError {
  const { status, headers } = answer;
  const { code, text } = errorIn(answer.text().slice(0, 10_000));
  const refusal: SourceRefusal = { text, httpStatus: status, retryAfter: retryAfterOf(headers) };
  const error = refusalError(refusal, service);
  if (status === 404) return new NotFoundError(error.code, error.explanation, { detail: error.message });
  if (GATEWAY_STATUSES.has(status) && error.code === 'SERVICE_ERROR' && refusal.retryAfter === undefined)
    return new GatewayError(error.code, error.explanation, { detail: error.message, transient: true });
  if (error.code !== 'AUTH_FAILED' && !ADDRESS_ERRORS.has(code)) return error;
  const explanation = {
    what: `${service.who} refused the key that its address holds.`,
    next: `Copy the address of the add-on anew into ${service.setUpIn}; it may have expired.`,
  };
  return new SlipstreamError('AUTH_FAILED', explanation, { cause: error, detail: error.message });
}

/** The words in an error document, which is none for people; what is no JSON is text. */
function errorIn(body: string): { readonly code: string; readonly text: string } {
  const json = parseJson(body);
  if (json === undefined) return { code: '', text: /^\s*[{[]/.test(body) ? '' : body };
  const parsed = v.safeParse(ErrorBody, json);
  if (!parsed.success) return { code: '', text: '' };
  const { error, message, detail, title } = parsed.output;
  const said = typeof error === 'object' ? error : { code: undefined, message: error };
  return { code: said.code ?? '', text: said.message ?? message ?? detail ?? title ?? '' };
}
