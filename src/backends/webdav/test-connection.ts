import { asSlipstreamError, SlipstreamError } from '../../errors/index.ts';
import type { Check, SettingId } from '../../settings/index.ts';
import { InTheWay } from '../sabnzbd/answer.ts';
import type { SabApi } from '../sabnzbd/api.ts';
import type { WebdavConfig } from './config.ts';
import { explainApi, explainShare } from './diagnose.ts';
import type { Folders } from './dialect/index.ts';
import { listFolder } from './listing.ts';
import type { Server } from './server.ts';
import type { Times } from './times.ts';

export interface Connection {
  readonly server: Server;
  readonly api: SabApi;
  readonly folders: (signal: AbortSignal) => Promise<Folders>;
  readonly config: WebdavConfig;
  readonly times: Times;
}

interface Step {
  readonly what: () => string;
  /** @returns what was found */
  readonly run: (signal: AbortSignal) => Promise<string>;
  /** The failure in terms of the settings, and the one to look at. */
  readonly explain: (error: SlipstreamError, signal: AbortSignal) => Promise<Explained>;
}

export interface Explained {
  readonly failure: SlipstreamError;
  readonly setting: SettingId;
}

/** As Backend.test: the API, the key, the categories, then the files. */
export async function testConnection(connection: Connection, signal: AbortSignal): Promise<readonly Check[]> {
  signal.throwIfAborted();
  const checks: Check[] = [];
  for (const { what, run, explain } of [apiStep, categoriesStep, shareStep].map((step) => step(connection))) {
    try {
      const found = await run(signal);
      checks.push({ what: what(), found });
    } catch (error) {
      signal.throwIfAborted();
      const explained = await explain(asSlipstreamError(error), signal);
      signal.throwIfAborted();
      checks.push({ what: what(), ...explained });
      break;
    }
  }
  return checks;
}

/** That it answers, that it is SABnzbd's dialect, which, and that the key is right. */
const apiStep = ({ server, api, times }: Connection): Step => ({
  what: () => `The API of ${server.dialect.name}`,
  run: async (signal) => {
    await server.recognise(signal);
    await api.queue(signal);
    return `${server.dialect.name}, API ${await api.version(signal)}`;
  },
  explain: async (error, signal) =>
    error.code === 'AUTH_FAILED'
      ? { failure: error, setting: error instanceof InTheWay ? 'webdav_api_url' : 'webdav_api_key' }
      : explainApi(error, server.url, times, signal),
});

/** nzbdav makes a category of any name; the others refuse what they do not know. */
const categoriesStep = ({ server, api, config }: Connection): Step => {
  const wanted = [
    ['webdav_movie_category', config.movieCategory],
    ['webdav_tv_category', config.tvCategory],
  ] as const;
  let setting: SettingId = 'webdav_movie_category';
  return {
    what: () => 'The categories',
    run: async (signal) => {
      const known = (await api.config(signal)).categories.map(({ name }) => name.toLowerCase());
      const isNew = (name: string) => known.length > 0 && name !== '' && !known.includes(name.toLowerCase());
      const missing = wanted.find(([, name]) => isNew(name));
      if (missing !== undefined && server.dialect.checksCategories) {
        [setting] = missing;
        throw noCategory(server.dialect.name, missing[1], known);
      }
      const inWords = (name: string) => (name === '' ? 'default' : name) + (isNew(name) ? ' (new)' : '');
      return wanted.map(([, name]) => inWords(name)).join(', ');
    },
    explain: (failure) => Promise.resolve({ failure, setting }),
  };
};

/** That it answers, that the login is right, and that the folder of finished releases is there. */
const shareStep = ({ server, folders, config, times }: Connection): Step => ({
  what: () => server.share().who,
  run: async (signal) => {
    const share = server.share();
    const root = server.dialect.root(await folders(signal));
    const entries = await listFolder(share, root, signal);
    if (entries === undefined) throw noRoot(share.who, root);
    return `/${[...server.dialect.sharePath, ...root].join('/')}, ${entries.length} folders`;
  },
  explain: async (error, signal) =>
    error.code === 'AUTH_FAILED'
      ? { failure: error, setting: config.password === '' ? 'webdav_username' : 'webdav_password' }
      : explainShare(error, server, times, signal),
});

const noCategory = (name: string, category: string, known: readonly string[]) =>
  new SlipstreamError('INVALID_REQUEST', {
    what: `${name} has no category "${category}".`,
    next: `Make it there, or enter one that it has: ${known.slice(0, 10).join(', ')}.`,
  });

const noRoot = (who: string, root: readonly string[]) =>
  new SlipstreamError(
    'BAD_ANSWER',
    {
      what: `${who} has no folder "${root.join('/')}" at this address.`,
      next: 'Check the path in the WebDAV address; best leave it empty, or end it after the port.',
    },
    { detail: 'HTTP 404' },
  );
