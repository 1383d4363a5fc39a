import { SlipstreamError } from '../../errors/index.ts';
import { deadlineSignal, poll } from '../../io/wait.ts';
import { chooseVideo } from '../../job-files/choose-video.ts';
import type { JobFile } from '../../job-files/files.ts';
import { noVideoError } from '../../job-files/no-video.ts';
import { subtitlesFor } from '../../job-files/subtitles.ts';
import type { Logger } from '../../log/index.ts';
import type { MediaRequest, RemoteFile, SubtitleFile } from '../../model/index.ts';
import type { FinishedJob, Located } from '../backend.ts';
import { type DavShare, encodePath } from './dav-client.ts';
import type { JobLocation, ServerFolders } from './dialect/index.ts';
import { type FoundFolder, findFirstFolder } from './find-folder.ts';
import type { WebdavServer } from './server.ts';
import type { WebdavTimings } from './timings.ts';

/** How often a finished job is looked for that shows no file yet. */
const FIND_ATTEMPTS = 4;

interface LocateContext {
  readonly signal: AbortSignal;
  readonly times: WebdavTimings;
  readonly log: Logger;
}

/** Finds the video that fits the request in the job's folder. @throws as Backend.locate */
export async function locateVideo(
  server: WebdavServer,
  folders: (signal: AbortSignal) => Promise<ServerFolders>,
  job: FinishedJob,
  request: MediaRequest,
  { signal, times, log }: LocateContext,
): Promise<Located> {
  const limit = deadlineSignal(signal, times.locate, () => timeoutError(server.share()));
  try {
    const places = server.dialect.jobLocations(job, await folders(limit.signal));
    const share = server.share();
    const { folder, files } = await findWithRetry(share, places, { signal: limit.signal, times, log });
    const choice = chooseVideo(files, request, folder.at(-1) ?? '');
    if (choice.kind === 'none') throw noVideoError(choice, files.length);
    return { file: playableOf(server, folder, choice.file, subtitlesFor(files, choice.file)), files };
  } finally {
    limit.done();
  }
}

/**
 * Right after completion the share may lag behind the history, so a folder that is absent or empty is looked at again.
 * @throws BAD_ANSWER when it stays absent
 */
async function findWithRetry(
  share: DavShare,
  places: readonly JobLocation[],
  { signal, times, log }: LocateContext,
): Promise<FoundFolder> {
  let looks = 0;
  const look = async () => {
    looks++;
    try {
      const here = await findFirstFolder(share, places, signal, log);
      if (here === undefined && looks >= FIND_ATTEMPTS) throw folderMissingError(share, places);
      return here?.files.length === 0 && looks < FIND_ATTEMPTS ? undefined : here;
    } catch (error) {
      signal.throwIfAborted();
      if (looks >= FIND_ATTEMPTS || !(error instanceof SlipstreamError && error.transient)) throw error;
      log.debug(`${share.who} is asked again: ${error.message}`);
      return undefined;
    }
  };
  const place = await poll(look, { signal, interval: () => times.recheck });
  if (place === undefined) throw folderMissingError(share, places);
  return place;
}

function playableOf(
  server: WebdavServer,
  folder: readonly string[],
  { path, size }: JobFile,
  subtitles: readonly JobFile[],
): RemoteFile {
  const share = server.share();
  const addressOf = (file: readonly string[]) => `${share.url}/${encodePath([...folder, ...file])}`;
  const subtitle = (file: JobFile): SubtitleFile => ({
    url: addressOf(file.path),
    name: file.path.at(-1) ?? '',
  });
  return {
    via: 'proxy',
    url: addressOf(path),
    headers: share.headers,
    name: path.at(-1) ?? '',
    serving: server.dialect.serving,
    ...(size !== undefined && { size }),
    ...(subtitles.length > 0 && { subtitles: subtitles.map(subtitle) }),
  };
}

/** The history knows the job, so the share that was asked is another one, or begins elsewhere. */
function folderMissingError({ owner }: DavShare, places: readonly JobLocation[]): SlipstreamError {
  return new SlipstreamError(
    'BAD_ANSWER',
    {
      what: `${owner} says the release is ready, but its WebDAV does not show it.`,
      next: 'Check the WebDAV address in the settings of Slipstream (Backends).',
    },
    { detail: `no folder ${places.map(({ folder }) => `/${folder.join('/')}`).join(', ')}` },
  );
}

function timeoutError({ who, owner }: DavShare): SlipstreamError {
  return new SlipstreamError(
    'TIMEOUT',
    {
      what: `${who} took too long to list the files.`,
      next: `Check that ${owner} is not overloaded, then try again.`,
    },
    { transient: true },
  );
}
