import { SlipstreamError } from '../../errors/index.ts';
import type { HttpAnswer } from '../../io/http.ts';
import { type IndexerManager, indexerInWords, type Link } from '../../model/index.ts';
import { theirWords } from '../their-words.ts';
import type { NzbDocument } from './document.ts';
import { failureOf, limited, noMore, outOfOrder } from './failures.ts';
import { ManagerAway } from './manager-away.ts';

interface Answered {
  readonly manager: IndexerManager;
  readonly link: Link;
  /** As messages begin. */
  readonly indexer: string;
  readonly answer: HttpAnswer;
  readonly document: NzbDocument;
  /** For the log. */
  readonly detail: string;
}

/** What a manager of indexers means by an answer of its own that is no NZB; undefined: what the indexer would mean by it. */
export function managersOwn(
  manager: IndexerManager,
  link: Link,
  answer: HttpAnswer,
  document: NzbDocument,
): SlipstreamError | undefined {
  const detail = `HTTP ${answer.status}, ${document.kind}${document.kind === 'error' ? ` ${document.code}` : ''}`;
  const indexer = indexerInWords(link.indexer);
  return OWN[manager.software]({ manager, link, indexer, answer, document, detail });
}

const OWN = { Prowlarr: prowlarrsOwn, NZBHydra2: hydrasOwn };

/** protocols.md §7.4: it delivers nothing itself, so whatever is no redirect is its own. */
function prowlarrsOwn({ manager, link, indexer, answer, document, detail }: Answered): SlipstreamError {
  const { who } = manager;
  switch (answer.status) {
    case 401:
      return refusedKey(who, detail);
    case 404:
      return outOfDate(`${indexer} is no longer set up in ${who}.`, detail);
    case 410:
      return switchedOff(indexer, who, detail);
    case 429: {
      const words = document.kind === 'error' ? theirWords(document.description) : '';
      const isRest = words.includes('due to recent failures');
      const what = isRest ? `${indexer} failed before, and ${who} lets it rest.` : noMore(indexer, words);
      return limited(what, answer, detail);
    }
    case 503:
      return starting(manager, link, detail);
    default:
      return failureOf(who, answer, document);
  }
}

/**
 * protocols.md §6.3: 429 stands for whatever failed at the indexer, a web page with 500 for a wrong key of its own. What it
 * passes on is typed as an NZB, also when it is an error document; its own error documents are typed as what they are.
 */
function hydrasOwn({
  manager: { who },
  indexer,
  answer,
  document,
  detail,
}: Answered): SlipstreamError | undefined {
  if (answer.status === 429) return outOfOrder(indexer, '', detail);
  if (answer.status === 500 && document.kind === 'html') return refusedKey(who, detail);
  const isPassedOn = answer.headers['content-type']?.startsWith('application/x-nzb') === true;
  if (document.kind !== 'error' || isPassedOn) return undefined;
  if (document.code === FORGOTTEN) return outOfDate(`${who} no longer knows this release.`, detail);
  return document.code === WRONG_KEY ? refusedKey(who, detail) : undefined;
}

const WRONG_KEY = 100;
const FORGOTTEN = 300;

const starting = (manager: IndexerManager, { url }: Link, detail: string) =>
  new ManagerAway(
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
    { what: `${who} refused the API key.`, next: `Check the API key of ${who} in the settings.` },
    { detail },
  );

/** The post may be there all the same; what was searched leads nowhere. */
const outOfDate = (what: string, detail: string) =>
  new SlipstreamError(
    'NZB_INVALID',
    { what, next: 'Play it again, which searches anew, or try another release.' },
    { detail, stale: true },
  );
