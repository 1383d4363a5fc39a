import { openPort } from '../../http/port.ts';
import { listener } from '../../http/serve.ts';
import type { RecordedRequest } from '../../http/types.ts';
import { cataloguePosts, type DirectPost, type Wanted } from '../post.ts';
import { Script } from '../script.ts';
import { aioStreams } from './addon.ts';
import { INVALID_USER } from './answers.ts';
import {
  type AioStreams,
  type AioStreamsFaults,
  type AioStreamsSettings,
  freshMemory,
  type LibraryEntry,
} from './service.ts';

export type { AioStreamsSettings } from './service.ts';

export interface AioStreamsSandbox {
  readonly url: string;
  /** Where the person's add-on is, without "/manifest.json". */
  readonly addon: string;
  readonly requests: readonly RecordedRequest[];
  /** What the indexer has, in the order of the lists; changed by a test at any time. */
  readonly posts: DirectPost[];
  /** Changed by a test at any time. */
  readonly settings: AioStreamsSettings;
  readonly faults: AioStreamsFaults;
  /** What was opened, by the posts' guids; changed by a test at any time. */
  readonly library: Map<string, LibraryEntry>;
  /** As {@link Script.after}. */
  after(bytes: number, act: () => unknown): void;
  /** Moves its clock on, in milliseconds. */
  advance(milliseconds: number): void;
  /** It ends: connections are refused, and those that are open break off. */
  shut(): Promise<void>;
  /** It starts, at the same port, with its database. */
  open(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
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
  const requests: RecordedRequest[] = [];
  const faults: AioStreamsFaults = { api: [], webdav: [] };
  let ahead = 0;
  let url = '';
  const state = {
    ...{ settings, posts: [...(posts ?? cataloguePosts())], url: () => url, now: () => Date.now() + ahead },
    ...{
      script: new Script(),
      library: new Map<string, LibraryEntry>(),
      wanted: new Map<string, Wanted>(),
      memory: freshMemory(),
    },
  } satisfies AioStreams;
  const port = await openPort(
    listener({
      classify: (path) => (/\/(?:playback|usenet\/stream|static)\//.test(path) ? 'webdav' : 'api'),
      handle: aioStreams(state),
      refuseKey: () => INVALID_USER,
      faults: (service) => faults[service === 'webdav' ? 'webdav' : 'api'],
      record: (request) => requests.push(request),
    }),
  );
  url = port.url;
  const open = () => {
    state.memory = freshMemory();
    return port.open();
  };
  return {
    ...{ url, requests, settings, faults, posts: state.posts, library: state.library },
    addon: `${url}/stremio/${settings.user.uuid}/${settings.user.password}`,
    after: (bytes, act) => {
      state.script.after(bytes, act);
    },
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
    ...{ shut: () => port.shut(), open, close: () => port.shut() },
    restart: async () => {
      await port.shut();
      await open();
    },
  };
}

/** Base64 of the JSON with its three fields, as the second part of a manifest's address is. */
const PASSWORD = Buffer.from(JSON.stringify({ i: 'AAAA', e: 'canary-aiostreams-5d20c9', t: 'a' })).toString(
  'base64url',
);

const settingsWith = (given: Partial<AioStreamsSettings>): AioStreamsSettings => ({
  user: { uuid: '5a4db0c5-0000-4000-8000-0000000000a1', password: PASSWORD, name: 'Sandbox AIO' },
  indexerAt: { name: 'Sandbox', url: 'http://indexer.invalid', apiKey: 'canary-indexer-c4d913' },
  ...{ errors: [], metadata: 'there', statistics: false, downloads: false, formatter: 'gdrive' },
  ...{ failover: false, limits: 'on', provider: 'there', silence: 4_000, patience: 60_000 },
  ...given,
});
