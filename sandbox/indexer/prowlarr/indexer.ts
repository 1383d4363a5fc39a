import { CATALOGUE, type CatalogueRelease } from '../../catalogue.ts';
import type { IndexerFaults } from '../faults.ts';
import { MemberIndexer, type MemberIndexerOptions, type QueryOutcome } from '../member-indexer.ts';
import type { Kind, SearchSupport } from '../search.ts';
import { type Category, standardCategories } from './categories.ts';

export interface ProwlarrIndexerOptions extends MemberIndexerOptions {
  readonly id: number;
  readonly protocol?: 'usenet' | 'torrent';
  /** 1 to 50, the lower the better. */
  readonly priority?: number;
  /** Searches and downloads that Prowlarr lets through in a unit of time; absent: as many as there are. */
  readonly queryLimit?: number;
  readonly grabLimit?: number;
  readonly limitsUnit?: 'day' | 'hour';
  /** In the order of its caps, by its own numbers. */
  readonly categories?: readonly Category[];
  /** Prowlarr's setting; downloads of usenet lead on to the indexer whatever it is. */
  readonly redirect?: boolean;
  /** "2026-07-29", as the person has entered it. */
  readonly vipExpiration?: string;
}

/** An indexer as Prowlarr has it. Until when it rests is Prowlarr's to know. */
export class ProwlarrIndexer extends MemberIndexer {
  readonly id: number;
  readonly protocol: 'usenet' | 'torrent';
  priority: number;
  queryLimit: number | undefined;
  grabLimit: number | undefined;
  limitsUnit: 'day' | 'hour';
  categories: readonly Category[];
  redirect: boolean;
  vipExpiration: string;
  /** Where its posts lie: at its address if a test has given it one, else with the sandbox itself. */
  readonly isElsewhere: boolean;

  constructor(options: ProwlarrIndexerOptions) {
    super(options);
    this.id = options.id;
    this.protocol = options.protocol ?? 'usenet';
    this.priority = options.priority ?? 25;
    this.queryLimit = options.queryLimit;
    this.grabLimit = options.grabLimit;
    this.limitsUnit = options.limitsUnit ?? 'day';
    this.categories = options.categories ?? USUAL_CATEGORIES;
    this.redirect = options.redirect ?? this.protocol === 'usenet';
    this.vipExpiration = options.vipExpiration ?? '';
    this.isElsewhere = options.baseUrl !== undefined;
  }

  /** A function that it does not have it refuses, as Newznab says. */
  askFor(name: string, query: URLSearchParams, patience: number, signal: AbortSignal): Promise<QueryOutcome> {
    if (isKind(name)) return this.ask(name, query, patience, signal);
    this.queries.push(query);
    return Promise.resolve({ kind: 'failed', by: { code: 202, description: `No such function (${name})` } });
  }
}

/** What it can be asked by. */
export function supportOf({ support }: ProwlarrIndexer, { search }: IndexerFaults): SearchSupport {
  return search === 'kindless' ? { movie: [], tv: [] } : support;
}

const isKind = (name: string): name is Kind => ['search', 'tvsearch', 'movie'].includes(name);

export const USUAL_CATEGORIES = standardCategories(
  ...[2010, 2030, 2040, 2045, 2050, 2060, 2000],
  ...[5030, 5040, 5045, 5070, 5000],
  ...[8010, 8000],
);

/** The indexers of a sandbox that is given none. Those of usenet that are on share the catalogue out. */
export function prowlarrIndexers(): ProwlarrIndexer[] {
  const indexers: ProwlarrIndexer[] = [];
  const posts = (own: () => ProwlarrIndexer) => () => shareOf(own(), indexers);
  const add = (options: Omit<ProwlarrIndexerOptions, 'posts'>) => {
    const indexer: ProwlarrIndexer = new ProwlarrIndexer({ ...options, posts: posts(() => indexer) });
    indexers.push(indexer);
  };
  add({ id: 3, name: 'Meadow' });
  add({ id: 7, name: 'Burrow' });
  add({ id: 8, name: 'Swarm', protocol: 'torrent' });
  add({ id: 9, name: 'Attic', enable: false });
  return indexers;
}

/** Every n-th post, where n indexers of its protocol are on. */
function shareOf(own: ProwlarrIndexer, all: readonly ProwlarrIndexer[]): readonly CatalogueRelease[] {
  const sharing = all.filter(({ enable, protocol }) => enable && protocol === own.protocol);
  const place = sharing.indexOf(own);
  return CATALOGUE.filter(({ guid }) => Number(guid.slice(-12)) % sharing.length === place);
}
