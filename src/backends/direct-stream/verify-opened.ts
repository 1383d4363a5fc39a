import { noVideoError } from '../../job-files/no-video.ts';
import type { MediaRequest, Release } from '../../model/index.ts';
import type { ReceivedFile } from '../backend.ts';
import { checkAgainstNzb } from '../verify-playable.ts';
import { rejectMismatch } from './locate.ts';
import { expectedOf, rejectPartial, rejectStub, type StreamRow } from './stub.ts';

/** What was asked for. */
export interface RequestedStream {
  /** As messages name whoever gave the stream. */
  readonly who: string;
  readonly release: Release;
  readonly request: MediaRequest;
  /** The row of a stream list that it was chosen in; absent: it was found as an NZB. */
  readonly row?: StreamRow;
  /** As Nzb.videoBytes. */
  readonly nzbVideoBytes?: number | undefined;
}

/**
 * Holds a stream that has been opened against what was asked for: only then is it known what its file is called, and how
 * large it is. The size of a pack says nothing of one episode.
 * @throws DAMAGED for a stub; NO_VIDEO for another one than was asked for, or when nobody can tell
 */
export function verifyOpened(
  { who, release, request, row, nzbVideoBytes: held }: RequestedStream,
  { size, name }: ReceivedFile,
): void {
  const { advertised, holdsMore } = expectedOf(release, request);
  if (size !== undefined) {
    if (row !== undefined) rejectPartial(who, size, { release, request, row });
    else rejectStub(who, size, advertised);
    if (held !== undefined) checkAgainstNzb(size, held, []);
  }
  // Which of the episodes it is was not ours to say.
  if (name === undefined && holdsMore === true) throw noVideoError({ reason: 'untold-episodes' }, 1, false);
  const path = [name ?? `${release.name}.mkv`];
  rejectMismatch({ path, ...(size !== undefined && { size }) }, request, release.name);
}
