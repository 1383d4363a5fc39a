import * as v from 'valibot';
import { preferRedirectError } from '../../../io/cross-origin-redirect.ts';
import { badAnswer, fetchBounded } from '../../../io/http.ts';
import { type HttpResponse } from '../../../io/http-answer.ts';
import { parseJson } from '../../../io/json.ts';
import { retryAfterOf } from '../../../io/retry-after.ts';
import { apiKeyOf, parseAddress, type SourceAddress } from '../common/address.ts';
import type { SourceOptions } from '../common/options.ts';
import {
  htmlPageError,
  isHtml,
  managerLabels,
  refusalError,
  type ServiceLabels,
  type SourceRefusal,
} from '../common/refusal.ts';

/** Prowlarr's own API, as far as a search needs it (protocols.md §7). */
export interface ProwlarrClient {
  readonly service: ServiceLabels;
  readonly address: SourceAddress;
  readonly apiKey: string;
  /** Reads one resource. @throws SlipstreamError as SearchSource.ask */
  get<T>(resource: Resource<T>, options: CallOptions): Promise<T>;
}

export interface Resource<T> {
  /** Under /api/v1. */
  readonly path: string;
  readonly schema: v.GenericSchema<unknown, T>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
}

/** The list of a hundred indexers with all their fields and categories has about 2 MB. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** The base, an address of its API, or that of one indexer's feed behind it. */
const API_PATH = /(?:\/\d+)?\/api(?:\/v1(?:\/.*)?)?$/;

/** @throws INVALID_REQUEST when the address is no web address */
export function prowlarrClient(options: SourceOptions): ProwlarrClient {
  const { url, apiKey } = options;
  const service = managerLabels('Prowlarr', options, 'in Prowlarr under Settings, General, Security');
  const address = parseAddress(url, service.who, API_PATH);
  const key = apiKeyOf(apiKey, address);
  return {
    service,
    address,
    apiKey: key,
    get: async ({ path, schema }, { signal, timeout }) => {
      const { base } = address;
      const asked = { url: `${base}/api/v1${path}`, who: service.who, base };
      const answer = await fetchBounded({
        ...asked,
        signal,
        timeout,
        maxBytes: MAX_ANSWER_BYTES,
        headers: {
          accept: 'application/json',
          // As a header, so that the key is in no address and in no server's access log.
          'x-api-key': key,
          ...(address.login !== undefined && { authorization: address.login.authorization }),
        },
      });
      const refusal = refusalIn(answer);
      if (refusal !== undefined) throw preferRedirectError(refusalError(refusal, service), asked, answer);
      return parseAnswer(answer, schema, service);
    },
  };
}

/** `{message, description}`, a list of what is wrong with single parameters, or what it says while it starts. */
const ErrorBody = v.union([
  v.pipe(
    v.object({ message: v.string() }),
    v.transform(({ message }) => message),
  ),
  v.pipe(
    v.object({ errorMessage: v.string() }),
    v.transform(({ errorMessage }) => errorMessage),
  ),
  v.pipe(
    v.array(v.object({ errorMessage: v.string() })),
    v.transform((all) => all.map(({ errorMessage }) => errorMessage).join('; ')),
  ),
  v.pipe(
    v.object({ title: v.string(), errors: v.record(v.string(), v.array(v.string())) }),
    v.transform(({ errors }) => Object.values(errors).flat().join('; ')),
  ),
]);

/** Of its errors only the message is for people; the description beside it is 3 kB of stack trace. */
function refusalIn({ status, headers, body }: HttpResponse): SourceRefusal | undefined {
  if (status >= 200 && status < 300) return undefined;
  const whole = Buffer.from(body).toString('utf8');
  const said = v.safeParse(ErrorBody, parseJson(whole));
  const text = said.success ? said.output : whole.slice(0, 2000);
  return { text, httpStatus: status, retryAfter: retryAfterOf(headers) };
}

function parseAnswer<T>(
  answer: HttpResponse,
  schema: v.GenericSchema<unknown, T>,
  service: ServiceLabels,
): T {
  const text = answer.text();
  if (isHtml(text)) throw htmlPageError(service, 'markup');
  const body = parseJson(text);
  if (body === undefined) throw badAnswer(service.who, 'not JSON');
  const parsed = v.safeParse(schema, body);
  if (!parsed.success) throw badAnswer(service.who, `unexpected answer: ${parsed.issues[0].message}`);
  return parsed.output;
}
