import { SlipstreamError } from '../../errors/index.ts';
import type { Link, MediaRequest, Release } from '../../model/index.ts';
import type { StreamOffer } from './streams.ts';

/** Part of the advertised size below which a file is no film any more: notices and stubs have a few megabytes. */
const MIN_SHARE = 0.05;

/** As MIN_SHARE, of the size that a row of a stream list tells: it may be the post's, with its par2 files and samples. */
const MIN_LISTED_SHARE = 0.7;

/** Whether the release, by its name, holds more than the episode that was asked for. */
function isPack({ quality }: Release, { episode }: MediaRequest): boolean {
  const { complete, seasons, episodes } = quality;
  const several = complete || episodes.length > 1 || (seasons.length > 0 && episodes.length === 0);
  return several && episode !== undefined;
}

/** What is known of the wanted video before it is seen: as much as the release says of it alone. */
interface Expected extends Pick<StreamOffer, 'holdsMore'> {
  /** Bytes that it should have at the most. */
  readonly advertised?: number;
}

/** What a row of a stream list tells of the video that it plays. */
export type StreamRow = Pick<Link, 'videoSize'>;

/** @param row Of a link that plays. */
export function expectedOf(release: Release, request: MediaRequest, row: StreamRow = {}): Expected {
  if (isPack(release, request)) return { holdsMore: true };
  const advertised = row.videoSize ?? release.size;
  return advertised === undefined ? {} : { advertised };
}

/** @throws DAMAGED when the file is far smaller than was advertised: a notice, or what is left of it */
export function rejectStub(
  who: string,
  size: number,
  advertised: number | undefined,
  share = MIN_SHARE,
): void {
  if (advertised === undefined || size >= advertised * share) return;
  throw new SlipstreamError(
    'DAMAGED',
    { what: `${who} gives a far smaller file than the release should have.`, next: 'Try another release.' },
    { detail: `${size} of ${advertised} bytes` },
  );
}

/**
 * As `rejectStub`, of what a link plays. Of a pack nothing is known; of a disc its longest video is played, and its size
 * is the whole disc's unless the row tells the video's.
 */
export function rejectPartial(
  who: string,
  size: number,
  {
    release,
    request,
    row,
  }: { readonly release: Release; readonly request: MediaRequest; readonly row: StreamRow },
): void {
  const { complete, disc } = release.quality;
  const share = row.videoSize === undefined && (complete || disc) ? MIN_SHARE : MIN_LISTED_SHARE;
  rejectStub(who, size, expectedOf(release, request, row).advertised, share);
}
