import * as v from 'valibot';
import { SlipstreamError } from '../../../errors/index.ts';
import { placed } from '../common/address.ts';
import { boundedList } from '../common/bounded-list.ts';
import { type Caps, PAGE_SIZE, parameterNames } from '../common/caps.ts';
import type { ServiceLabels } from '../common/refusal.ts';
import type { CallOptions, ProwlarrClient, Resource } from './client.ts';

/** One usenet indexer that is switched on in Prowlarr. */
export interface ProwlarrIndexer {
  readonly id: number;
  readonly name: string;
  readonly caps: Caps;
  /** Newznab's numbers, of which its caps say that it has them; empty: it does not say. */
  readonly categories: readonly string[];
  /** As SearchSource.place. */
  readonly place?: string;
}

/** Nobody has more. */
const MAX_INDEXERS = 200;
const MAX_CATEGORIES = 2_000;

interface Category {
  readonly id: number;
  readonly subCategories?: readonly Category[] | undefined;
}
const Category: v.GenericSchema<unknown, Category> = v.object({
  id: v.number(),
  subCategories: v.fallback(v.optional(v.array(v.lazy(() => Category))), undefined),
});

const names = v.fallback(v.optional(v.array(v.string())), undefined);
const IndexerRow = v.object({
  id: v.pipe(v.number(), v.integer()),
  name: v.pipe(v.string(), v.maxLength(200)),
  enable: v.boolean(),
  protocol: v.string(),
  supportsSearch: v.optional(v.boolean()),
  capabilities: v.fallback(
    v.optional(
      v.object({
        searchParams: names,
        tvSearchParams: names,
        movieSearchParams: names,
        categories: v.fallback(v.optional(boundedList(Category, MAX_CATEGORIES)), undefined),
      }),
    ),
    undefined,
  ),
  // A field that is empty has no value at all.
  fields: v.fallback(
    v.optional(v.array(v.object({ name: v.string(), value: v.optional(v.unknown()) }))),
    undefined,
  ),
});

/** The ones that can be searched. Torrent indexers are none of ours. */
const INDEXERS: Resource<readonly ProwlarrIndexer[]> = {
  path: '/indexer',
  schema: v.pipe(
    boundedList(IndexerRow, 5 * MAX_INDEXERS),
    v.transform((all) =>
      all
        .filter(
          ({ enable, protocol, supportsSearch }) =>
            enable && protocol === 'usenet' && supportsSearch !== false,
        )
        .slice(0, MAX_INDEXERS)
        .map(indexerOf),
    ),
  ),
};

/** Where one says nothing of itself: what practically all of them take. */
const DEFAULT_PARAMETERS = {
  search: ['q'],
  tv: ['q', 'season', 'ep', 'tvdbid'],
  movie: ['q', 'imdbid'],
};

function indexerOf({ id, name, capabilities, fields }: v.InferOutput<typeof IndexerRow>): ProwlarrIndexer {
  const { searchParams, tvSearchParams, movieSearchParams, categories } = capabilities ?? {};
  const address = fields?.find((field) => field.name === 'baseUrl')?.value;
  return {
    id,
    name,
    caps: {
      search: parameterNames(searchParams ?? DEFAULT_PARAMETERS.search),
      tv: parameterNames(tvSearchParams ?? DEFAULT_PARAMETERS.tv),
      movie: parameterNames(movieSearchParams ?? DEFAULT_PARAMETERS.movie),
      limit: PAGE_SIZE,
    },
    categories: categoryIdsOf(categories ?? []),
    ...(typeof address === 'string' && placed(address)),
  };
}

const categoryIdsOf = (categories: readonly Category[]): string[] =>
  categories.flatMap(({ id, subCategories = [] }) => [String(id), ...categoryIdsOf(subCategories)]);

/** @throws as SearchSource.ask; SERVICE_ERROR when there are none */
export async function fetchProwlarrIndexers(
  client: ProwlarrClient,
  options: CallOptions,
): Promise<readonly ProwlarrIndexer[]> {
  const indexers = await client.get(INDEXERS, options);
  if (indexers.length === 0) throw noIndexersError(client.service);
  return indexers;
}

const noIndexersError = ({ who }: ServiceLabels) =>
  new SlipstreamError('SERVICE_ERROR', {
    what: `${who} has no usenet indexer that is switched on.`,
    next: 'Add one in Prowlarr (Indexers), or search with something else.',
  });
