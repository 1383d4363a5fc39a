import { SlipstreamError } from '../../errors/index.ts';
import type { HttpRequest } from '../../io/http.ts';
import type { HttpResponse } from '../../io/http-answer.ts';
import { isLocalName } from '../../io/local-network.ts';
import { indexerLabel, type Link } from '../../model/index.ts';
import type { NzbDocument } from './document.ts';
import { nzbFailureOf, withoutAddress } from './failures.ts';
import { managerFailure } from './manager-failures.ts';
import { ManagerUnavailable } from './manager-unavailable.ts';
import { OutOfReach } from './out-of-reach.ts';

/** Follows a link that may lead through a manager of indexers, to tell whose failure it is when there is no NZB. */
export interface FollowedLink {
  /** For the request to the link. */
  readonly request: Pick<HttpRequest, 'who' | 'onSent' | 'onCrossOriginRedirect'>;
  /** What failed when no answer has come. */
  unanswered(error: unknown): unknown;
  /** What the answer means, which is no NZB. */
  refused(answer: HttpResponse, document: NzbDocument): SlipstreamError;
}

export function followLink(link: Link): FollowedLink {
  const { manager } = link;
  const indexer = indexerLabel(link.indexer);
  let who = manager?.who ?? indexer;
  /** Where the manager has sent us on to. */
  let onwards: URL | undefined;
  let isConnected = false;
  return {
    request: {
      who,
      onSent: () => {
        isConnected = true;
      },
      onCrossOriginRedirect: (to) => {
        isConnected = false;
        if (isSamePlace(link.url, to)) return who;
        onwards = to;
        who = indexer;
        return who;
      },
    },
    unanswered: (error) => {
      if (!(error instanceof SlipstreamError)) return error;
      const isLost = error.code === 'UNREACHABLE' && error.transient;
      const wasNotReached = !isConnected && (isLost || error.code === 'TIMEOUT');
      if (manager !== undefined && onwards === undefined && (isLost || wasNotReached))
        return new ManagerUnavailable(manager, link.url, error.explanation, {
          cause: error,
          detail: error.code,
        });
      if (manager !== undefined && onwards !== undefined && wasNotReached && isLocalName(onwards.hostname))
        return new OutOfReach(manager, link, onwards.host, { cause: error });
      const { hostname, host } = new URL(link.url);
      if (link.givenBy !== undefined && onwards === undefined && wasNotReached && isLocalName(hostname))
        return outOfReachFrom(link.givenBy, host, error);
      return withoutAddress(who, error);
    },
    refused: (answer, document) => {
      const isOwn = manager !== undefined && isSamePlace(link.url, new URL(answer.url));
      const said = isOwn ? managerFailure(manager, link, answer, document) : undefined;
      return said ?? nzbFailureOf(indexer, answer, document);
    },
  };
}

/**
 * Whether a redirect leads to what was asked, by https or below another base. An indexer on the manager's own host
 * is asked for something else.
 */
function isSamePlace(link: string, to: URL): boolean {
  const { hostname, pathname, search } = new URL(link);
  return to.hostname === hostname && to.pathname.endsWith(pathname) && to.search === search;
}

/** It hands out the addresses by which it knows its indexers itself: a container's name, "localhost". */
const outOfReachFrom = (service: string, host: string, cause: SlipstreamError) =>
  new SlipstreamError(
    'UNREACHABLE',
    {
      what: `${service} has the NZB at ${host}, which this device cannot reach.`,
      next: `Enter the indexer's address in ${service} so that other devices reach it, or try another release.`,
    },
    { cause, detail: cause.message, transient: true },
  );
