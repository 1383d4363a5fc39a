import type { DirectPost, Wanted } from '../post.ts';
import { type StreamingAddon, startStreamingAddon } from '../streaming-addon.ts';
import { aioStreams } from './addon.ts';
import { INVALID_USER } from './answers.ts';
import { type AioStreams, type AioStreamsSettings, type LibraryEntry, newServiceState } from './service.ts';

export type { AioStreamsSettings } from './service.ts';

/** Its database outlives its end. */
export interface AioStreamsSandbox extends StreamingAddon {
  /** Where the person's add-on is, without "/manifest.json". */
  readonly addon: string;
  /** Changed by a test at any time. */
  readonly settings: AioStreamsSettings;
  /** What was opened, by the posts' guids; changed by a test at any time. */
  readonly library: Map<string, LibraryEntry>;
}

export interface AioStreamsOptions extends Partial<AioStreamsSettings> {
  /** Default: those of the catalogue. */
  readonly posts?: readonly DirectPost[];
}

/** Starts an AIOStreams 2.33.2 on loopback, which searches and streams by its own usenet engine (protocols.md §8.4). */
export async function startAioStreams({
  posts,
  ...given
}: AioStreamsOptions = {}): Promise<AioStreamsSandbox> {
  const settings = settingsWith(given);
  const library = new Map<string, LibraryEntry>();
  const started = await startStreamingAddon(posts, (parts) => {
    const wanted = new Map<string, Wanted>();
    const state = { ...parts, settings, library, wanted, memory: newServiceState() } satisfies AioStreams;
    return {
      handle: aioStreams(state),
      refuseKey: () => INVALID_USER,
      plays: /\/(?:playback|usenet\/stream|static)\//,
      onOpen: () => {
        state.memory = newServiceState();
      },
    };
  });
  const { uuid, password } = settings.user;
  return { ...started, settings, library, addon: `${started.url}/stremio/${uuid}/${password}` };
}

/** Base64 of the JSON with its three fields, as the second part of a manifest's address is. */
const PASSWORD = Buffer.from(JSON.stringify({ i: 'AAAA', e: 'canary-aiostreams-5d20c9', t: 'a' })).toString(
  'base64url',
);

const settingsWith = (given: Partial<AioStreamsSettings>): AioStreamsSettings => ({
  user: { uuid: '5a4db0c5-0000-4000-8000-0000000000a1', password: PASSWORD, name: 'Sandbox AIO' },
  indexerAt: { name: 'Sandbox', url: 'http://indexer.invalid', apiKey: 'canary-indexer-c4d913' },
  errors: [],
  metadata: 'there',
  statistics: false,
  downloads: false,
  formatter: 'gdrive',
  failover: false,
  limits: 'on',
  provider: 'there',
  silence: 4_000,
  patience: 60_000,
  ...given,
});
