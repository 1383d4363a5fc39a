import type { Backend } from '../backends/backend.ts';
import type { Ledger } from '../backends/ledger.ts';
import type { OutOfReach } from '../backends/nzb/out-of-reach.ts';
import type { SourceLimits } from '../backends/nzb/source-limits.ts';
import type { SlipstreamError } from '../errors/index.ts';
import type { ProgressDisplay, Properties } from '../host/port.ts';
import type { BrokenReleases } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import type { Playable, Release } from '../model/index.ts';
import type { RelistOf } from '../play-address/open-or-relist.ts';
import type { StreamOrigin } from './pending-stream.ts';
import type { ReplacementPlan } from './replacement-plan.ts';

/** What resolving works with. */
export interface ResolveContext {
  readonly backend: Backend;
  readonly ledger: Ledger;
  readonly properties: Properties;
  readonly progress: Pick<ProgressDisplay, 'update' | 'printLine'>;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Milliseconds that the backend may take to get the release ready. */
  readonly timeout: number;
  /** How links that play by themselves are played; absent: through the proxy. */
  readonly directVia?: Playable['via'];
  /** Asks the list that a link came from where its stream is now; absent: it is not asked, unless the service does. */
  readonly relist?: RelistOf;
  /** Other posts of a release, for a backend that lets them wait as backups. */
  readonly reposts?: (release: Release) => readonly Release[];
  /** Throws what each download would fail with, as far as it is known by now: nothing is fetched for it. */
  readonly preflight?: () => Promise<void>;
  /** Sources that deliver no more NZBs; who says so is added. Absent: all are asked. */
  readonly limits?: SourceLimits;
  /**
   * Asks the person whether the backend may fetch an NZB itself that this device cannot reach: a key goes along, and nobody
   * checks what comes. Absent: it may not.
   */
  readonly mayBackendFetch?: ((away: OutOfReach) => Promise<boolean>) | undefined;
  /** Hears of everything that was of no use, a release or a job that was there before, and why. */
  readonly failed?: (what: Suspect, failure: SlipstreamError) => Promise<void>;
  /** What the service may do when the stream is lost; asked for once it is about to be opened. */
  readonly plan?: (playing?: StreamOrigin) => ReplacementPlan;
}

type Suspect = Parameters<BrokenReleases['recordFailure']>[0];
