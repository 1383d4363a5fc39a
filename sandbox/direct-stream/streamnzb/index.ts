import type { DirectPost } from '../post.ts';
import { type StreamingAddon, startStreamingAddon } from '../streaming-addon.ts';
import { streamNzbAddon } from './addon.ts';
import { type Attempt, Attempts } from './attempts.ts';
import { goJson } from './go-http.ts';
import { newServiceState, type Opening, type StreamNzb, type StreamNzbSettings } from './service.ts';

export type { Attempt } from './attempts.ts';
export type { StreamNzbSettings } from './service.ts';

/** Its sessions and lists end with it. */
export interface StreamNzbSandbox extends StreamingAddon {
  /** Where the add-on of a stream is, without "/manifest.json". Default: of the first. */
  addon(stream?: string): string;
  /** Changed by a test at any time. */
  readonly settings: StreamNzbSettings;
  readonly openings: readonly Opening[];
  /** The newest first. */
  readonly attempts: readonly Attempt[];
}

export interface StreamNzbOptions extends Partial<StreamNzbSettings> {
  /** Default: those of the catalogue. */
  readonly posts?: readonly DirectPost[];
}

/** Starts a StreamNZB 4.1.0 on loopback, which searches and streams, and takes no NZBs (protocols.md §8.11). */
export async function startStreamNzb({ posts, ...given }: StreamNzbOptions = {}): Promise<StreamNzbSandbox> {
  const settings = settingsWith(given);
  const attempts = new Attempts();
  const openings: Opening[] = [];
  const started = await startStreamingAddon(posts, (parts) => {
    const memory = newServiceState(settings);
    const state = { ...parts, settings, attempts, openings, memory } satisfies StreamNzb;
    return {
      handle: streamNzbAddon(state),
      refuseKey: () => goJson(401, { error: 'Unauthorized' }),
      plays: /\/(?:play|next|error)\//,
      onOpen: () => {
        state.memory = newServiceState(settings);
      },
    };
  });
  return {
    ...started,
    settings,
    openings,
    addon: (name) =>
      `${started.url}/${(settings.streams.find((each) => each.name === name) ?? settings.streams[0]!).token}`,
    get attempts() {
      return attempts.all;
    },
  };
}

const settingsWith = (given: Partial<StreamNzbSettings>): StreamNzbSettings => ({
  streams: [{ name: 'own', token: 'canary-streamnzb-3f60a7', failover: true, results: 'display_all' }],
  adminToken: 'canary-admin-81be02',
  startupTimeout: 5_000,
  zeros: 163_840,
  cache: 100_000_000,
  provider: 'there',
  tmdb: 'there',
  indexer: 'there',
  indexerAt: { name: 'Sandbox', url: 'http://indexer.invalid', apiKey: 'canary-indexer-c4d913' },
  ...given,
});
