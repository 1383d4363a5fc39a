import * as v from 'valibot';
import type { Logger } from '../../../log/index.ts';
import type { DirectService, IdKind } from '../../../model/index.ts';
import type { SourceOptions } from '../common/options.ts';
import { type Persisted, persisted } from '../common/persisted.ts';
import type { SearchCapabilities } from '../source.ts';
import { type AddonClient, isUnreachable } from './client.ts';

/** Which streams an add-on can be asked for. */
export interface AddonManifest {
  readonly types: readonly string[];
  /** What an id begins with: "tt", "tmdb", "tmdb:". */
  readonly prefixes: readonly string[];
  /** Whose manifest it is, where that is one whose ways are known. */
  readonly service?: DirectService;
}

/** People change what an add-on does at its own page, which mostly gives it another address. */
const MAX_AGE = 24 * 3_600_000;

const MAX_LISTED = 50;
const word = v.pipe(v.string(), v.maxLength(40));
const words = v.pipe(v.array(word), v.maxLength(MAX_LISTED), v.readonly());
/** As it is kept on disk. */
const StoredManifest = v.object({
  types: words,
  prefixes: words,
  service: v.exactOptional(v.picklist(['altmount', 'streamnzb', 'aiostreams'])),
});

const listed = v.fallback(v.optional(v.nullable(v.array(v.string()))), undefined);
const Resource = v.union([
  v.pipe(
    v.string(),
    v.transform((name) => ({ name, types: undefined, idPrefixes: undefined })),
  ),
  v.object({ name: v.string(), types: listed, idPrefixes: listed }),
]);
const Manifest = v.object({
  id: v.fallback(v.string(), ''),
  resources: v.pipe(v.array(v.unknown()), v.maxLength(1000)),
  types: listed,
  idPrefixes: listed,
});

/** For one that could not say: what practically all of them take. */
const DEFAULT_MANIFEST: AddonManifest = { types: ['movie', 'series'], prefixes: ['tt'] };

export function persistedManifest(
  client: AddonClient,
  options: SourceOptions,
  log: Logger,
): Persisted<AddonManifest> {
  return persisted({
    folder: options.cacheFolder,
    topic: 'manifest',
    address: client.address.base,
    who: client.service.who,
    schema: StoredManifest,
    maxAge: MAX_AGE,
    log,
    fetch: (signal) => fetchManifest(client, signal),
    fallback: DEFAULT_MANIFEST,
    // What the list is asked for survives a restart (list.ts).
    canUseStale: isUnreachable,
  });
}

/** @throws as SearchSource.ask */
export async function fetchManifest(client: AddonClient, signal: AbortSignal): Promise<AddonManifest> {
  const { base } = client.address;
  return manifestOf((await client.get({ url: `${base}/manifest.json`, schema: Manifest }, signal)).value);
}

/** What a resource itself says counts before what is said for all; without prefixes an add-on takes any id. */
function manifestOf({ id, resources, types, idPrefixes }: v.InferOutput<typeof Manifest>): AddonManifest {
  const all = resources.flatMap((each) => {
    const resource = v.safeParse(Resource, each);
    return resource.success && resource.output.name === 'stream' ? [resource.output] : [];
  });
  const service = addonSoftwareOf(id);
  return {
    types: bounded(all.flatMap((each) => each.types ?? types ?? DEFAULT_MANIFEST.types)),
    prefixes: bounded(all.flatMap((each) => each.idPrefixes ?? idPrefixes ?? DEFAULT_MANIFEST.prefixes)),
    ...(service !== undefined && { service }),
  };
}

/** By the manifest's id, which a person cannot change (protocols.md §8.4, §8.11, §8.12). */
export function addonSoftwareOf(id: string): DirectService | undefined {
  if (id === 'community.altmount') return 'altmount';
  if (id === 'community.streamnzb') return 'streamnzb';
  return id.startsWith('com.aiostreams.') ? 'aiostreams' : undefined;
}

const bounded = (all: readonly string[]) =>
  [...new Set(all)].filter((each) => v.is(word, each)).slice(0, MAX_LISTED);

/** How an id of each kind begins that streams are asked by. */
export const ID_PREFIXES = { imdb: 'tt', tmdb: 'tmdb:' } as const satisfies Partial<Record<IdKind, string>>;

/** An id fits when it begins with a prefix: "tmdb:603" fits "tmdb" as well as "tmdb:". */
export const takesId = ({ prefixes }: AddonManifest, id: string): boolean =>
  prefixes.some((prefix) => id.startsWith(prefix));

/** It is asked by ids alone: the protocol has no search for streams. */
export function addonCapabilities(offer: AddonManifest): SearchCapabilities {
  const { types } = offer;
  const ids = (['imdb', 'tmdb'] as const).filter((kind) => takesId(offer, ID_PREFIXES[kind]));
  return {
    movieIds: types.includes('movie') ? ids : [],
    seriesIds: types.includes('series') ? ids : [],
    episodeNumbers: types.includes('series'),
    movieText: false,
    seriesText: false,
  };
}
