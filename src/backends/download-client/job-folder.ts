import { asSlipstreamError, SlipstreamError } from '../../errors/index.ts';
import type { HostFile } from '../../host/port.ts';
import type { JobFile } from '../../job-files/choose-video.ts';
import type { Logger } from '../../log/index.ts';
import { listJobFiles } from '../job/list-files.ts';
import type { GuardedFiles } from './guarded-files.ts';
import type { PathRule } from './paths/mapping.ts';
import { type PlayerFolder, pathInside } from './paths/player-folder.ts';

/** A job's folder: a stretch of path below a folder of the media centre. */
export interface JobFolder {
  readonly root: PlayerFolder;
  readonly parts: readonly string[];
}

/** How the media centre opens what lies in the job's folder; undefined for a name that it would take for a path. */
export const pathOf = ({ root, parts }: JobFolder, path: readonly string[]): string | undefined =>
  pathInside(root, [...parts, ...path]);

/** The job's files. @returns undefined when there is no such folder. @throws as GuardedFiles.list */
export async function listJobFolder(
  folder: JobFolder,
  files: GuardedFiles,
  signal: AbortSignal,
  log: Logger,
): Promise<JobFile[] | undefined> {
  const list = async (below: readonly string[]) => {
    const entries = await files.list(pathOf(folder, below) ?? '', signal);
    return entries?.filter(({ name }) => name !== '' && pathOf(folder, [...below, name]) !== undefined);
  };
  return await listJobFiles(list, (found) => {
    log.warning(`the folder of the job holds more than is looked at (${found} files so far)`);
  });
}

/** What lies in a folder of the media centre's. @throws INVALID_REQUEST when it does not open; as GuardedFiles.list */
export async function openFolder(
  files: GuardedFiles,
  { to }: PathRule,
  signal: AbortSignal,
): Promise<readonly HostFile[]> {
  const entries = await files.list(to.path, signal);
  if (entries !== undefined) return entries;
  throw new SlipstreamError('INVALID_REQUEST', {
    what: `The folder ${to.path} cannot be opened.`,
    next:
      to.server === undefined
        ? 'Check that it is there, and that it may be read.'
        : 'Check the name of the share and the folder; if it wants a password, add it as a source in Kodi (Settings, File manager) and let Kodi remember it.',
  });
}

/** Which of the folders will hold a job is told with the job: one that opens is enough. @throws what the first fails of */
export async function openAnyFolder(
  files: GuardedFiles,
  rules: readonly PathRule[],
  signal: AbortSignal,
): Promise<void> {
  let failure: SlipstreamError | undefined;
  for (const rule of rules) {
    try {
      await openFolder(files, rule, signal);
      return;
    } catch (error) {
      signal.throwIfAborted();
      failure ??= asSlipstreamError(error);
    }
  }
  if (failure !== undefined) throw failure;
}
