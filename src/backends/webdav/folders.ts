import { memoizeSuccess } from '../memoize.ts';
import type { SabApi } from '../sabnzbd/api.ts';
import { NO_FOLDERS, pathParts, type ServerFolders } from './dialect/index.ts';
import type { WebdavServer } from './server.ts';

/** Where the server keeps what is finished, asked once where it can be set. @throws as the API's calls */
export function readServerFolders(
  server: Pick<WebdavServer, 'dialect'>,
  api: SabApi,
): (signal: AbortSignal) => Promise<ServerFolders> {
  const ask = memoizeSuccess(async (signal): Promise<ServerFolders> => {
    const { completeDir, categories } = await api.config(signal);
    const named = categories.map(({ name, dir }) => [name.toLowerCase(), dir === '' ? name : dir] as const);
    const names = categories.map(({ name }) => name);
    return { complete: pathParts(completeDir), categories: new Map(named), names };
  });
  return (signal) => (server.dialect.hasFolderSettings ? ask(signal) : Promise.resolve(NO_FOLDERS));
}
