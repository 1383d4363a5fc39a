import type { FocusedItem } from '../../host/port.ts';
import { deadlineSignal, pause, unlessAborted } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import { registerSecret } from '../../log/index.ts';
import type { MediaRequest } from '../../model/index.ts';
import { type Facts, withFacts } from './facts.ts';
import { withFocused } from './focused.ts';
import { openMemory } from './memory.ts';
import { TMDB_URL, tmdbFacts } from './tmdb.ts';
import { TVMAZE_URL, tvmazeFacts } from './tvmaze.ts';

export interface KnownServices {
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

const USUAL_TIMEOUT = 2_000;
const USUAL_HEAD_START = 800;

/**
 * The request with what it lacks: running time, ids, other titles, absolute number, year. Nothing that it says is
 * changed. What the media centre shows comes first, for it costs nothing. TMDb is asked where there is a key for it; TVmaze, which knows series only, where TMDb knows nothing, fails or
 * takes long, and its answer counts when none comes from TMDb. What nobody tells in time stays as it was: the rules that
 * would need it do not reject.
 *
 * @throws the signal's reason when it aborts
 */
export async function completeRequest(
  request: MediaRequest,
  services: KnownServices,
  signal: AbortSignal,
): Promise<MediaRequest> {
  const { timeout = USUAL_TIMEOUT, headStart = USUAL_HEAD_START, log } = services;
  const ended = new AbortController();
  const limit = deadlineSignal(
    AbortSignal.any([signal, ended.signal]),
    timeout,
    () => new Error('nobody answered in time'),
  );
  const unlessItFails = <T>(telling: Promise<T>) =>
    telling.catch((error: unknown) => {
      if (signal.aborted || ended.signal.aborted) return undefined;
      log.info(`what ${request.title} lacks is not known: ${String(error)}`);
      return undefined;
    });
  try {
    const { focused } = services;
    const item = focused && (await unlessItFails(unlessAborted(focused(), limit.signal)));
    const shown = item === undefined ? request : withFocused(request, item);
    const lookups = lookupsOf(shown, services).map((look) => () => unlessItFails(look(limit.signal)));
    const facts = await firstTold(lookups, headStart, limit.signal);
    signal.throwIfAborted();
    return facts === undefined ? shown : withFacts(shown, facts);
  } finally {
    ended.abort(new Error('somebody else has answered'));
    limit.done();
  }
}

/** What the first in the order tells that tells anything; each has a head start of `ms` before the one behind it. */
async function firstTold(
  [first, ...others]: readonly (() => Promise<Told>)[],
  ms: number,
  signal: AbortSignal,
): Promise<Told> {
  if (first === undefined || signal.aborted) return undefined;
  const told = first();
  const next = Promise.race([told, pause(ms, signal).catch(() => undefined)]).then(
    (facts) => facts ?? firstTold(others, ms, signal),
  );
  return (await told) ?? (await next);
}

type Told = Facts | undefined;
type Lookup = (signal: AbortSignal) => Promise<Facts | undefined>;

function lookupsOf(request: MediaRequest, services: KnownServices): Lookup[] {
  const { tmdbKey, tmdbUrl = TMDB_URL, tvmazeUrl = TVMAZE_URL } = services;
  const memory = openMemory(services);
  const key = tmdbKey.trim();
  registerSecret(key);
  const tmdb: Lookup = (signal) =>
    memory.recall('tmdb', request, () => tmdbFacts(request, { key, url: tmdbUrl, signal }));
  const tvmaze: Lookup = (signal) =>
    memory.recall('tvmaze', request, () => tvmazeFacts(request, { url: tvmazeUrl, signal }));
  return [...(key === '' ? [] : [tmdb]), ...(request.episode === undefined ? [] : [tvmaze])];
}
