import { SlipstreamError } from '../../errors/index.ts';
import type { Link, Release } from '../../model/index.ts';

/** Which indexers have said, while one film is being started, that they give no more downloads. */
export interface Limits {
  /** What the indexer of this link has said. */
  of(link: Link): SlipstreamError | undefined;
  /** Why nothing of a release can be had: the preferred link's limit, where none of its NZBs may be fetched any more. */
  ofAll(release: Pick<Release, 'links'>): SlipstreamError | undefined;
  /** A download has failed; what is no limit changes nothing. */
  note(link: Link, error: unknown): void;
}

export function openLimits(): Limits {
  const known = new Map<string, SlipstreamError>();
  const of = (link: Link) => known.get(keyOf(link));
  return {
    of,
    ofAll: ({ links }) => {
      const isSpent = links.every((link) => link.plays !== true && of(link) !== undefined);
      return isSpent ? of(links[0]) : undefined;
    },
    note: (link, error) => {
      if (error instanceof SlipstreamError && error.code === 'RATE_LIMITED') known.set(keyOf(link), error);
    },
  };
}

/** The indexers behind a manager have limits of their own. */
const keyOf = ({ source, indexer }: Link) => JSON.stringify([source, indexer]);
