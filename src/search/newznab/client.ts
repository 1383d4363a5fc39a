import { SlipstreamError } from '../../errors/index.ts';
import { badAnswer, fetchBounded, type HttpAnswer } from '../../io/http.ts';
import { parseXml, type XmlElement, XmlError } from '../../io/xml.ts';
import type { Endpoint } from './address.ts';
import { isNothingFound, isUnsupported, type Refusal, refusalError } from './faults.ts';

/** One indexer as the requests see it. */
export interface Client {
  /** "The indexer Example", as messages begin. */
  readonly who: string;
  readonly endpoint: Endpoint;
  readonly apiKey: string;
}

export interface Answer {
  readonly root: XmlElement;
  /** Where it came from; relative addresses in it start there. */
  readonly url: string;
}

/** A page of 100 items with all attributes has about 300 kB. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
}

/**
 * Sends one query and gives the answer's XML; 'unsupported' when the indexer does not know this kind of query,
 * 'nothing' when it says that there is no such item.
 *
 * @throws SlipstreamError for every other refusal, and for whatever is no XML with the expected root
 */
export async function call(
  client: Client,
  parameters: Readonly<Record<string, string>>,
  expectedRoot: string,
  { signal, timeout }: CallOptions,
): Promise<Answer | 'unsupported' | 'nothing'> {
  const { who, endpoint, apiKey } = client;
  const query = new URLSearchParams(parameters);
  if (apiKey !== '') query.set('apikey', apiKey);
  const answer = await fetchBounded({
    url: `${endpoint.url}?${query.toString()}`,
    who,
    signal,
    timeout,
    maxBytes: MAX_ANSWER_BYTES,
    headers: {
      accept: 'application/rss+xml, application/xml, text/xml',
      ...(endpoint.authorization !== undefined && { authorization: endpoint.authorization }),
    },
  });
  const root = readRoot(answer, who);
  const refusal = refusalIn(root, answer);
  if (refusal !== undefined) {
    if (isUnsupported(refusal)) return 'unsupported';
    if (isNothingFound(refusal)) return 'nothing';
    throw refusalError(refusal, who);
  }
  if (root instanceof XmlError) throw noXml(root, answer, who);
  if (root.name !== expectedRoot)
    throw badAnswer(who, `its document is <${root.name.slice(0, 40)}>, not <${expectedRoot}>`);
  return { root, url: answer.url };
}

function readRoot(answer: HttpAnswer, who: string): XmlElement | XmlError {
  try {
    return parseXml(answer.body, { bytes: MAX_ANSWER_BYTES });
  } catch (error) {
    if (error instanceof XmlError) return error;
    throw badAnswer(who, 'its XML cannot be read', error);
  }
}

/** An error document counts at any HTTP status; an HTTP error counts without one. */
function refusalIn(root: XmlElement | XmlError, { status, body }: HttpAnswer): Refusal | undefined {
  if (!(root instanceof XmlError) && root.name === 'error') {
    const code = Number(root.attributes.get('code'));
    const text = root.attributes.get('description') ?? root.text;
    return { code: Number.isInteger(code) ? code : 900, text, httpStatus: status };
  }
  if (status >= 200 && status < 300) return undefined;
  return { text: beginning(body), httpStatus: status };
}

/** A few words of plain text are a message ("Request limit reached"); anything else is simply no Newznab. */
function noXml(error: XmlError, { status, body }: HttpAnswer, who: string): SlipstreamError {
  const text = beginning(body).trim();
  const refusal = refusalError({ text, httpStatus: status }, who);
  if (text !== '' && !text.startsWith('<') && refusal.code === 'RATE_LIMITED') return refusal;
  if (error.kind === 'malformed') return badAnswer(who, error.message, error);
  return new SlipstreamError(
    'TOO_LARGE',
    {
      what: `${who} sent an answer that is larger than any list of releases.`,
      next: 'Check that the address belongs to the right service.',
    },
    { cause: error, detail: error.message },
  );
}

const beginning = (body: Uint8Array) => Buffer.from(body.subarray(0, 500)).toString('utf8');
