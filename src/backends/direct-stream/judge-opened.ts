import type { MediaRequest, Release } from '../../model/index.ts';
import { checkHeld } from '../readiness.ts';
import { noVideoError } from '../video/no-video.ts';
import { refuseOther } from './locate.ts';
import { expectedOf, refusePart, refuseStub } from './stub.ts';

/** What was asked for. */
export interface Asked {
  /** As messages name whoever gave the stream. */
  readonly who: string;
  readonly release: Release;
  readonly request: MediaRequest;
  /** Its size is what a row of a stream list tells. */
  readonly isListed?: boolean;
  /** As Nzb.videoBytes. */
  readonly held?: number | undefined;
}

/** What came. */
export interface Came {
  /** Bytes. */
  readonly size?: number | undefined;
  /** The file's own name; absent: nobody tells. */
  readonly name?: string | undefined;
}

/**
 * Holds a stream that has been opened against what was asked for: only then is it known what its file is called, and how
 * large it is. The size of a pack says nothing of one episode.
 * @throws DAMAGED for a stub; NO_VIDEO for another one than was asked for, or when nobody can tell
 */
export function judgeOpened({ who, release, request, isListed, held }: Asked, { size, name }: Came): void {
  const { advertised, holdsMore } = expectedOf(release, request);
  if (size !== undefined) {
    if (isListed === true) refusePart(who, size, release, request);
    else refuseStub(who, size, advertised);
    if (held !== undefined) checkHeld(size, held, []);
  }
  // Which of the episodes it is was not ours to say.
  if (name === undefined && holdsMore === true) throw noVideoError({ reason: 'ambiguous' }, 1, false);
  const path = [name ?? `${release.name}.mkv`];
  refuseOther({ path, ...(size !== undefined && { size }) }, request, release.name);
}
