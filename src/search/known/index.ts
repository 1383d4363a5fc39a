import { deadlineSignal } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import { registerSecret } from '../../log/index.ts';
import type { MediaRequest } from '../../model/index.ts';
import { type Facts, withFacts } from './facts.ts';
import { openMemory } from './memory.ts';
import { TMDB_URL, tmdbFacts } from './tmdb.ts';
import { TVMAZE_URL, tvmazeFacts } from './tvmaze.ts';

export interface KnownServices {
  /** A v3 key or a v4 token; empty: TMDb is not asked. */
  readonly tmdbKey: string;
  /** Where answers are remembered. */
  readonly folder: string;
  readonly log: Logger;
  /** Milliseconds for everything. */
  readonly timeout?: number;
  readonly tmdbUrl?: string;
  readonly tvmazeUrl?: string;
}

const USUAL_TIMEOUT = 2_000;

/**
 * The request with what it lacks: running time, ids, other titles, absolute number, year. Nothing that it says is
 * changed. TMDb is asked where there is a key for it, else (and where that fails) TVmaze, which knows series only. What
 * nobody tells in time stays as it was: the rules that would need it do not reject.
 *
 * @throws the signal's reason when it aborts
 */
export async function completeRequest(
  request: MediaRequest,
  services: KnownServices,
  signal: AbortSignal,
): Promise<MediaRequest> {
  const { timeout = USUAL_TIMEOUT, log } = services;
  const limit = deadlineSignal(signal, timeout, () => new Error('nobody answered in time'));
  try {
    for (const look of lookupsOf(request, services)) {
      const facts = await look(limit.signal).catch((error: unknown) => {
        signal.throwIfAborted();
        log.info(`what ${request.title} lacks is not known: ${String(error)}`);
      });
      if (facts !== undefined) return withFacts(request, facts);
    }
    return request;
  } finally {
    limit.done();
  }
}

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
