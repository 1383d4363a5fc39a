import { durationText, SlipstreamError } from '../../errors/index.ts';
import {
  quotedSuffix,
  sanitizeExternalText,
  saysAccountClosed,
  saysLimitReached,
} from '../../io/external-text.ts';
import type { HttpResponse } from '../../io/http-answer.ts';
import { retryAfterOf } from '../../io/retry-after.ts';
import type { NzbDocument } from './document.ts';
import type { Shortfall } from './shortfall.ts';

const TRY_ANOTHER = 'Try another release.';

/** A link that is none, or leads to none: the technical reason would quote the address. */
export function withoutAddress(indexer: string, error: unknown): unknown {
  if (!(error instanceof SlipstreamError)) return error;
  if (error.code !== 'INVALID_REQUEST' && error.code !== 'BAD_ANSWER') return error;
  return invalidNzbError(`${indexer} gave a link for this release that does not work.`, error.code);
}

/**
 * What an indexer's answer that is no NZB means. The error document counts first, whatever the status; then the status;
 * then what came.
 */
export function nzbFailureOf(indexer: string, answer: HttpResponse, document: NzbDocument): SlipstreamError {
  if (document.kind === 'error') return refusal(indexer, document.code, document.description, answer);
  const { status } = answer;
  const detail = `HTTP ${status}, ${document.kind}${'detail' in document ? `: ${document.detail}` : ''}`;
  // A web page with 403 comes from whatever stands in front of the indexer, and soon passes.
  const isBlocked = status === 403 && document.kind === 'html';
  if (status === 401 || (status === 403 && !isBlocked)) return wrongKey(indexer, detail);
  if (status === 429) return limitError(noMoreText(indexer, ''), answer, detail);
  if (status === 404 || status === 410)
    // A web page may be that of a gateway, whose service is restarting.
    return document.kind === 'html'
      ? invalidNzbError(`${indexer} no longer has this release.`, detail)
      : goneError(indexer, detail);
  if (status >= 500 || status === 408 || isBlocked) return indexerDownError(indexer, '', detail);
  if (document.kind === 'empty')
    return invalidNzbError(
      `${indexer} delivered an empty NZB.`,
      detail,
      'Your download limit there may be used up. Try another release.',
    );
  const what = document.kind === 'html' ? 'a web page instead of the NZB' : 'something that is no usable NZB';
  return invalidNzbError(`${indexer} delivered ${what}.`, detail);
}

const GONE_CODE = 300;
const LIMIT_CODES: ReadonlySet<number> = new Set([429, 500, 501]);

/** The codes of the Newznab protocol, and the words where dialects use them otherwise (protocols.md §5.4). */
function refusal(indexer: string, code: number, description: string, answer: HttpResponse): SlipstreamError {
  const words = sanitizeExternalText(description);
  const detail = `HTTP ${answer.status}, error ${code}: ${words}`;
  if (LIMIT_CODES.has(code) || saysLimitReached(words) || /\breached\b/i.test(words))
    return limitError(noMoreText(indexer, words), answer, detail);
  if ((code >= 100 && code < 110) || saysAccountClosed(words)) return wrongKey(indexer, detail, words);
  if (code === GONE_CODE) return goneError(indexer, detail);
  return indexerDownError(indexer, words, detail);
}

export function incompleteError(indexer: string, { what, lacking, of }: Shortfall): SlipstreamError {
  const pieces = what === 'volumes' ? 'files' : 'pieces';
  return new SlipstreamError(
    'NZB_INCOMPLETE',
    {
      what: `${indexer} delivered an NZB that lacks ${count(lacking)} of the ${count(of)} ${pieces} of the film.`,
      next: TRY_ANOTHER,
    },
    { detail: `${lacking} of ${of} ${what}`, broken: true },
  );
}

const count = (number: number) => number.toLocaleString('en');
const goneError = (indexer: string, detail: string) =>
  new SlipstreamError(
    'NZB_INVALID',
    { what: `${indexer} no longer has this release.`, next: TRY_ANOTHER },
    { detail, broken: true },
  );

export function invalidNzbError(what: string, detail: string, next = TRY_ANOTHER): SlipstreamError {
  return new SlipstreamError('NZB_INVALID', { what, next }, { detail });
}

function wrongKey(indexer: string, detail: string, words = ''): SlipstreamError {
  return new SlipstreamError(
    'AUTH_FAILED',
    {
      what: `${indexer} refused the download${quotedSuffix(words)}.`,
      next: 'Check the API key in the settings of Slipstream (Connection), and that your account there is active.',
    },
    { detail },
  );
}

export function limitError(what: string, answer: HttpResponse, detail: string): SlipstreamError {
  const rest = retryAfterOf(answer.headers);
  const later = rest === undefined ? ' later' : ` in ${durationText(rest)}`;
  return new SlipstreamError(
    'RATE_LIMITED',
    { what, next: `Try again${later}, or a release of another indexer.` },
    { detail, transient: true },
  );
}

export const noMoreText = (indexer: string, words: string) =>
  `${indexer} allows no more downloads for now${quotedSuffix(words)}.`;

export function indexerDownError(indexer: string, words: string, detail: string): SlipstreamError {
  return new SlipstreamError(
    'SERVICE_ERROR',
    {
      what: `${indexer} could not deliver the NZB${quotedSuffix(words)}.`,
      next: 'Try again later, or another release.',
    },
    { detail, transient: true },
  );
}
