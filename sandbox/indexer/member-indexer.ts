import { setTimeout as pause } from 'node:timers/promises';
import { CATALOGUE, type CatalogueRelease } from '../catalogue.ts';
import { DEFAULT_SUPPORT, findReleases, type Kind, type Page, type SearchSupport } from './search.ts';

/** How an indexer behind a manager answers; each can be changed at any time. */
export type IndexerBehaviour =
  | 'good'
  /** It takes the request and never answers. */
  | 'dead'
  /** It breaks off the connection. */
  | 'resets'
  /** It has nothing; of a download: the body is empty. */
  | 'empty'
  | 'malformed-xml'
  /** A web page, with 200; `xml-page`: one that happens to be well-formed XML. */
  | 'page'
  | 'xml-page'
  /** One item has neither guid nor enclosure. */
  | 'bare-item'
  /** `retryAfter`: seconds. */
  | { readonly status: number; readonly retryAfter?: number }
  /** An error document, with 200. */
  | { readonly code: number; readonly description: string };

type Posts = readonly CatalogueRelease[] | (() => readonly CatalogueRelease[]);

export interface MemberIndexerOptions {
  readonly name: string;
  /** Its address, as the manager has it. Default: one of its own that nobody else reaches. */
  readonly baseUrl?: string;
  /** A function is asked at each query. */
  readonly posts?: Posts;
  readonly support?: SearchSupport;
  /** It lists posts of any category, whichever it is asked for. */
  readonly ignoresCategories?: boolean;
  /** Milliseconds until it answers a search. */
  readonly delay?: number;
  readonly enable?: boolean;
  readonly search?: IndexerBehaviour;
  readonly download?: IndexerBehaviour;
}

/** What came of a query that the manager has sent on. */
export type QueryOutcome =
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'failed'; readonly by: Exclude<IndexerBehaviour, 'good' | 'empty'> };

/** An indexer behind a manager: the manager alone asks it, and whatever it was asked is counted. */
export class MemberIndexer {
  readonly name: string;
  readonly baseUrl: string;
  posts: Posts;
  support: SearchSupport;
  ignoresCategories: boolean;
  delay: number;
  enable: boolean;
  search: IndexerBehaviour;
  download: IndexerBehaviour;
  /** Every query that it got, the oldest first. */
  readonly queries: URLSearchParams[] = [];
  /** Guids of the posts that were fetched from it. */
  readonly grabs: string[] = [];

  constructor(options: MemberIndexerOptions) {
    const { name, posts = CATALOGUE, support = DEFAULT_SUPPORT, delay = 0, enable = true } = options;
    this.name = name;
    this.baseUrl = options.baseUrl ?? `http://${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.invalid`;
    this.posts = posts;
    this.support = support;
    this.ignoresCategories = options.ignoresCategories ?? false;
    this.delay = delay;
    this.enable = enable;
    this.search = options.search ?? 'good';
    this.download = options.download ?? 'good';
  }

  /** Everything that it has now. */
  listed(): readonly CatalogueRelease[] {
    return typeof this.posts === 'function' ? this.posts() : this.posts;
  }

  /**
   * Sends one query on to it. With `limit=0` it lists nothing.
   *
   * @param patience milliseconds after which the manager gives up a dead one
   * @throws the reason of the signal, where there is one
   */
  async ask(
    kind: Kind,
    query: URLSearchParams,
    patience: number,
    signal?: AbortSignal,
  ): Promise<QueryOutcome> {
    this.queries.push(query);
    const { search: temper } = this;
    await pause(temper === 'dead' ? patience : this.delay, undefined, { ...(signal && { signal }) });
    if (temper === 'empty' || query.get('limit') === '0')
      return { kind: 'page', page: { offset: 0, total: 0, releases: [] } };
    if (temper !== 'good') return { kind: 'failed', by: temper };
    const wanted = new URLSearchParams(query);
    if (this.ignoresCategories) wanted.delete('cat');
    return { kind: 'page', page: findReleases(kind, wanted, this.support, this.listed()) };
  }
}
