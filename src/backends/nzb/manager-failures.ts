import { SlipstreamError } from '../../errors/index.ts';
import { sanitizeExternalText } from '../../io/external-text.ts';
import type { HttpResponse } from '../../io/http-answer.ts';
import { type IndexerManager, indexerLabel, type Link } from '../../model/index.ts';
import type { NzbDocument } from './document.ts';
import { indexerDownError, limitError, noMoreText, nzbFailureOf } from './failures.ts';
import { isProxyStatus, ManagerUnavailable } from './manager-unavailable.ts';

interface ManagerAnswer {
  readonly manager: IndexerManager;
  readonly link: Link;
  /** As messages begin. */
  readonly indexer: string;
  readonly answer: HttpResponse;
  readonly document: NzbDocument;
  /** For the log. */
  readonly detail: string;
}

/** What a manager of indexers means by an answer of its own that is no NZB; undefined: what the indexer would mean by it. */
export function managerFailure(
  manager: IndexerManager,
  link: Link,
  answer: HttpResponse,
  document: NzbDocument,
): SlipstreamError | undefined {
  const detail = `HTTP ${answer.status}, ${document.kind}${document.kind === 'error' ? ` ${document.code}` : ''}`;
  const indexer = indexerLabel(link.indexer);
  return FAILURES_BY_MANAGER[manager.software]({ manager, link, indexer, answer, document, detail });
}

const FAILURES_BY_MANAGER = { Prowlarr: prowlarrFailure, NZBHydra2: hydraFailure };

/** protocols.md §7.4: it delivers nothing itself, so whatever is no redirect is its own, or that of a proxy before it. */
function prowlarrFailure({
  manager,
  link,
  indexer,
  answer,
  document,
  detail,
}: ManagerAnswer): SlipstreamError {
  const { who } = manager;
  const isJson = isTyped(answer, 'application/json');
  switch (answer.status) {
    case 401:
      return refusedKey(who, detail);
    case 404:
      return isJson
        ? outOfDate(`${indexer} is no longer set up in ${who}.`, detail)
        : behindProxy(manager, link, answer);
    case 410:
      return switchedOff(indexer, who, detail);
    case 429: {
      const words = document.kind === 'error' ? sanitizeExternalText(document.description) : '';
      const isRest = words.includes('due to recent failures');
      const what = isRest ? `${indexer} failed before, and ${who} lets it rest.` : noMoreText(indexer, words);
      return limitError(what, answer, detail);
    }
    case 503:
      return isJson ? starting(manager, link, detail) : behindProxy(manager, link, answer);
    case 502:
      return behindProxy(manager, link, answer);
    default:
      return nzbFailureOf(who, answer, document);
  }
}

/**
 * protocols.md §6.3: 429 stands for whatever failed at the indexer, a web page with 500 for a wrong key of its own or an
 * indexer's link that leads nowhere. What it passes on is typed as an NZB, also when it is an error document; its own
 * error documents are typed as what they are.
 */
function hydraFailure({
  manager,
  link,
  indexer,
  answer,
  document,
  detail,
}: ManagerAnswer): SlipstreamError | undefined {
  const { who } = manager;
  if (answer.status === 429) return indexerDownError(indexer, '', detail);
  if (isTyped(answer, 'application/x-nzb')) return undefined;
  if (isProxyStatus(answer)) return behindProxy(manager, link, answer);
  if (answer.status === 500 && document.kind === 'html') return refusedKeyOrLink(who, detail);
  if (document.kind !== 'error') return undefined;
  if (document.code === UNKNOWN_LINK) return outOfDate(`${who} no longer knows this release.`, detail);
  return document.code === WRONG_KEY ? refusedKey(who, detail) : undefined;
}

const WRONG_KEY = 100;
const UNKNOWN_LINK = 300;

const isTyped = ({ headers }: HttpResponse, type: string) =>
  headers['content-type']?.startsWith(type) === true;

const behindProxy = (manager: IndexerManager, { url }: Link, { status }: HttpResponse) =>
  new ManagerUnavailable(
    manager,
    url,
    {
      what: `${manager.who} cannot be reached (a reverse proxy answers in its place, HTTP ${status}).`,
      next: 'Check that it is running and that the reverse proxy leads to it, then try again.',
    },
    {},
  );

const starting = (manager: IndexerManager, { url }: Link, detail: string) =>
  new ManagerUnavailable(
    manager,
    url,
    { what: `${manager.who} is still starting.`, next: 'Wait a moment, then try again.' },
    { detail },
  );

const switchedOff = (indexer: string, who: string, detail: string) =>
  new SlipstreamError(
    'SERVICE_ERROR',
    {
      what: `${indexer} is switched off in ${who}.`,
      next: 'Switch it on there, or try another release.',
    },
    { detail },
  );

const refusedKey = (who: string, detail: string) =>
  new SlipstreamError(
    'AUTH_FAILED',
    {
      what: `${who} refused the API key.`,
      next: `Check the API key of ${who} in the settings of Slipstream (Connection).`,
    },
    { detail },
  );

/** The search has gone well with that key, as a rule, so that the link is as likely. */
const refusedKeyOrLink = (who: string, detail: string) =>
  new SlipstreamError(
    'SERVICE_ERROR',
    {
      what: `${who} could not deliver the NZB: it refused the API key, or the indexer's link is wrong.`,
      next: `Try another release. If each of them fails like this, check the API key of ${who} in the settings of Slipstream (Connection).`,
    },
    { detail },
  );

/** The post may be there all the same; what was searched leads nowhere. */
const outOfDate = (what: string, detail: string) =>
  new SlipstreamError(
    'NZB_INVALID',
    { what, next: 'Play it again, which searches anew, or try another release.' },
    { detail, stale: true },
  );
