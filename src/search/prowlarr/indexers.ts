import * as v from 'valibot';
import { SlipstreamError } from '../../errors/index.ts';
import { placed } from '../wire/address.ts';
import { type Caps, PAGE, parameterNames } from '../wire/caps.ts';
import { listOf } from '../wire/list-of.ts';
import type { Service } from '../wire/refusal.ts';
import type { CallOptions, Client, Resource } from './client.ts';

/** One usenet indexer that is switched on in Prowlarr. */
export interface Indexer {
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
const Listed = v.object({
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
        categories: v.fallback(v.optional(listOf(Category, MAX_CATEGORIES)), undefined),
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
const RESOURCE: Resource<readonly Indexer[]> = {
  path: '/indexer',
  schema: v.pipe(
    listOf(Listed, 5 * MAX_INDEXERS),
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
const USUAL = {
  search: ['q'],
  tv: ['q', 'season', 'ep', 'tvdbid'],
  movie: ['q', 'imdbid'],
};

function indexerOf({ id, name, capabilities, fields }: v.InferOutput<typeof Listed>): Indexer {
  const { searchParams, tvSearchParams, movieSearchParams, categories } = capabilities ?? {};
  const address = fields?.find((field) => field.name === 'baseUrl')?.value;
  return {
    id,
    name,
    caps: {
      search: parameterNames(searchParams ?? USUAL.search),
      tv: parameterNames(tvSearchParams ?? USUAL.tv),
      movie: parameterNames(movieSearchParams ?? USUAL.movie),
      limit: PAGE,
    },
    categories: numbersIn(categories ?? []),
    ...(typeof address === 'string' && placed(address)),
  };
}

const numbersIn = (categories: readonly Category[]): string[] =>
  categories.flatMap(({ id, subCategories = [] }) => [String(id), ...numbersIn(subCategories)]);

/** @throws as SearchSource.ask; SERVICE_ERROR when there are none */
export async function fetchIndexers(client: Client, options: CallOptions): Promise<readonly Indexer[]> {
  const indexers = await client.get(RESOURCE, options);
  if (indexers.length === 0) throw noIndexers(client.service);
  return indexers;
}

const noIndexers = ({ who }: Service) =>
  new SlipstreamError('SERVICE_ERROR', {
    what: `${who} has no usenet indexer that is switched on.`,
    next: 'Add one in Prowlarr (Indexers), or search with something else.',
  });
