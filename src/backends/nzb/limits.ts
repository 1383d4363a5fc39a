import { SlipstreamError } from '../../errors/index.ts';
import type { Link, Release } from '../../model/index.ts';

/**
 * Who has said, while one film is being started, that they give nothing more: indexers whose downloads are used up, and
 * add-ons, of their account too.
 */
export interface Limits {
  /** What the indexer of this link, or the add-on, has said. */
  of(link: Link): SlipstreamError | undefined;
  /** Why nothing of a release can be had: the preferred link's limit, where none of its links leads anywhere any more. */
  ofAll(release: Pick<Release, 'links'>): SlipstreamError | undefined;
  /** A download, or a play, has failed; what is no limit changes nothing. */
  note(link: Link, error: unknown): void;
}

export function openLimits(): Limits {
  const known = new Map<string, SlipstreamError>();
  const of = (link: Link) => known.get(keyOf(link));
  return {
    of,
    ofAll: ({ links }) => {
      const isSpent = links.every((link) => of(link) !== undefined);
      return isSpent ? of(links[0]) : undefined;
    },
    note: (link, error) => {
      if (!(error instanceof SlipstreamError)) return;
      const isAccounts = link.plays === true && error.code === 'AUTH_FAILED';
      if (isAccounts || error.code === 'RATE_LIMITED') known.set(keyOf(link), error);
    },
  };
}

/** The indexers behind a manager have limits of their own. */
const keyOf = ({ source, indexer, plays }: Link) => JSON.stringify([source, indexer, plays]);
