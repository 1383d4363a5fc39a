import { SlipstreamError } from '../../errors/index.ts';
import { deadlineSignal, poll } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import type { MediaRequest, RemoteFile } from '../../model/index.ts';
import type { FinishedJob, Located } from '../backend.ts';
import { chooseVideo, type JobFile, type VideoChoice } from '../video/choose-video.ts';
import { NAME, WEBDAV_NAME } from './config.ts';
import { encodePath, listFolder, type Share } from './listing.ts';
import type { Times } from './times.ts';

/** The job's folder and two below it: a disc's BDMV/STREAM lies that deep. */
const MAX_LEVELS = 3;
/** A pack of a hundred episodes, each in a folder of its own. */
const MAX_FOLDERS = 150;
const MAX_FILES = 5_000;
/** How often a finished job is looked for that shows no file yet. */
const LOOKS = 4;

/** Finds the video that fits the request in the job's folder. @throws as Backend.locate */
export async function locateVideo(
  share: Share,
  job: FinishedJob,
  request: MediaRequest,
  { signal, times, log }: { signal: AbortSignal; times: Times; log: Logger },
): Promise<Located> {
  const folder = folderOf(job);
  const limit = deadlineSignal(signal, times.locate, tooSlow);
  try {
    const files = await filesOf(share, folder, { signal: limit.signal, times, log });
    const choice = chooseVideo(files, request, folder.at(-1) ?? '');
    if (choice.kind === 'none') throw noVideo(choice.reason, files.length);
    return { file: playableOf(share, folder, choice.file), files };
  } finally {
    limit.done();
  }
}

/** `storage` is a path on the server's own disk; only its last part is the folder's name in the share (§1.6). */
export function folderOf({ category, storage, name }: FinishedJob): readonly string[] {
  const last = storage
    .split(/[/\\]/)
    .filter((part) => part !== '')
    .at(-1);
  const folder = last === undefined || last === '.' || last === '..' ? name : last;
  return ['content', category, folder];
}

/**
 * Right after completion the share may lag behind the history, so a folder that is absent or empty is looked at again.
 * @throws BAD_ANSWER when it stays absent
 */
async function filesOf(
  share: Share,
  folder: readonly string[],
  { signal, times, log }: { signal: AbortSignal; times: Times; log: Logger },
): Promise<JobFile[]> {
  let looks = 0;
  const look = async () => {
    looks++;
    try {
      const files = await walk(share, folder, signal, log);
      if (files === undefined && looks >= LOOKS) throw notShown(folder);
      return files?.length === 0 && looks < LOOKS ? undefined : files;
    } catch (error) {
      signal.throwIfAborted();
      if (looks >= LOOKS || !(error instanceof SlipstreamError && error.transient)) throw error;
      log.debug(`${WEBDAV_NAME} is asked again: ${error.message}`);
      return undefined;
    }
  };
  return (await poll(look, { signal, interval: () => times.recheck })) ?? [];
}

/**
 * Level by level, one listing at a time; hidden files and folders are left out.
 * @returns undefined when there is no such folder
 */
async function walk(
  share: Share,
  root: readonly string[],
  signal: AbortSignal,
  log: Logger,
): Promise<JobFile[] | undefined> {
  const files: JobFile[] = [];
  const folders: (readonly string[])[] = [[]];
  for (let i = 0; i < folders.length; i++) {
    const below = folders[i] ?? [];
    if (i >= MAX_FOLDERS || files.length >= MAX_FILES) {
      log.warning(`${WEBDAV_NAME}: the job holds more than is looked at (${files.length} files so far)`);
      break;
    }
    const entries = await listFolder(share, [...root, ...below], signal);
    if (entries === undefined && i === 0) return undefined;
    for (const { name, isFolder, size } of entries ?? []) {
      if (name.startsWith('.')) continue;
      const path = [...below, name];
      if (!isFolder) files.push(size === undefined ? { path } : { path, size });
      else if (path.length < MAX_LEVELS) folders.push(path);
    }
  }
  return files;
}

function playableOf(share: Share, folder: readonly string[], { path, size }: JobFile): RemoteFile {
  const playable = {
    via: 'proxy' as const,
    url: `${share.url}/${encodePath([...folder, ...path])}`,
    headers: share.headers,
    name: path.at(-1) ?? '',
  };
  return size === undefined ? playable : { ...playable, size };
}

type Reason = Extract<VideoChoice, { kind: 'none' }>['reason'];

function noVideo(reason: Reason, files: number): SlipstreamError {
  const what: Record<Reason, string> = {
    'no-video': 'The release holds no video.',
    'only-extras': 'The release holds only samples and extras.',
    'other-episodes': 'The release holds other episodes than the one you chose.',
    ambiguous: 'The release holds several videos, and none says which episode it is.',
  };
  return new SlipstreamError(
    'NO_VIDEO',
    { what: what[reason], next: 'Try another release.' },
    { detail: `${reason}, ${files} files` },
  );
}

/** The history knows the job, so the share that was asked is another one, or begins elsewhere. */
function notShown(folder: readonly string[]): SlipstreamError {
  return new SlipstreamError(
    'BAD_ANSWER',
    {
      what: `${NAME} says the release is ready, but its WebDAV does not show it.`,
      next: 'Check the WebDAV address in the settings.',
    },
    { detail: `no folder /${folder.join('/')}` },
  );
}

function tooSlow(): SlipstreamError {
  return new SlipstreamError(
    'TIMEOUT',
    {
      what: `${WEBDAV_NAME} took too long to list the files.`,
      next: `Check that ${NAME} is not overloaded, then try again.`,
    },
    { transient: true },
  );
}
