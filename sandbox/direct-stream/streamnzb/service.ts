import type { DirectPost } from '../post.ts';
import type { AddonParts } from '../streaming-addon.ts';
import type { Attempts } from './attempts.ts';
import { SegmentCache } from './segment-cache.ts';
import type { ConfiguredStream, Session } from './session.ts';

/** What is set, and what goes wrong; changed by a test at any time. */
export interface StreamNzbSettings {
  readonly streams: ConfiguredStream[];
  readonly adminToken: string;
  /** Its own address as it believes to be called by; undefined: the true one. */
  baseUrl?: string | undefined;
  /** Milliseconds for the NZB's fetch and the first bytes: its "Playback startup timeout". */
  startupTimeout: number;
  /** Bytes of zeros with which a body ends whose provider goes away; 163,840 to 327,680 were seen. */
  zeros: number;
  /** Bytes of articles that it keeps in memory. How many the real one keeps is not known: it takes about 200 MB in all. */
  cache: number;
  /** The usenet provider. One that cannot be had when the service starts is never used until it starts again. */
  provider: 'there' | 'away' | 'refuses-login';
  /** Where titles come from, and where releases do: without either each list is empty. */
  tmdb: 'there' | 'away';
  indexer: 'there' | 'away';
  /** What the indexer is called, its address and its key, which stand in the addresses of NZBs. */
  indexerAt: { readonly name: string; readonly url: string; readonly apiKey: string };
}

/** All that a running StreamNZB knows. */
export interface StreamNzb extends AddonParts {
  readonly settings: StreamNzbSettings;
  readonly attempts: Attempts;
  /** Every opening of a release, by the method that it was asked with. */
  readonly openings: Opening[];
  /** Forgotten when it ends. */
  readonly memory: ServiceState;
}

export interface Opening {
  readonly method: string;
  readonly id: string;
  readonly release: string;
}

export interface ServiceState {
  readonly sessions: Map<string, Session>;
  /** What a search found, by type and id, and when. */
  readonly searches: Map<string, { readonly at: number; readonly found: readonly DirectPost[] }>;
  /** What films were read of, by release, video and article. */
  readonly cache: SegmentCache;
  /** Whether its provider could be had when it started. */
  readonly hasProvider: boolean;
}

export const newServiceState = ({ provider }: StreamNzbSettings): ServiceState => ({
  sessions: new Map(),
  searches: new Map(),
  cache: new SegmentCache(),
  hasProvider: provider === 'there',
});
