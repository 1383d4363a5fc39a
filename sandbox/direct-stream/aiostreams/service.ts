import type { DirectPost, Wanted } from '../post.ts';
import type { AddonParts } from '../streaming-addon.ts';

/** What is set, and what goes wrong; changed by a test at any time. */
export interface AioStreamsSettings {
  /** The one person that it knows: the two parts of the manifest's address are a login. */
  readonly user: { readonly uuid: string; readonly password: string; readonly name: string };
  /** The origin that it believes to be called by, with which every address begins; undefined: the true one. */
  baseUrl?: string | undefined;
  indexerAt: { readonly name: string; readonly url: string; readonly apiKey: string };
  /** What other indexers answer, as error rows behind the good ones. */
  errors: readonly { readonly title: string; readonly description: string }[];
  /** Whether titles can be looked up. */
  metadata: 'there' | 'away';
  /** Rows of statistics on top, and a row for a browser's download behind each release. */
  statistics: boolean;
  downloads: boolean;
  formatter: 'gdrive' | 'torrentio';
  /** A release that cannot be opened is replaced by the next one of its list. */
  failover: boolean;
  limits: 'on' | 'off';
  /** The usenet provider. */
  provider: 'there' | 'away';
  /** Milliseconds without an answer until a GET is closed whose provider has just gone away. */
  silence: number;
  /** Milliseconds for which it waits for an NZB. */
  patience: number;
  /** The clip in which every play ends, such as "401" or "downloading". */
  clip?: string | undefined;
}

/** What it keeps of a release that was opened. */
export interface LibraryEntry {
  readonly status: 'available' | 'failed';
  /** Articles that lie on its disk. */
  readonly cached: Set<number>;
}

export interface AioStreams extends AddonParts {
  readonly settings: AioStreamsSettings;
  /** In its database, by the posts' guids: survives a restart. */
  readonly library: Map<string, LibraryEntry>;
  /** What was asked for, by the id that stands in play addresses. Survives as well. */
  readonly wanted: Map<string, Wanted>;
  /** Forgotten when it ends. */
  readonly memory: ServiceState;
}

export interface ServiceState {
  /** How often a release broke off while it was played, by guid. */
  readonly broken: Map<string, number>;
  /** Lists for failover, by their keys. */
  readonly lists: Map<string, readonly DirectPost[]>;
  /** The provider did not answer: nothing is asked of it for a while. */
  isTripped: boolean;
  /** Requests by kind: since when they are counted, and how many there were. */
  readonly counted: Map<string, { readonly since: number; count: number }>;
}

export const newServiceState = (): ServiceState => ({
  broken: new Map(),
  lists: new Map(),
  counted: new Map(),
  isTripped: false,
});

/** The origin of its addresses. */
export const base = ({ settings, url }: AioStreams): string => settings.baseUrl ?? url();
