import type { Incoming } from '../../http/types.ts';
import type { IndexerFaults } from '../faults.ts';
import { Cooldowns } from './cooldowns.ts';
import { Hosts } from './hosts.ts';
import type { ProwlarrIndexer } from './indexer.ts';
import { RequestLimits } from './limits.ts';
import { PROWLARR_TIMES, type ProwlarrTimes } from './times.ts';

/** Who sees its pages: everybody who is logged in, all (who log in at a proxy), all, or all in the local network. */
export type Authentication = 'forms' | 'external' | 'none' | 'disabled-for-local-addresses';

/** What a test chooses of a Prowlarr. */
export interface ProwlarrSettings {
  readonly authentication?: Authentication;
  readonly times?: Partial<ProwlarrTimes>;
  /** Milliseconds since the epoch; rests and limits go by it. */
  readonly now?: () => number;
}

export interface ProwlarrOptions extends ProwlarrSettings {
  readonly apiKey: string;
  readonly faults: IndexerFaults;
  /** Changed by a test at any time. */
  readonly indexers: readonly ProwlarrIndexer[];
  /** "/prowlarr" where it is set up so. */
  readonly urlBase: string;
  /** The sandbox's own address. */
  readonly url: () => string;
  /** The address that it believes to be called by; absent: the one that a request names. */
  readonly linkBase: string | undefined;
  /** Aborted when the sandbox is closed. */
  readonly closed: AbortSignal;
}

/** A Prowlarr that runs: what all of its answers go by. */
export interface Prowlarr extends ProwlarrOptions {
  readonly authentication: Authentication;
  readonly times: ProwlarrTimes;
  readonly now: () => number;
  readonly cooldowns: Cooldowns;
  readonly limits: RequestLimits;
  readonly hosts: Hosts;
}

export function createProwlarr(options: ProwlarrOptions): Prowlarr {
  const { authentication = 'forms', now = Date.now } = options;
  const times = { ...PROWLARR_TIMES, ...options.times };
  return {
    ...options,
    authentication,
    times,
    now,
    cooldowns: new Cooldowns(times, now),
    limits: new RequestLimits(now),
    hosts: new Hosts(times.betweenQueries),
  };
}

/** Scheme and host by which a request has called it, or a proxy on its behalf (protocols.md §7.4). */
export function calledOrigin({ headers }: Pick<Incoming, 'headers'>, { linkBase }: Prowlarr): string {
  if (linkBase !== undefined) return linkBase;
  const host = headers['x-forwarded-host'] ?? headers['host'] ?? '';
  return `${headers['x-forwarded-proto'] ?? 'http'}://${host}`;
}

/** Milliseconds since the epoch as Prowlarr writes them: without fractions of a second. */
export const dateText = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
