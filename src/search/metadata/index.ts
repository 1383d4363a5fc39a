import type { FocusedItem } from '../../host/port.ts';
import { deadlineSignal, pause, unlessAborted } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import { registerSecret } from '../../log/index.ts';
import type { MediaRequest } from '../../model/index.ts';
import { withFocusedItem } from './focused-item.ts';
import { type Metadata, withMetadata } from './metadata.ts';
import { openMetadataCache } from './metadata-cache.ts';
import { fetchTmdbMetadata, TMDB_URL } from './tmdb.ts';
import { fetchTvmazeMetadata, TVMAZE_URL } from './tvmaze.ts';

export interface MetadataServices {
  /** A v3 key or a v4 token; empty: TMDb is not asked. */
  readonly tmdbKey: string;
  /** Where answers are remembered. */
  readonly folder: string;
  readonly log: Logger;
  /** What the media centre shows; believed where it is the item of the request. */
  readonly focused?: () => Promise<FocusedItem>;
  /** Milliseconds for everything. */
  readonly timeout?: number;
  /** Milliseconds after which TVmaze is asked beside a TMDb that has not answered. */
  readonly headStart?: number;
  readonly tmdbUrl?: string;
  readonly tvmazeUrl?: string;
}

const DEFAULT_TIMEOUT = 2_000;
const DEFAULT_HEAD_START = 800;

/**
 * The request with what it lacks: running time, ids, other titles, absolute number, year. Nothing that it says is
 * changed. What the media centre shows comes first, for it costs nothing. TMDb is asked where there is a key for it; TVmaze, which knows series only, where TMDb knows nothing, fails or
 * takes long, and its answer counts when none comes from TMDb. What nobody tells in time stays as it was: the rules that
 * would need it do not reject.
 *
 * @throws the signal's reason when it aborts
 */
export async function addMetadata(
  request: MediaRequest,
  services: MetadataServices,
  signal: AbortSignal,
): Promise<MediaRequest> {
  const { timeout = DEFAULT_TIMEOUT, headStart = DEFAULT_HEAD_START, log } = services;
  const answered = new AbortController();
  const limit = deadlineSignal(
    AbortSignal.any([signal, answered.signal]),
    timeout,
    () => new Error('nobody answered in time'),
  );
  const undefinedOnFailure = <T>(telling: Promise<T>) =>
    telling.catch((error: unknown) => {
      if (signal.aborted || answered.signal.aborted) return undefined;
      log.info(`what ${request.title} lacks is not known: ${String(error)}`);
      return undefined;
    });
  try {
    const { focused } = services;
    const item = focused && (await undefinedOnFailure(unlessAborted(focused(), limit.signal)));
    const focusedRequest = item === undefined ? request : withFocusedItem(request, item);
    const lookups = lookupsOf(focusedRequest, services).map(
      (look) => () => undefinedOnFailure(look(limit.signal)),
    );
    const metadata = await firstAnswered(lookups, headStart, limit.signal);
    signal.throwIfAborted();
    return metadata === undefined ? focusedRequest : withMetadata(focusedRequest, metadata);
  } finally {
    answered.abort(new Error('somebody else has answered'));
    limit.done();
  }
}

/** What the first in the order tells that tells anything; each has a head start of `ms` before the one behind it. */
async function firstAnswered(
  [first, ...others]: readonly (() => Promise<LookupResult>)[],
  ms: number,
  signal: AbortSignal,
): Promise<LookupResult> {
  if (first === undefined || signal.aborted) return undefined;
  const told = first();
  const next = Promise.race([told, pause(ms, signal).catch(() => undefined)]).then(
    (facts) => facts ?? firstAnswered(others, ms, signal),
  );
  return (await told) ?? (await next);
}

type LookupResult = Metadata | undefined;
type Lookup = (signal: AbortSignal) => Promise<Metadata | undefined>;

function lookupsOf(request: MediaRequest, services: MetadataServices): Lookup[] {
  const { tmdbKey, tmdbUrl = TMDB_URL, tvmazeUrl = TVMAZE_URL } = services;
  const memory = openMetadataCache(services);
  const key = tmdbKey.trim();
  registerSecret(key);
  const tmdb: Lookup = (signal) =>
    memory.getOrFetch('tmdb', request, () => fetchTmdbMetadata(request, { key, url: tmdbUrl, signal }));
  const tvmaze: Lookup = (signal) =>
    memory.getOrFetch('tvmaze', request, () => fetchTvmazeMetadata(request, { url: tvmazeUrl, signal }));
  return [...(key === '' ? [] : [tmdb]), ...(request.episode === undefined ? [] : [tvmaze])];
}
