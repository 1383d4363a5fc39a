import { SlipstreamError } from '../../../errors/index.ts';
import { findCrossOriginRedirect, preferRedirectError } from '../../../io/cross-origin-redirect.ts';
import { badAnswer, fetchBounded } from '../../../io/http.ts';
import { type HttpResponse } from '../../../io/http-answer.ts';
import { retryAfterOf } from '../../../io/retry-after.ts';
import { YIELD_INTERVAL_MS, type YieldToLoop, yieldEvery } from '../../../io/wait.ts';
import { parseLargeXml, type XmlElement, XmlError, type XmlTag } from '../../../io/xml.ts';
import type { SourceAddress } from '../common/address.ts';
import {
  htmlPageError,
  isHtml,
  isNothingFound,
  isUnsupported,
  refusalError,
  type ServiceLabels,
  type SourceRefusal,
} from '../common/refusal.ts';
import { type FeedDocument, readFeed } from './feed-document.ts';

/** One service that speaks Newznab, as the requests see it. */
export interface NewznabClient {
  readonly service: ServiceLabels;
  /** Who is connected to, where that is somebody else: "Prowlarr" for an indexer behind it. */
  readonly server?: string;
  readonly address: SourceAddress;
  readonly apiKey: string;
  /** Where its API is below the address. Default: "/api". */
  readonly path?: string;
  /** Sent with each search beside what is asked. */
  readonly fixedParameters?: Readonly<Record<string, string>>;
  /** The header that takes the key, so that it stands in no server's access log. Default: it goes as a parameter. */
  readonly keyHeader?: string;
  /** What a refusal means where that is known better than by Newznab's codes. */
  readonly interpretRefusal?: (refusal: SourceRefusal) => Error | undefined;
}

/** What came of a request that was no failure. */
export type CallResult<T> =
  /** `url`: the one that the document's relative addresses start from. */
  | { readonly kind: 'answer'; readonly document: T; readonly url: string }
  /** "No such item". */
  | { readonly kind: 'nothing' }
  /** It does not know this kind of query. */
  | { readonly kind: 'unsupported'; readonly refusal: SourceRefusal };

/** A page of 100 items with all attributes has about 300 kB. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

interface CallOptions {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
}

/** @throws SlipstreamError as SearchSource.ask */
export function callCaps(client: NewznabClient, options: CallOptions): Promise<CallResult<XmlElement>> {
  const read = async (body: Uint8Array, giveWay: YieldToLoop) => {
    const root = await parseLargeXml(body, { bytes: MAX_ANSWER_BYTES }, giveWay);
    return { document: root, root, text: root.text };
  };
  return call(client, { t: 'caps' }, { ...options, expectedRoot: 'caps', read });
}

/** @throws SlipstreamError as SearchSource.ask */
export function callSearch(
  client: NewznabClient,
  parameters: Readonly<Record<string, string>>,
  options: CallOptions,
): Promise<CallResult<FeedDocument>> {
  const read = async (body: Uint8Array, giveWay: YieldToLoop) => {
    const document = await readFeed(body, MAX_ANSWER_BYTES, giveWay);
    return { document, root: document.root, text: document.text };
  };
  return call(
    client,
    { ...parameters, ...client.fixedParameters },
    { ...options, expectedRoot: 'rss', read },
  );
}

interface ParsedBody<T> {
  readonly document: T;
  readonly root: XmlTag;
  readonly text: string;
}

interface CallReader<T> extends CallOptions {
  readonly expectedRoot: string;
  readonly read: (body: Uint8Array, giveWay: YieldToLoop) => Promise<ParsedBody<T>>;
}

