import { type Explanation, SlipstreamError } from '../errors/index.ts';
import { knownNonVideo } from './mime.ts';
import { beginsAsVideo } from './video-start.ts';

/** Bytes of a file's beginning that nonVideoError looks at, where it has so many. */
export const START_BYTES = 64 * 1024;

/**
 * Why a file that begins so is not handed to a player, which would try for a while, and then say less, or show noise.
 * @param who Gave it: "The file server (nas:3000)".
 * @returns BAD_ANSWER where it is something else than a video, DAMAGED where it is none that can be told; undefined: a video
 */
export function nonVideoError(head: Uint8Array, who: string): SlipstreamError | undefined {
  const other = knownNonVideo(head);
  if (other !== undefined) return new SlipstreamError('BAD_ANSWER', otherContent(who, other));
  return beginsAsVideo(head)
    ? undefined
    : new SlipstreamError('DAMAGED', NOT_A_VIDEO, { detail: `what ${who} gave begins as no video does` });
}

const NOT_A_VIDEO: Explanation = {
  what: 'The file is no video: it is encrypted, or damaged at its start.',
  next: 'Try another release.',
};

const otherContent = (who: string, other: string): Explanation => ({
  what: `${who} sent ${other} in the place of the video.`,
  next: 'Choose another release.',
});
