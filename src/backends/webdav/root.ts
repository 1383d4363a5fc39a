import { SlipstreamError } from '../../errors/index.ts';
import { listFolder } from './dav-client.ts';
import type { ServerFolders } from './dialect/index.ts';
import type { WebdavServer } from './server.ts';

/** The folder of all finished jobs. */
export interface CompletedRoot {
  /** From the share's own root. */
  readonly path: readonly string[];
  /** Undefined: it is not there. */
  readonly folders: number | undefined;
}

/** Lists the folder under which all jobs appear: that the share answers, and takes the login. @throws as listFolder */
export async function readRoot(
  server: WebdavServer,
  folders: (signal: AbortSignal) => Promise<ServerFolders>,
  signal: AbortSignal,
): Promise<CompletedRoot> {
  const path = server.dialect.root(await folders(signal));
  return { path, folders: (await listFolder(server.share(), path, signal))?.length };
}

export const noRootError = ({ who }: { readonly who: string }, path: readonly string[]): SlipstreamError =>
  new SlipstreamError(
    'BAD_ANSWER',
    {
      what: `${who} has no folder "${path.join('/')}" at this address.`,
      next: 'Check the path in the WebDAV address; best leave it empty, or end it after the port.',
    },
    { detail: 'HTTP 404' },
  );

/** As Backend.preflight. Where the folder's place is a setting of the server's, it may come with the first job. */
export async function preflight(
  server: WebdavServer,
  folders: (signal: AbortSignal) => Promise<ServerFolders>,
  signal: AbortSignal,
): Promise<void> {
  const root = await readRoot(server, folders, signal);
  if (root.folders === undefined && !server.dialect.hasFolderSettings)
    throw noRootError(server.share(), root.path);
}
