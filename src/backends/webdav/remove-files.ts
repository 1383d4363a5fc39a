import { asSlipstreamError, SlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import { UNIQUE_SUFFIX } from '../job/unique-suffix.ts';
import type { FoundJob } from '../sabnzbd/find-job.ts';
import { deleteFolder } from './dav-client.ts';
import type { ServerFolders } from './dialect/index.ts';
import type { WebdavServer } from './server.ts';

/** Deletes the files of a job that its server would leave in the share. @throws what passes: it may be tried again */
export type RemoveFiles = (job: FoundJob, name: string, signal: AbortSignal) => Promise<void>;

/** Only a folder of exactly our unique name is deleted: any other may be somebody's. */
export function filesRemover(
  server: Pick<WebdavServer, 'dialect' | 'share'>,
  folders: (signal: AbortSignal) => Promise<ServerFolders>,
  log: Logger,
): RemoveFiles {
  return async ({ id, category }, name, signal) => {
    if (!server.dialect.leavesFiles || !UNIQUE_SUFFIX.test(name)) return;
    const places = server.dialect.jobLocations({ id, name, category, storage: name }, await folders(signal));
    const share = server.share();
    for (const { folder, stem } of places) {
      if (stem !== undefined || folder.at(-1) !== name) continue;
      await deleteFolder(share, folder, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof SlipstreamError && error.transient) throw error;
        log.warning(`${share.who} keeps the files of ${name}: ${asSlipstreamError(error).message}`);
      });
    }
  };
}
