import { openPort } from '../../http/port.ts';
import { listener } from '../../http/serve.ts';
import type { RecordedRequest } from '../../http/types.ts';
import { cataloguePosts, type DirectPost } from '../post.ts';
import { Script } from '../script.ts';
import { streamNzbAddon } from './addon.ts';
import { type Attempt, Attempts } from './attempts.ts';
import { goJson } from './go.ts';
import {
  freshMemory,
  type Opening,
  type StreamNzb,
  type StreamNzbFaults,
  type StreamNzbSettings,
} from './service.ts';

export type { Attempt } from './attempts.ts';
export type { StreamNzbSettings } from './service.ts';

export interface StreamNzbSandbox {
  readonly url: string;
  /** Where the add-on of a stream is, without "/manifest.json". Default: of the first. */
  addon(stream?: string): string;
  readonly requests: readonly RecordedRequest[];
  /** What the indexers have, in the order of the lists; changed by a test at any time. */
  readonly posts: DirectPost[];
  /** Changed by a test at any time. */
  readonly settings: StreamNzbSettings;
  readonly faults: StreamNzbFaults;
  readonly openings: readonly Opening[];
  /** The newest first. */
  readonly attempts: readonly Attempt[];
  /** As {@link Script.after}. */
  after(bytes: number, act: () => unknown): void;
  /** Moves its clock on, in milliseconds. */
  advance(milliseconds: number): void;
  /** It ends: connections are refused, and those that are open break off. */
  shut(): Promise<void>;
  /** It starts, at the same port, without its sessions and lists. */
  open(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface StreamNzbOptions extends Partial<StreamNzbSettings> {
  /** Default: those of the catalogue. */
  readonly posts?: readonly DirectPost[];
}

/** Starts a StreamNZB 4.1.0 on loopback, which searches and streams, and takes no NZBs (protocols.md §8.11). */
export async function startStreamNzb({ posts, ...given }: StreamNzbOptions = {}): Promise<StreamNzbSandbox> {
  const settings = settingsWith(given);
  const requests: RecordedRequest[] = [];
  const faults: StreamNzbFaults = { api: [], webdav: [] };
  let ahead = 0;
  let url = '';
  const state = {
    ...{ settings, posts: [...(posts ?? cataloguePosts())], url: () => url, now: () => Date.now() + ahead },
    ...{ script: new Script(), attempts: new Attempts(), openings: [] as Opening[] },
    memory: freshMemory(settings),
  } satisfies StreamNzb;
  const port = await openPort(
    listener({
      classify: (path) => (/\/(?:play|next|error)\//.test(path) ? 'webdav' : 'api'),
      handle: streamNzbAddon(state),
      refuseKey: () => goJson(401, { error: 'Unauthorized' }),
      faults: (service) => faults[service === 'webdav' ? 'webdav' : 'api'],
      record: (request) => requests.push(request),
    }),
  );
  url = port.url;
  const open = () => {
    state.memory = freshMemory(settings);
    return port.open();
  };
  return {
    ...{ url, requests, settings, faults, openings: state.openings, posts: state.posts },
    addon: (name) =>
      `${url}/${(settings.streams.find((each) => each.name === name) ?? settings.streams[0]!).token}`,
    get attempts() {
      return state.attempts.all;
    },
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

const settingsWith = (given: Partial<StreamNzbSettings>): StreamNzbSettings => ({
  streams: [{ name: 'own', token: 'canary-streamnzb-3f60a7', failover: true, results: 'display_all' }],
  adminToken: 'canary-admin-81be02',
  ...{ startupTimeout: 5_000, zeros: 163_840, provider: 'there', tmdb: 'there', indexer: 'there' },
  indexerAt: { name: 'Sandbox', url: 'http://indexer.invalid', apiKey: 'canary-indexer-c4d913' },
  ...given,
});
