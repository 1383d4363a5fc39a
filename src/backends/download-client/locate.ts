import { SlipstreamError } from '../../errors/index.ts';
import { sanitizeExternalText } from '../../io/external-text.ts';
import { deadlineSignal, poll } from '../../io/wait.ts';
import { chooseVideo, type JobFile } from '../../job-files/choose-video.ts';
import { noVideoError } from '../../job-files/no-video.ts';
import { subtitlesFor } from '../../job-files/subtitles.ts';
import type { Logger } from '../../log/index.ts';
import { nonVideoError, START_BYTES } from '../../media/non-video-error.ts';
import type { MediaRequest, OpenFile, SubtitleFile } from '../../model/index.ts';
import type { FinishedJob, Located } from '../backend.ts';
import { NAME } from './config.ts';
import type { GuardedFiles } from './guarded-files.ts';
import { type JobFolder, listJobFolder, pathOf } from './job-folder.ts';
import { type MappedFolder, mapFolder, type PathRule } from './paths/mapping.ts';
import type { NzbgetTimings } from './timings.ts';

/** Where finished downloads lie for the media centre. */
export interface PlayerShare {
  readonly files: GuardedFiles;
  rules(signal: AbortSignal): Promise<readonly PathRule[]>;
}

interface Context {
  readonly signal: AbortSignal;
  readonly times: NzbgetTimings;
  readonly log: Logger;
}

/** What one look into the folder found. */
type LocateResult =
  | { readonly kind: 'found'; readonly located: Located }
  /** Worth another look until `patience` milliseconds have passed since the first. */
  | { readonly kind: 'not-yet'; readonly failure: SlipstreamError; readonly patience: number };

/**
 * Finds the video that fits the request in the job's folder, and reads its beginning. A share may show the files a moment
 * later than NZBGet's history, so what is not there is looked for again.
 * @throws as Backend.locate; TIMEOUT; INVALID_REQUEST, NOT_CONFIGURED when the settings name no folder that can be opened
 */
export async function locateVideo(
  share: PlayerShare,
  job: FinishedJob,
  request: MediaRequest,
  { signal, times, log }: Context,
): Promise<Located> {
  const limit = deadlineSignal(signal, times.locate, timeoutError);
  const context = { signal: limit.signal, times, log };
  try {
    const folder = mapJobFolder(job, await readRulesWithRetry(share, context));
    log.debug(`the job's folder is ${folder.path}`);
    const since = performance.now();
    const look = async () => {
      const sight = await scanFolder(share.files, folder, request, context);
      if (sight.kind === 'found') return sight.located;
      if (performance.now() - since >= sight.patience) throw sight.failure;
      log.debug(`looking again: ${sight.failure.message}`);
      return undefined;
    };
    const located = await poll(look, { signal: limit.signal, interval: () => times.recheck });
    // Without a deadline of its own, polling ends with what it looked for.
    if (located === undefined) throw timeoutError();
    return located;
  } finally {
    limit.done();
  }
}

/** NZBGet may have to be asked for its folder, and may be away for a moment. */
async function readRulesWithRetry(
  share: PlayerShare,
  { signal, times, log }: Context,
): Promise<readonly PathRule[]> {
  const since = performance.now();
  const look = async () => {
    try {
      return await share.rules(signal);
    } catch (error) {
      signal.throwIfAborted();
      const mayPass = error instanceof SlipstreamError && error.transient;
      if (!mayPass || performance.now() - since >= times.appear) throw error;
      log.debug(`${NAME} is asked again for its folder: ${error.message}`);
      return undefined;
    }
  };
  return (await poll(look, { signal, interval: () => times.recheck })) ?? [];
}

function mapJobFolder({ storage }: FinishedJob, rules: readonly PathRule[]): MappedFolder {
  const folder = mapFolder(storage, rules);
  if (folder !== undefined) return folder;
  throw new SlipstreamError(
    'BAD_ANSWER',
    {
      what: `${NAME} says the release is ready, but in a folder that the settings do not name (${sanitizeExternalText(storage)}).`,
      next: `Check the folder of finished downloads in the settings of Slipstream (Backends), and how ${NAME} calls it; a category's own folder is added under "More folders".`,
    },
    { detail: `no rule for ${storage} among ${rules.map(({ text }) => text.from).join(', ')}` },
  );
}

async function scanFolder(
  share: GuardedFiles,
  folder: MappedFolder,
  request: MediaRequest,
  { signal, times, log }: Context,
): Promise<LocateResult> {
  const files = await listJobFolder(folder, share, signal, log);
  if (files === undefined)
    return { kind: 'not-yet', failure: folderMissingError(folder), patience: times.appear };
  const choice = chooseVideo(files, request, folder.parts.at(-1) ?? '');
  if (choice.kind === 'none') {
    const failure = noVideoError(choice, files.length);
    return { kind: 'not-yet', failure, patience: choice.reason === 'no-video' ? times.appear : times.settle };
  }
  const file = openFile(folder, choice.file, files);
  const failure = await readProblem(share, file, signal);
  if (failure !== undefined)
    return {
      kind: 'not-yet',
      failure,
      patience: failure.code === 'SERVICE_ERROR' ? times.appear : times.settle,
    };
  return { kind: 'found', located: { file, files } };
}

function openFile(folder: JobFolder, video: JobFile, files: readonly JobFile[]): OpenFile {
  const addressed = ({ path }: JobFile): SubtitleFile => {
    return { url: pathOf(folder, path) ?? '', name: path.at(-1) ?? '' };
  };
  const subtitles = subtitlesFor(files, video).map(addressed);
  return {
    via: 'player',
    ...addressed(video),
    ...(video.size !== undefined && { size: video.size }),
    ...(subtitles.length > 0 && { subtitles }),
  };
}

/** @returns why the file's beginning cannot be had, or is none of a video; undefined: it is. More than a listing proves. */
async function readProblem(
  share: GuardedFiles,
  { url, size }: OpenFile,
  signal: AbortSignal,
): Promise<SlipstreamError | undefined> {
  const head = await share.read(url, { from: 0, length: START_BYTES }, signal);
  if (head === undefined) return unreadableError();
  if (head.byteLength < Math.min(START_BYTES, size ?? 1)) return truncatedError(head.byteLength);
  return nonVideoError(head, NAME);
}

/** A listing may come from a session of the media centre's that no longer reads: it is no failing of the release. */
export const unreadableError = (): SlipstreamError =>
  new SlipstreamError('SERVICE_ERROR', {
    what: 'The finished file is listed, but cannot be read.',
    next: 'Check the rights of the folder of finished downloads; if they are right, restart Kodi, or mount the folder by NFS.',
  });

export const truncatedError = (bytes: number): SlipstreamError =>
  new SlipstreamError(
    'DAMAGED',
    { what: 'The finished file ends before its end.', next: 'Try another release.' },
    { detail: `${bytes} bytes came` },
  );

/** The history knows the job, so the folder that was asked is another one, or begins elsewhere. */
function folderMissingError({ path, rule }: MappedFolder): SlipstreamError {
  return new SlipstreamError(
    'BAD_ANSWER',
    {
      what: `${NAME} says the release is ready, but the folder of finished downloads does not show it.`,
      next: 'Check the address of that folder in the settings of Slipstream (Backends).',
    },
    { detail: `no folder ${path} by ${rule.text.from} = ${rule.text.to}` },
  );
}

function timeoutError(): SlipstreamError {
  return new SlipstreamError(
    'TIMEOUT',
    {
      what: 'The folder of finished downloads took too long to list its files.',
      next: 'Check that its file server is not overloaded, then try again.',
    },
    { transient: true },
  );
}
