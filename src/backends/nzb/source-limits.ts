import { SlipstreamError } from '../../errors/index.ts';
import type { Link, Release } from '../../model/index.ts';

/**
 * Who gives nothing more while one film is being started: indexers whose downloads are used up, and add-ons, of their
 * account too, by their own word; services that have proven to fail with all that they stream.
 */
export interface SourceLimits {
  /** What the indexer of this link, or the add-on, has said, or the service failed of. */
  limitOf(link: Link): SlipstreamError | undefined;
  /** Why nothing of a release can be had: the preferred link's limit, where none of its links leads anywhere any more. */
  limitOfAll(release: Pick<Release, 'links'>): SlipstreamError | undefined;
  /** A download, or a play, has failed; what is no limit changes nothing. */
  record(link: Link, error: unknown): void;
}

/**
 * Releases that a service breaks off until it is taken to break off all: one may be at fault itself, or be another
 * service's that an add-on proxies. StreamNZB is known to do it where its provider is away (protocols.md §8.11).
 */
const FAILURES_FOR_LIMIT = 2;

export function openSourceLimits(): SourceLimits {
  const known = new Map<string, SlipstreamError>();
  /** Addresses that were broken off, of each service. */
  const brokenOff = new Map<string, Set<string>>();
  const failsAll = (link: Link) => {
    const service = serviceOf(link);
    const urls = (brokenOff.get(service) ?? new Set()).add(link.url);
    brokenOff.set(service, urls);
    return link.service === 'streamnzb' || urls.size >= FAILURES_FOR_LIMIT;
  };
  const of = (link: Link) => known.get(accountOf(link)) ?? known.get(serviceOf(link));
  return {
    limitOf: of,
    limitOfAll: ({ links }) => {
      const isSpent = links.every((link) => of(link) !== undefined);
      return isSpent ? of(links[0]) : undefined;
    },
    record: (link, error) => {
      if (!(error instanceof SlipstreamError)) return;
      const isAccounts = link.plays === true && error.code === 'AUTH_FAILED';
      if (isAccounts || error.code === 'RATE_LIMITED') known.set(accountOf(link), error);
      else if (error.failsAll && failsAll(link)) known.set(serviceOf(link), error);
    },
  };
}

/** The indexers behind a manager have limits of their own. */
const accountOf = ({ source, indexer, plays }: Link) => JSON.stringify([source, indexer, plays]);

/** What plays a link: the list of an add-on may name several services, each at its own origin. */
const serviceOf = ({ source, indexer, url, plays }: Link) =>
  JSON.stringify([source, indexer, URL.canParse(url) ? new URL(url).origin : '', plays]);
