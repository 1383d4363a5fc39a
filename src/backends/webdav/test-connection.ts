import { refusedBySomebodyElse, runSteps, type Step } from '../../diagnosis/index.ts';
import { SlipstreamError } from '../../errors/index.ts';
import type { Check, SettingId } from '../../settings/index.ts';
import { InTheWay } from '../sabnzbd/answer.ts';
import type { SabApi } from '../sabnzbd/api.ts';
import type { WebdavConfig } from './config.ts';
import { explainApi, explainShare, soughtApi } from './diagnose.ts';
import type { Folders } from './dialect/index.ts';
import { noRoot, rootOf } from './root.ts';
import type { Server } from './server.ts';
import type { Times } from './times.ts';

export interface Connection {
  readonly server: Server;
  readonly api: SabApi;
  readonly folders: (signal: AbortSignal) => Promise<Folders>;
  readonly config: WebdavConfig;
  readonly times: Times;
}

/** As Backend.test: the API, the key, the categories, then the files. */
export function testConnection(connection: Connection, signal: AbortSignal): Promise<readonly Check[]> {
  return runSteps([apiStep(connection), categoriesStep(connection), shareStep(connection)], signal);
}

/** That it answers, that it is SABnzbd's dialect, which, and that the key is right. */
const apiStep = ({ server, api, times }: Connection): Step => ({
  what: () => `The API of ${server.dialect.name}`,
  run: async (signal) => {
    await server.recognise(signal);
    await api.queue(signal);
    return `${server.dialect.name}, API ${await api.version(signal)}`;
  },
  explain: async (error, signal) => {
    // The key is what was put into a header.
    if (error.code === 'INVALID_REQUEST') return { failure: error, setting: 'webdav_api_key' };
    if (error.code !== 'AUTH_FAILED') return await explainApi(error, server.url, times, signal);
    if (!(error instanceof InTheWay)) return { failure: error, setting: 'webdav_api_key' };
    const other = await refusedBySomebodyElse(error, soughtApi(server.url), { signal });
    return { failure: other ?? error, setting: 'webdav_api_url' };
  },
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
    explain: (failure) => ({ failure, setting }),
  };
};

/** That it answers, that the login is right, and that the folder of finished releases is there. */
const shareStep = ({ server, folders, times }: Connection): Step => ({
  what: () => server.share().who,
  run: async (signal) => {
    const { path, folders: count } = await rootOf(server, folders, signal);
    if (count === undefined) throw noRoot(server.share(), path);
    return `/${[...server.dialect.sharePath, ...path].join('/')}, ${count} folders`;
  },
  explain: async (error, signal) =>
    error.code === 'AUTH_FAILED'
      ? // The user is mostly the one that nzbdav begins with.
        { failure: error, setting: 'webdav_password' }
      : explainShare(error, server, times, signal),
});

const noCategory = (name: string, category: string, known: readonly string[]) =>
  new SlipstreamError('INVALID_REQUEST', {
    what: `${name} has no category "${category}".`,
    next: `Make it there, or enter one that it has: ${known.slice(0, 10).join(', ')}.`,
  });
