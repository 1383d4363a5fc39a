import { SlipstreamError } from '../errors/index.ts';
import { fetchBounded, type HttpAnswer } from '../io/http.ts';
import type { Logger } from '../log/index.ts';
import { indexerInWords, type Link, type Release } from '../model/index.ts';
import type { Nzb } from './backend.ts';
import { gunzipped, MAX_NZB_BYTES, type NzbDocument, readNzbDocument } from './nzb-document.ts';
import { quoted, theirWords } from './their-words.ts';

interface Options {
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Milliseconds; an aggregator may first have to ask the indexer. */
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT = 60_000;

/**
 * Fetches the NZB of a release and makes sure that it is one: indexers answer with error documents, login pages and
 * empty bodies, mostly with status 200 (protocols.md §5.4). The same post's other links are tried when the preferred
 * one fails; its failure is what is told when all do. Links and redirect targets hold keys, so no message has them.
 *
 * @throws NZB_INVALID when this release cannot be had; RATE_LIMITED, AUTH_FAILED, SERVICE_ERROR when the indexer does not
 *   deliver now; UNREACHABLE, TIMEOUT, TOO_LARGE
 */
export async function fetchNzb(release: Release, options: Options): Promise<Nzb> {
  const [preferred, ...others] = release.links.filter(({ plays }) => plays !== true);
  if (preferred === undefined) throw invalid('There is no NZB of this release.', 'links that play only');
  try {
    return await fetchFrom(preferred, release, options);
  } catch (error) {
    options.signal.throwIfAborted();
    for (const link of others) {
      const nzb = await fetchFrom(link, release, options).catch(() => undefined);
      options.signal.throwIfAborted();
      if (nzb !== undefined) return nzb;
    }
    throw error;
  }
}

async function fetchFrom(link: Link, release: Release, { signal, log, timeout }: Options): Promise<Nzb> {
  const indexer = indexerInWords(link.indexer);
  const answer = await fetchBounded({
    url: link.url,
    who: indexer,
    signal,
    timeout: timeout ?? DEFAULT_TIMEOUT,
    maxBytes: MAX_NZB_BYTES,
  }).catch((error: unknown) => {
    throw withoutAddress(indexer, error);
  });
  const bytes = await gunzipped(answer.body).catch(() => undefined);
  signal.throwIfAborted();
  const document: NzbDocument =
    bytes === undefined ? { kind: 'broken', detail: 'a damaged gzip file' } : readNzbDocument(bytes);
  if (bytes === undefined || document.kind !== 'nzb' || answer.status >= 300)
    throw failureOf(indexer, answer, document);
  const { files, segments } = document;
  log.info(`NZB from ${link.indexer}: ${files} files, ${segments} segments, ${bytes.byteLength} bytes`);
  return { bytes, release, files, segments };
}

/** A link that is none, or leads to none: the technical reason would quote the address. */
function withoutAddress(indexer: string, error: unknown): unknown {
  if (!(error instanceof SlipstreamError)) return error;
  if (error.code !== 'INVALID_REQUEST' && error.code !== 'BAD_ANSWER') return error;
  return invalid(`${indexer} gave a link for this release that does not work.`, error.code);
}

/** The error document counts first, whatever the status; then the status; then what came. */
function failureOf(indexer: string, answer: HttpAnswer, document: NzbDocument): SlipstreamError {
  if (document.kind === 'error') return refusal(indexer, document.code, document.description, answer);
  const { status } = answer;
  const detail = `HTTP ${status}, ${document.kind}${'detail' in document ? `: ${document.detail}` : ''}`;
  // A web page with 403 comes from whatever stands in front of the indexer, and soon passes.
  const isBlocked = status === 403 && document.kind === 'html';
  if (status === 401 || (status === 403 && !isBlocked)) return wrongKey(indexer, detail);
  if (status === 429) return limited(indexer, '', answer, detail);
  if (status === 404 || status === 410) return invalid(`${indexer} no longer has this release.`, detail);
  if (status >= 500 || status === 408 || isBlocked) return outOfOrder(indexer, '', detail);
  if (document.kind === 'empty')
    return invalid(
      `${indexer} delivered an empty NZB.`,
      detail,
      'Your download limit there may be used up. Try another release.',
    );
  const what = document.kind === 'html' ? 'a web page instead of the NZB' : 'something that is no usable NZB';
  return invalid(`${indexer} delivered ${what}.`, detail);
}

const LIMIT_WORDS = /\blimit|\breached\b|\bexceed|\bquota\b|too many|\bthrottl/i;
const ACCOUNT_WORDS = /suspend|expired|disabled account|account.*disabled|banned/i;
const GONE = 300;
const LIMIT_CODES: ReadonlySet<number> = new Set([429, 500, 501]);

/** The codes of the Newznab protocol, and the words where dialects use the codes for something else (§5.4). */
function refusal(indexer: string, code: number, description: string, answer: HttpAnswer): SlipstreamError {
  const words = theirWords(description);
  const detail = `HTTP ${answer.status}, error ${code}: ${words}`;
  if (LIMIT_CODES.has(code) || LIMIT_WORDS.test(words)) return limited(indexer, words, answer, detail);
  if ((code >= 100 && code < 110) || ACCOUNT_WORDS.test(words)) return wrongKey(indexer, detail, words);
  if (code === GONE) return invalid(`${indexer} no longer has this release.`, detail);
  return outOfOrder(indexer, words, detail);
}

function invalid(what: string, detail: string, next = 'Try another release.'): SlipstreamError {
  return new SlipstreamError('NZB_INVALID', { what, next }, { detail });
}

function wrongKey(indexer: string, detail: string, words = ''): SlipstreamError {
  return new SlipstreamError(
    'AUTH_FAILED',
    {
      what: `${indexer} refused the download${quoted(words)}.`,
      next: 'Check the API key in the settings, and that your account there is active.',
    },
    { detail },
  );
}

function limited(indexer: string, words: string, answer: HttpAnswer, detail: string): SlipstreamError {
  const seconds = Number(answer.headers['retry-after']);
  const later = seconds > 0 && seconds < 86_400 * 7 ? ` in ${Math.ceil(seconds / 60)} minutes` : ' later';
  return new SlipstreamError(
    'RATE_LIMITED',
    {
      what: `${indexer} allows no more downloads for now${quoted(words)}.`,
      next: `Try again${later}, or a release of another indexer.`,
    },
    { detail, transient: true },
  );
}

function outOfOrder(indexer: string, words: string, detail: string): SlipstreamError {
  return new SlipstreamError(
    'SERVICE_ERROR',
    {
      what: `${indexer} could not deliver the NZB${quoted(words)}.`,
      next: 'Try again later, or another release.',
    },
    { detail, transient: true },
  );
}