async function call<T>(
  client: NewznabClient,
  parameters: Readonly<Record<string, string>>,
  { expectedRoot, read, ...options }: CallReader<T>,
): Promise<CallResult<T>> {
  const { service, server = service.who, address } = client;
  const asked = { url: urlOf(client, parameters), who: server, base: address.base };
  const answer = await sendRequest(client, asked, options);
  const found = await parseBody(answer, { read, signal: options.signal }, service);
  const refusal = refusalIn(found, answer);
  if (refusal !== undefined) {
    const moved = findCrossOriginRedirect(asked, answer);
    if (moved !== undefined && !keepsQuery(answer)) throw moved;
    const meaning = client.interpretRefusal?.(refusal);
    if (meaning instanceof SlipstreamError) throw preferRedirectError(meaning, asked, answer);
    if (meaning !== undefined) throw meaning;
    if (isUnsupported(refusal)) return { kind: 'unsupported', refusal };
    if (isNothingFound(refusal)) return { kind: 'nothing' };
    throw preferRedirectError(refusalError(refusal, service), asked, answer);
  }
  if (found instanceof XmlError)
    throw preferRedirectError(notXmlError(found, answer, service), asked, answer);
  const { root, document } = found;
  if (root.name.toLowerCase() === 'html') throw htmlPageError(service, 'HTML');
  if (root.name !== expectedRoot)
    throw badAnswer(service.who, `its document is <${root.name.slice(0, 40)}>, not <${expectedRoot}>`);
  return { kind: 'answer', document, url: answer.url };
}

function urlOf(
  { address, apiKey, path = '/api', keyHeader }: NewznabClient,
  parameters: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams(parameters);
  if (apiKey !== '' && keyHeader === undefined) query.set('apikey', apiKey);
  return `${address.base}${path}?${query.toString()}`;
}

/** A redirect may have lost what was asked for, and the key with it. */
const keepsQuery = ({ url }: HttpResponse): boolean => new URL(url).searchParams.has('t');

function sendRequest(
  { address, apiKey, keyHeader }: NewznabClient,
  asked: { readonly url: string; readonly who: string },
  { signal, timeout }: CallOptions,
): Promise<HttpResponse> {
  return fetchBounded({
    ...asked,
    signal,
    timeout,
    maxBytes: MAX_ANSWER_BYTES,
    headers: {
      accept: 'application/rss+xml, application/xml, text/xml',
      ...(keyHeader !== undefined && { [keyHeader]: apiKey }),
      ...(address.login !== undefined && { authorization: address.login.authorization }),
    },
  });
}

async function parseBody<T>(
  { body }: HttpResponse,
  { read, signal }: Pick<CallReader<T>, 'read' | 'signal'>,
  { who }: ServiceLabels,
): Promise<ParsedBody<T> | XmlError> {
  try {
    return await read(body, yieldEvery(YIELD_INTERVAL_MS, signal));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof XmlError) return error;
    throw badAnswer(who, 'its XML cannot be read', error);
  }
}

/** An error document counts at any HTTP status; an HTTP error counts without one. */
function refusalIn(found: ParsedBody<unknown> | XmlError, answer: HttpResponse): SourceRefusal | undefined {
  const { status, headers, body } = answer;
  const common = { httpStatus: status, retryAfter: retryAfterOf(headers) };
  if (!(found instanceof XmlError) && found.root.name === 'error') {
    const code = Number(found.root.attributes.get('code') ?? Number.NaN);
    const text = found.root.attributes.get('description') ?? found.text;
    return { ...common, code: Number.isInteger(code) ? code : UNKNOWN_ERROR, text };
  }
  return status >= 200 && status < 300 ? undefined : { ...common, text: firstBytes(body) };
}

const UNKNOWN_ERROR = 900;

/** A few words of plain text are a message ("Request limit reached"); anything else is simply no Newznab. */
function notXmlError(error: XmlError, answer: HttpResponse, service: ServiceLabels): SlipstreamError {
  const { status, headers, body } = answer;
  const text = firstBytes(body).trim();
  if (/^<(?:!doctype\s+)?html\b/i.test(text)) return htmlPageError(service, error.message);
  const refusal = refusalError({ text, httpStatus: status, retryAfter: retryAfterOf(headers) }, service);
  if (text !== '' && !isHtml(text) && refusal.code !== 'BAD_ANSWER') return refusal;
  if (error.kind === 'malformed') return badAnswer(service.who, error.message, error);
  return new SlipstreamError(
    'TOO_LARGE',
    {
      what: `${service.who} sent an answer that is larger than any list of releases.`,
      next: 'Check that the address belongs to the right service.',
    },
    { cause: error, detail: error.message },
  );
}

const firstBytes = (body: Uint8Array) => Buffer.from(body.subarray(0, 500)).toString('utf8');
