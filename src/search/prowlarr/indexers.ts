import * as v from 'valibot';
import { SlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import { type Caps, CapsSchema, PAGE, parameterNames } from '../wire/caps.ts';
import type { SourceOptions } from '../wire/options.ts';
import type { Service } from '../wire/refusal.ts';
import { type Remembered, remembered } from '../wire/remembered.ts';
import { type CallOptions, type Client, isRefusal, listOf, type Resource } from './client.ts';

/** One usenet indexer that is switched on in Prowlarr. */
export interface Indexer {
  readonly id: number;
  readonly name: string;
  readonly caps: Caps;
  /** Searches in a day or an hour, where the person has set a limit there. */
  readonly queryLimit?: number | undefined;
}

/** Nobody has more. */
export const MAX_INDEXERS = 200;
/** People switch indexers on and off there while they set things up. */
const FRESH_FOR = 24 * 3_600_000;

const identity = { id: v.pipe(v.number(), v.integer()), name: v.pipe(v.string(), v.maxLength(200)) };

/** As it is kept on disk. */
const Indexers: v.GenericSchema<unknown, readonly Indexer[]> = v.pipe(
  v.array(v.object({ ...identity, caps: CapsSchema, queryLimit: v.optional(v.number()) })),
  v.minLength(1),
  v.maxLength(MAX_INDEXERS),
);

const names = v.fallback(v.optional(v.array(v.string())), undefined);
const Listed = v.object({
  ...identity,
  enable: v.boolean(),
  protocol: v.string(),
  supportsSearch: v.optional(v.boolean()),
  capabilities: v.fallback(
    v.optional(v.object({ searchParams: names, tvSearchParams: names, movieSearchParams: names })),
    undefined,
  ),
  fields: v.fallback(v.optional(v.array(v.object({ name: v.string(), value: v.unknown() }))), undefined),
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
  const { searchParams, tvSearchParams, movieSearchParams } = capabilities ?? {};
  const limit = fields?.find((field) => field.name === 'baseSettings.queryLimit')?.value;
  return {
    id,
    name,
    caps: {
      search: parameterNames(searchParams ?? USUAL.search),
      tv: parameterNames(tvSearchParams ?? USUAL.tv),
      movie: parameterNames(movieSearchParams ?? USUAL.movie),
      limit: PAGE,
    },
    ...(typeof limit === 'number' && limit > 0 && { queryLimit: limit }),
  };
}

/** Which indexers there are, asked for once a day. */
export function rememberedIndexers(
  client: Client,
  { cacheFolder, timeout }: SourceOptions,
  log: Logger,
): Remembered<readonly Indexer[]> {
  return remembered({
    folder: cacheFolder,
    topic: 'indexers',
    address: client.address.base,
    who: client.service.who,
    schema: Indexers,
    freshFor: FRESH_FOR,
    log,
    fetch: (signal) => fetchIndexers(client, { signal, timeout }),
  });
}

/** @throws as SearchSource.ask; SERVICE_ERROR when there are none */
export async function fetchIndexers(client: Client, options: CallOptions): Promise<readonly Indexer[]> {
  const indexers = await client.get(RESOURCE, options);
  if (isRefusal(indexers) || indexers.length === 0) throw noIndexers(client.service);
  return indexers;
}

const noIndexers = ({ who }: Service) =>
  new SlipstreamError('SERVICE_ERROR', {
    what: `${who} has no usenet indexer that is switched on.`,
    next: 'Add one in Prowlarr (Indexers), or take Prowlarr out of the settings of Slipstream (Connection).',
  });
