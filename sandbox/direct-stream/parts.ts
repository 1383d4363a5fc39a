import type { CatalogueRelease } from '../catalogue.ts';
import type { Faults } from '../faults.ts';
import type { JobStore } from '../nzbdav/jobs.ts';

/** What can go wrong beside the faults of the wire and of jobs. */
export interface DirectStreamFaults extends Faults {
  /** The feature is switched off, or the version is too old for it. */
  absent?: boolean | undefined;
  /** The account is refused with this text. */
  account?: string | undefined;
  /** So many orders, or openings of a stream, are answered 503 with Retry-After first. */
  busy?: { times: number; readonly retryAfter: string } | undefined;
  /** The address that is given out for streams has a host that nobody else knows. */
  foreignHost?: boolean | undefined;
  /** So many openings of StreamNZB end at its limit for a start. */
  lateStarts?: number | undefined;
  /** What a stream turns out to be. */
  stream?: 'notice' | 'stub' | 'page' | 'redirects' | undefined;
}

export interface DirectStreamParts {
  readonly apiKey: string;
  readonly faults: DirectStreamFaults;
  readonly jobs: JobStore;
  /** What was posted. */
  readonly posts: readonly CatalogueRelease[];
  /** Milliseconds that a job of AltMount's can be played for before it is called completed. */
  readonly settles: number;
  /** What AltMount's add-on has fetched at the indexer, by its name, each time anew. */
  readonly grabs: string[];
  /** Its own address. */
  readonly url: () => string;
  /** Aborts when the sandbox is closed: what blocks ends. */
  readonly closed: AbortSignal;
}
