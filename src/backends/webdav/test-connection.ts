import type { Check } from '../../diagnosis/check.ts';
import { type CheckStep, refusedByOtherServer, runCheckSteps } from '../../diagnosis/index.ts';
import { SlipstreamError } from '../../errors/index.ts';
import type { SettingId } from '../../settings/index.ts';
import { BlockedByGateway, queueFullError } from '../sabnzbd/answer.ts';
import type { SabApi } from '../sabnzbd/api.ts';
import { noCategory, serverSpelling } from './category.ts';
import type { WebdavConfig } from './config.ts';
import { LoginRefused, listFolder } from './dav-client.ts';
import { apiProbe, explainApi, explainShare } from './diagnose.ts';
import type { ServerFolders } from './dialect/index.ts';
import { explainLogin } from './explain-login.ts';
import { noProvider } from './failed-job.ts';
import { noRootError, readRoot } from './root.ts';
import type { WebdavServer } from './server.ts';
import type { WebdavTimings } from './timings.ts';

export interface Connection {
  readonly server: WebdavServer;
  readonly api: SabApi;
  readonly folders: (signal: AbortSignal) => Promise<ServerFolders>;
  readonly config: WebdavConfig;
  readonly times: WebdavTimings;
}

/** As Backend.test: the API, the key, the categories, the queue, the usenet provider, then the files. */
export function testConnection(connection: Connection, signal: AbortSignal): Promise<readonly Check[]> {
  const steps = [apiStep, categoriesStep, queueStep, providerStep, shareStep];
  return runCheckSteps(
    steps.map((step) => step(connection)),
    signal,
  );
}

/** That it answers, that it is SABnzbd's dialect, which, and that the key is right. */
const apiStep = ({ server, api, times }: Connection): CheckStep => ({
  what: () => `The API of ${server.dialect.name}`,
  run: async (signal) => {
    await server.detect(signal);
    const { paused } = await api.queue(signal);
    const found = `${server.dialect.name}, API ${await api.version(signal)}`;
    return paused ? `${found}, its queue is paused` : found;
  },
  explain: async (error, signal) => {
    // The key is what was put into a header.
    if (error.code === 'INVALID_REQUEST') return { failure: error, setting: 'webdav_api_key' };
    if (error.code !== 'AUTH_FAILED') return await explainApi(error, server.url, times, signal);
    if (!(error instanceof BlockedByGateway)) return { failure: error, setting: 'webdav_api_key' };
    const other = await refusedByOtherServer(error, apiProbe(server.url), { signal });
    return { failure: other ?? error, setting: 'webdav_api_url' };
  },
});

/** nzbdav makes a category of any name; the others refuse what they do not know. */
const categoriesStep = ({ server, api, config }: Connection): CheckStep => {
  const wanted = [
    ['webdav_movie_category', config.movieCategory],
    ['webdav_tv_category', config.tvCategory],
  ] as const;
  let setting: SettingId = 'webdav_movie_category';
  return {
    what: () => 'The categories',
    run: async (signal) => {
      const known = (await api.config(signal)).categories.map(({ name }) => name);
      const isNew = (name: string) =>
        known.length > 0 && name !== '' && serverSpelling(name, known) === undefined;
      const missing = wanted.find(([, name]) => isNew(name));
      if (missing !== undefined && server.dialect.checksCategories) {
        [setting] = missing;
        throw noCategory(server.dialect.name, missing[1], known);
      }
      const sent = (name: string) =>
        (server.dialect.isCategoryCaseSensitive ? serverSpelling(name, known) : name) ?? name;
      const inWords = (name: string) =>
        (name === '' ? 'default' : sent(name)) + (isNew(name) ? ' (new)' : '');
      return wanted.map(([, name]) => inWords(name)).join(', ');
    },
    explain: (failure) => ({ failure, setting }),
  };
};

/** That it takes another job; only InfiniDysk has a limit, and tells it (protocols.md §1.2, §2.8). */
const queueStep = ({ server, api }: Connection): CheckStep => ({
  what: () => `The queue of ${server.dialect.name}`,
  run: async (signal) => {
    const limit = api.hasWarnings ? await api.queueLimit(signal) : undefined;
    if (limit === undefined || limit <= 0) return [];
    const { length } = (await api.queue(signal)).slots;
    const found = `${length} of ${limit} jobs`;
    if (length >= limit) throw queueFullError(api.name, found);
    return found;
  },
  explain: (failure) => ({ failure }),
});

/** That one is set up, and may deliver; only InfiniDysk tells (protocols.md §1.3, §2.8). */
const providerStep = ({ server, api }: Connection): CheckStep => {
  return {
    what: () => `The usenet provider of ${server.dialect.name}`,
    run: async (signal) => {
      if (!api.hasWarnings) return [];
      const providers = await api.providers(signal);
      if (providers.length === 0) throw noProvider(api.name);
      const usedUp = (await api.usage(signal))
        .filter(({ isOverLimit: overLimit }) => overLimit)
        .map((each) => each.name);
      if (usedUp.length >= providers.length) throw quotaUsedUpText(api.name, usedUp);
      const note = usedUp.length === 0 ? '' : `; used up: ${usedUp.join(', ')}`;
      return `${providers.join(', ')}${note}`;
    },
    explain: (failure) => ({ failure }),
  };
};

/** That it answers, that the login is right, and that the folder of finished releases is there. */
const shareStep = ({ server, api, folders, config, times }: Connection): CheckStep => ({
  what: () => server.share().who,
  run: async (signal) => {
    const { path, folders: count } = await readRoot(server, folders, signal);
    const shown = `/${[...server.dialect.sharePath, ...path].join('/')}`;
    if (count !== undefined) return `${shown}, ${count} folders`;
    // AltMount makes it with its first job.
    const isFresh =
      server.dialect.hasFolderSettings && (await listFolder(server.share(), [], signal)) !== undefined;
    if (!isFresh) throw noRootError(server.share(), path);
    return `${shown} comes with the first release`;
  },
  explain: async (failure, signal) => {
    if (failure instanceof LoginRefused) return await explainLogin(failure, { server, api, config }, signal);
    if (failure.code === 'AUTH_FAILED') return { failure, setting: 'webdav_password' };
    return await explainShare(failure, server, times, signal);
  },
});

const quotaUsedUpText = (name: string, providers: readonly string[]) =>
  new SlipstreamError('RATE_LIMITED', {
    what: `The data of the usenet provider of ${name} is used up (${providers.join(', ')}).`,
    next: `Raise its limit in ${name} (Settings, Usenet), or add another provider there.`,
  });
