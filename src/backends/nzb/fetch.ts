import { SlipstreamError } from '../../errors/index.ts';
import { fetchBounded, type HttpAnswer } from '../../io/http.ts';
import { giveWayEvery } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import { indexerInWords, type Link, type MediaRequest, type Release } from '../../model/index.ts';
import type { Nzb } from '../backend.ts';
import { quoted, theirWords } from '../their-words.ts';
import { contentReader } from './content.ts';
import { gunzipped, MAX_NZB_BYTES, type NzbDocument, readNzbDocument } from './document.ts';
import type { Shortfall } from './shortfall.ts';
import { streamableNzb } from './streamable.ts';

interface Options {
  /** What the NZB is for, where the backend streams it: it is then checked and put in order. Absent: it stays as it came. */
  readonly toStream?: MediaRequest | undefined;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Milliseconds; an aggregator may first have to ask the indexer. */
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT = 60_000;
/** Milliseconds of work after which everything else has its turn: a cancel, the progress on the screen. */
const TURN_MS = 20;

/**
 * Fetches the NZB of a release and makes sure that it is one: indexers answer with error documents, login pages and
 * empty bodies, mostly with status 200 (protocols.md §5.4). The same post's other links are tried when the preferred
 * one fails; its failure is what is told when all do. Links and redirect targets hold keys, so no message has them.
 *
 * @throws NZB_INCOMPLETE when it lacks what `toStream` needs; NZB_INVALID when this release cannot be had, broken when none
 *   of its links has it any more; RATE_LIMITED, AUTH_FAILED, SERVICE_ERROR when the indexer does not
 *   deliver now; UNREACHABLE, TIMEOUT, TOO_LARGE
 */
export async function fetchNzb(release: Release, options: Options): Promise<Nzb> {
  const [preferred, ...others] = release.links.filter(({ plays }) => plays !== true);
  if (preferred === undefined) throw invalid('There is no NZB of this release.', 'links that play only');
  try {
    return await fetchFrom(preferred, release, options);
  } catch (error) {
    options.signal.throwIfAborted();
    let failed = [error];
    for (const link of others) {
      const nzb = await fetchFrom(link, release, options).catch((failure: unknown) => {
        failed = [...failed, failure];
        return undefined;
      });
      options.signal.throwIfAborted();
      if (nzb !== undefined) return nzb;
    }
    throw failed.every(isBroken) ? error : notProven(error);
  }
}

const isBroken = (error: unknown) => error instanceof SlipstreamError && error.broken;

/** What one indexer no longer has, another one may deliver later. */
function notProven(error: unknown): unknown {
  if (!(error instanceof SlipstreamError) || !error.broken) return error;
  return new SlipstreamError(error.code, error.explanation, { cause: error, detail: error.message });
}

async function fetchFrom(link: Link, release: Release, options: Options): Promise<Nzb> {
  const { toStream, signal, log, timeout } = options;
  const indexer = indexerInWords(link.indexer);
  const giveWay = giveWayEvery(TURN_MS, signal);
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
  const reader = toStream === undefined ? undefined : contentReader();
  const document: NzbDocument =
    bytes === undefined
      ? { kind: 'broken', detail: 'a damaged gzip file' }
      : await readNzbDocument(bytes, giveWay, reader?.handlers);
  if (bytes === undefined || document.kind !== 'nzb' || answer.status >= 300)
    throw failureOf(indexer, answer, document);
  const { files, segments } = document;
  log.info(`NZB from ${link.indexer}: ${files} files, ${segments} segments, ${bytes.byteLength} bytes`);
  if (toStream === undefined || reader === undefined) return { bytes, release, files, segments };
  const nzb = await streamableNzb(reader.content, { request: toStream, release }, giveWay);
  if ('lacking' in nzb) throw incomplete(indexer, nzb);
  return nzb;
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
  if (status === 404 || status === 410)
    // A web page may be that of a gateway, whose service is restarting.
    return document.kind === 'html'
      ? invalid(`${indexer} no longer has this release.`, detail)
      : gone(indexer, detail);
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
  if (code === GONE) return gone(indexer, detail);
  return outOfOrder(indexer, words, detail);
}

function incomplete(indexer: string, { what, lacking, of }: Shortfall): SlipstreamError {
  const pieces = what === 'volumes' ? 'files' : 'pieces';
  return new SlipstreamError(
    'NZB_INCOMPLETE',
    {
      what: `${indexer} delivered an NZB that lacks ${count(lacking)} of the ${count(of)} ${pieces} of the film.`,
      next: 'Try another release.',
    },
    { detail: `${lacking} of ${of} ${what}`, broken: true },
  );
}

const count = (number: number) => number.toLocaleString('en');
const gone = (indexer: string, detail: string) =>
  new SlipstreamError(
    'NZB_INVALID',
    { what: `${indexer} no longer has this release.`, next: 'Try another release.' },
    { detail, broken: true },
  );

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
