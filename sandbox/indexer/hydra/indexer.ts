import { CATALOGUE, type CatalogueRelease } from '../../catalogue.ts';
import { type Attribute, attributesOf } from '../documents.ts';
import { MemberIndexer, type MemberIndexerOptions } from '../member-indexer.ts';
import type { SearchSupport } from '../search.ts';

export type HydraState = 'ENABLED' | 'DISABLED_USER' | 'DISABLED_SYSTEM' | 'DISABLED_SYSTEM_TEMPORARY';

export interface HydraIndexerOptions extends MemberIndexerOptions {
  /** Its priority: of a post that several have, the one with the higher score gives the row. */
  readonly score?: number;
  /** Names of the categories of NZBHydra2 that it is on for; absent: all. */
  readonly categories?: readonly string[];
  readonly apiHitLimit?: number;
  readonly downloadHitLimit?: number;
  /** redirect: whoever fetches an NZB is sent on to the indexer. */
  readonly access?: 'proxy' | 'redirect';
  /** The address of a post's NZB, with the person's key; relative at some indexers. */
  readonly link?: (post: CatalogueRelease) => string;
  /** What it tells of a post. */
  readonly facts?: (post: CatalogueRelease) => readonly Attribute[];
}

/** An indexer as NZBHydra2 has it (protocols.md §6.4). */
export class HydraIndexer extends MemberIndexer {
  score: number;
  categories: readonly string[];
  access: 'proxy' | 'redirect';
  /** Queries that it was asked, further rounds of a list among them. */
  apiHits = 0;
  apiHitLimit: number | undefined;
  downloadHits = 0;
  /** Told in the list, and not kept to. */
  downloadHitLimit: number | undefined;
  /** Failures in a row, until it has answered. */
  level = 0;
  /** Milliseconds since the epoch. */
  disabledUntil: number | undefined;
  lastError: string | undefined;
  /** Its key was refused: it is off until a person acts. */
  refused = false;
  readonly link: (post: CatalogueRelease) => string;
  readonly facts: (post: CatalogueRelease) => readonly Attribute[];

  constructor(options: HydraIndexerOptions) {
    super({ support: SUPPORT, ...options });
    this.score = options.score ?? 0;
    this.categories = options.categories ?? [];
    this.access = options.access ?? 'proxy';
    this.apiHitLimit = options.apiHitLimit;
    this.downloadHitLimit = options.downloadHitLimit;
    this.link = options.link ?? (({ guid }) => `${this.baseUrl}/getnzb?id=${guid}&i=1&r=key-of-${this.name}`);
    this.facts = options.facts ?? ((post) => attributesOf(post, true));
  }

  get state(): HydraState {
    if (!this.enable) return 'DISABLED_USER';
    if (this.refused) return 'DISABLED_SYSTEM';
    return (this.disabledUntil ?? 0) > Date.now() ? 'DISABLED_SYSTEM_TEMPORARY' : 'ENABLED';
  }

  /** Whether it is asked at all: it is on, does not rest, and has hits left. */
  get isAwake(): boolean {
    return this.state === 'ENABLED' && this.apiHits < (this.apiHitLimit ?? Infinity);
  }

  /** It has failed, and rests the longer the more often it failed in a row. @param rests milliseconds */
  disable(rests: readonly number[], error: string): void {
    this.disabledUntil = Date.now() + (rests[Math.min(this.level, rests.length - 1)] ?? 0);
    this.level += 1;
    this.lastError = error;
  }

  /** It has refused its key. */
  refuse(error: string): void {
    this.refused = true;
    this.lastError = error;
  }

  /** It has answered. */
  recover(): void {
    this.level = 0;
    this.disabledUntil = undefined;
    this.lastError = undefined;
  }
}

const SUPPORT: SearchSupport = {
  movie: ['q', 'imdbid', 'tmdbid'],
  tv: ['q', 'season', 'ep', 'rid', 'tvdbid', 'tvmazeid', 'imdbid', 'tmdbid'],
};

/** Two; each has every second post of the catalogue. */
export const hydraIndexers = (): HydraIndexer[] =>
  ['Meadow', 'Burrow'].map(
    (name, place) =>
      new HydraIndexer({
        name,
        score: 10 - place,
        posts: CATALOGUE.filter(({ guid }) => Number(guid.slice(-12)) % 2 === place),
      }),
  );
