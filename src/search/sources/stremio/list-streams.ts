import { SlipstreamError } from '../../../errors/index.ts';
import { USER_AGENT } from '../../../io/http.ts';
import { poll } from '../../../io/wait.ts';
import type { DirectService } from '../../../model/index.ts';
import { searchApiOf as aioStreamsApi } from '../aiostreams/search.ts';
import { refusalError, type SourceRefusal } from '../common/refusal.ts';
import { searchApiOf as streamNzbApi } from '../streamnzb/search.ts';
import { type AddonClient, type AddonResponse, isUnreachable, NotFoundError } from './client.ts';
import type { AddonManifest } from './manifest.ts';
import type { StreamQuery } from './stream-query.ts';
import { type ParsedStreams, parseStreams, type RowContext, type SearchApi, Streams } from './streams.ts';

/** What an add-on has of one film or episode. @throws as SearchSource.ask */
export type StreamLister = (
  wanted: StreamQuery,
  offer: AddonManifest,
  signal: AbortSignal,
) => Promise<StreamList>;

export interface StreamList extends ParsedStreams {
  /** What it was asked for: NZBs for the person's backend, or streams that it plays itself. */
  readonly form: 'NZBs' | 'streams';
}

interface ListOptions {
  readonly id: string;
  readonly takesNzbs?: boolean;
}

/**
 * AIOStreams and StreamNZB are asked by their search APIs, which tell more of each release, and where its NZB is; a version
 * that has none, and any other add-on, by Stremio's protocol. One query each.
 */
export function streamLister(
  client: AddonClient,
  { id: source, takesNzbs = false }: ListOptions,
): StreamLister {
  const { service, address } = client;
  const apis: Readonly<Partial<Record<DirectService, SearchApi | undefined>>> = {
    aiostreams: aioStreamsApi(client, takesNzbs),
    streamnzb: takesNzbs ? streamNzbApi(client) : undefined,
  };
  return async (wanted, { service: software }, signal) => {
    const origin: RowContext = { source, service, software, base: address.base, claims: wanted.claims };
    const api = software === undefined ? undefined : apis[software];
    const streams = async (): Promise<StreamList> => ({
      ...(await fetchStreams(client, wanted, origin, signal)),
      form: 'streams',
    });
    const all = async (): Promise<StreamList> => {
      if (api === undefined) return await streams();
      try {
        const rows = await api(wanted, origin, signal);
        const isNzb = rows.postings.some(({ link }) => link.plays !== true);
        return { ...rows, form: isNzb || (takesNzbs && rows.postings.length === 0) ? 'NZBs' : 'streams' };
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        return await streams();
      }
    };
    // One that nobody knows may never have been there.
    const listed = software === undefined ? await all() : await retryWhileRestarting(all, signal);
    return software === 'streamnzb' ? explainEmptyList(listed, origin) : listed;
  };
}

async function fetchStreams(
  client: AddonClient,
  { type, id }: StreamQuery,
  origin: RowContext,
  signal: AbortSignal,
): Promise<ParsedStreams> {
  const told = await client.get(
    {
      url: `${client.address.base}/stream/${type}/${id}.json`,
      schema: Streams,
      // By it AIOStreams tells what kind of row each is (protocols.md §8.5).
      ...(origin.software === 'aiostreams' && { headers: { 'user-agent': `${USER_AGENT} AIOStreams/2` } }),
    },
    signal,
  );
  const rows = parseStreams(told.value.streams, origin);
  if (rows.postings.length === 0 && rows.failures.length > 0) throwIfRateLimited(told, rows, origin);
  return rows;
}

/** AIOStreams tells a limit by a row, with HTTP 200 (protocols.md §8.4). */
function throwIfRateLimited(
  { retryAfter }: AddonResponse<unknown>,
  { failures }: ParsedStreams,
  { service }: RowContext,
): void {
  if (retryAfter === undefined) return;
  const refusal: SourceRefusal = { httpStatus: 429, text: failures[0]?.explanation.what ?? '', retryAfter };
  throw refusalError(refusal, service);
}

/** Milliseconds. AIOStreams takes 2 to 7 s to start, after some that it needs to stop. */
const RESTART_TIMEOUT = 12_000;
const RETRY_INTERVAL = 1_000;

/** Whoever has answered before, and cannot be reached, may be restarting. */
async function retryWhileRestarting<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  let unreachable: unknown;
  const attempt = async () => {
    try {
      return { outcome: await ask() };
    } catch (error) {
      signal.throwIfAborted();
      if (!isUnreachable(error)) throw error;
      unreachable = error;
      return undefined;
    }
  };
  const back = await poll(attempt, { signal, interval: () => RETRY_INTERVAL, deadline: RESTART_TIMEOUT });
  if (back === undefined) throw unreachable;
  return back.outcome;
}

/** StreamNZB never says that it has failed (protocols.md §8.11). */
function explainEmptyList(listed: StreamList, { service }: RowContext): StreamList {
  if (listed.postings.length > 0 || listed.failures.length > 0) return listed;
  const silent = new SlipstreamError(
    'SERVICE_ERROR',
    {
      what: `${service.who} lists nothing: it may have failed, and repeats an empty list for 10 minutes.`,
      next: 'Look at the log of StreamNZB, and try again after 10 minutes.',
    },
    { transient: true },
  );
  return { ...listed, failures: [silent] };
}
