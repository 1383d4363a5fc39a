import { SlipstreamError } from '../../errors/index.ts';
import { deadlineSignal, poll } from '../../io/wait.ts';
import { chooseVideo } from '../../job-files/choose-video.ts';
import type { JobFile } from '../../job-files/files.ts';
import { noVideoError } from '../../job-files/no-video.ts';
import { subtitlesFor } from '../../job-files/subtitles.ts';
import type { Logger } from '../../log/index.ts';
import type { MediaRequest, RemoteFile, SubtitleFile } from '../../model/index.ts';
import type { FinishedJob, Located } from '../backend.ts';
import type { Folders, Place } from './dialect/index.ts';
import { encodePath, type Share } from './listing.ts';
import type { Server } from './server.ts';
import type { Times } from './times.ts';
import { type Found, firstFound } from './walk.ts';

/** How often a finished job is looked for that shows no file yet. */
const LOOKS = 4;

interface Tools {
  readonly signal: AbortSignal;
  readonly times: Times;
  readonly log: Logger;
}

/** Finds the video that fits the request in the job's folder. @throws as Backend.locate */
export async function locateVideo(
  server: Server,
  folders: (signal: AbortSignal) => Promise<Folders>,
  job: FinishedJob,
  request: MediaRequest,
  { signal, times, log }: Tools,
): Promise<Located> {
  const limit = deadlineSignal(signal, times.locate, () => tooSlow(server.share()));
  try {
    const places = server.dialect.places(job, await folders(limit.signal));
    const share = server.share();
    const { folder, files } = await found(share, places, { signal: limit.signal, times, log });
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
async function found(share: Share, places: readonly Place[], { signal, times, log }: Tools): Promise<Found> {
  let looks = 0;
  const look = async () => {
    looks++;
    try {
      const here = await firstFound(share, places, signal, log);
      if (here === undefined && looks >= LOOKS) throw notShown(share, places);
      return here?.files.length === 0 && looks < LOOKS ? undefined : here;
    } catch (error) {
      signal.throwIfAborted();
      if (looks >= LOOKS || !(error instanceof SlipstreamError && error.transient)) throw error;
      log.debug(`${share.who} is asked again: ${error.message}`);
      return undefined;
    }
  };
  const place = await poll(look, { signal, interval: () => times.recheck });
  if (place === undefined) throw notShown(share, places);
  return place;
}

function playableOf(
  server: Server,
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
function notShown({ owner }: Share, places: readonly Place[]): SlipstreamError {
  return new SlipstreamError(
    'BAD_ANSWER',
    {
      what: `${owner} says the release is ready, but its WebDAV does not show it.`,
      next: 'Check the WebDAV address in the settings of Slipstream (Backends).',
    },
    { detail: `no folder ${places.map(({ folder }) => `/${folder.join('/')}`).join(', ')}` },
  );
}

function tooSlow({ who, owner }: Share): SlipstreamError {
  return new SlipstreamError(
    'TIMEOUT',
    {
      what: `${who} took too long to list the files.`,
      next: `Check that ${owner} is not overloaded, then try again.`,
    },
    { transient: true },
  );
}
