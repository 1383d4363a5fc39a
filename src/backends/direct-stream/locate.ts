import { SlipstreamError } from '../../errors/index.ts';
import { deadlineSignal } from '../../io/wait.ts';
import { chooseVideo, type JobFile } from '../../job-files/choose-video.ts';
import { noVideoError } from '../../job-files/no-video.ts';
import type { Logger } from '../../log/index.ts';
import { extensionForMime } from '../../media/mime.ts';
import type { MediaRequest, Playable, RemoteFile } from '../../model/index.ts';
import type { FinishedJob, Located } from '../backend.ts';
import { openWhenReady } from './open-when-ready.ts';
import { probeSizes } from './probe-sizes.ts';
import type { StreamService } from './service.ts';
import { servingOf } from './serving.ts';
import { type OpenedStream, parseOffer, type Stream } from './streams.ts';
import type { DirectStreamTimings } from './timings.ts';

interface LocateContext {
  readonly via: Playable['via'];
  readonly signal: AbortSignal;
  readonly times: DirectStreamTimings;
  readonly log: Logger;
}

/**
 * Chooses among the job's streams. The proxy opens the chosen one by itself; for the media centre it is opened here to
 * prove it, unless the wait has done so. The media centre gets the address behind the redirects: it opens an address
 * three times before it plays (protocols.md §10.3), and the first address may lead to another file or a notice by then
 * (protocols.md §2.9, §8.1). `verifyOpened` compares the stream with the release.
 *
 * @throws as Backend.locate; JOB_FAILED for a notice
 */
export async function locateStream(
  service: StreamService,
  job: FinishedJob,
  request: MediaRequest,
  circumstances: LocateContext,
): Promise<Located> {
  const { streams, opened, wait = circumstances.times.locate, holdsMore } = parseOffer(job.storage);
  const { via, signal, times, log } = circumstances;
  signal.throwIfAborted();
  const limit = deadlineSignal(signal, times.locate, () => timeoutError(service.name));
  try {
    limit.signal.throwIfAborted();
    // Alternatives of one stream are no files of a job.
    const several = service.namesWhenReady ? streams : [];
    const sizes = await probeSizes(several, { who: service.name, timeout: times.read, signal: limit.signal });
    const all = streams.map((each, at) => fileOf(each, job, sizes[at]));
    const stream = service.namesWhenReady ? chooseStream(streams, all, request, job.name) : streams[0];
    if (stream === undefined) throw noVideoError({ reason: 'other-episodes' }, 0);
    if (via === 'proxy') return locateUnopened(service, stream, streams, all, { job, wait });
    const open =
      opened ??
      (await openWhenReady(
        { url: stream.url, who: service.name, signal: limit.signal },
        { times, log, maxSilence: times.maxReadySilence, usenet: true },
      ));
    const { size } = open;
    const told = open.name ?? stream.path.at(-1);
    const name = videoName(told, open, job.name);
    // One episode's size says nothing against that of the whole pack.
    const sizeOf = (at: number) => (streams[at] === stream ? size : sizes[at]);
    const files = streams.map((each, at) => fileOf(each, job, holdsMore === true ? undefined : sizeOf(at)));
    return { file: { via: 'player', url: open.url, name, size }, files, received: { size, name: told } };
  } finally {
    limit.done();
  }
}

/** What the proxy opens: until then nobody knows how large it is, or what it is called where its address does not tell. */
function locateUnopened(
  { name: who, kind, namesWhenReady }: StreamService,
  stream: Stream,
  streams: readonly Stream[],
  files: readonly JobFile[],
  { job, wait }: { readonly job: FinishedJob; readonly wait: number },
): Located {
  // Alternatives of one stream are no files of a job.
  const others = namesWhenReady ? [] : streams.filter((each) => each !== stream).map(({ url }) => url);
  const file: RemoteFile = {
    via: 'proxy',
    url: stream.url,
    headers: {},
    name: stream.path.at(-1) ?? `${job.name}.mkv`,
    serving: servingOf(kind),
    opening: { who, wait, usenet: true, ...(others.length > 0 && { others }) },
  };
  return { file, files };
}

/** Sizes decide where names do not: a sample may be called as the job. */
function chooseStream(
  streams: readonly Stream[],
  files: readonly JobFile[],
  request: MediaRequest,
  release: string,
): Stream | undefined {
  if (streams.length === 0) return undefined;
  const choice = chooseVideo(files, request, release);
  if (choice.kind === 'none') throw noVideoError(choice, files.length);
  return streams[files.indexOf(choice.file)];
}

/** A stream without a name is as its release is called. */
const fileOf = ({ path }: Stream, { name }: FinishedJob, size?: number): JobFile => ({
  path: path.length === 0 ? [`${name}.mkv`] : path,
  ...(size !== undefined && { size }),
});

/** The file's own name; the release's where nobody tells, with the ending that its content has. */
export const videoName = (own: string | undefined, { mime }: OpenedStream, release: string): string =>
  own ?? `${release}.${(mime === undefined ? undefined : extensionForMime(mime)) ?? 'mkv'}`;

/** What the file turns out to be called may contradict what was asked for. @throws NO_VIDEO */
export function rejectMismatch(file: JobFile, request: MediaRequest, release: string): void {
  const choice = chooseVideo([file], request, release);
  if (choice.kind === 'none') throw noVideoError(choice, 1, false);
}

const timeoutError = (name: string) =>
  new SlipstreamError(
    'TIMEOUT',
    {
      what: `${name} took too long to open the stream.`,
      next: `Check that ${name} is not overloaded, then try again.`,
    },
    { transient: true },
  );
