import type { MediaRequest, Release } from '../../model/index.ts';
import { noVideoError } from '../video/no-video.ts';
import { refuseOther } from './locate.ts';
import { expectedOf, refuseStub } from './stub.ts';

/** What was asked for. */
interface Asked {
  /** As messages name whoever gave the stream. */
  readonly who: string;
  readonly release: Release;
  readonly request: MediaRequest;
}

/** What came. */
interface Came {
  /** Bytes. */
  readonly size?: number | undefined;
  /** The file's own name; absent: nobody tells. */
  readonly name?: string | undefined;
}

/**
 * Holds a stream that has been opened against what was asked for: only then is it known what its file is called, and how
 * large it is.
 * @throws DAMAGED for a stub; NO_VIDEO for another one than was asked for, or when nobody can tell
 */
export function judgeOpened({ who, release, request }: Asked, { size, name }: Came): void {
  const { advertised, holdsMore } = expectedOf(release, request);
  if (size !== undefined) refuseStub(who, size, advertised);
  // Which of the episodes it is was not ours to say.
  if (name === undefined && holdsMore === true) throw noVideoError({ reason: 'ambiguous' }, 1, false);
  const file = { path: [name ?? `${release.name}.mkv`], ...(size !== undefined && { size }) };
  refuseOther(file, request, release.name);
}
