import type { Feature } from './features.ts';
import { bySize, type JobFile } from './files.ts';
import type { NoVideoReason } from './no-video.ts';

export type FileChoice =
  | { readonly kind: 'chosen'; readonly file: JobFile }
  | { readonly kind: 'none'; readonly reason: NoVideoReason };

export const noChoice = (reason: NoVideoReason): FileChoice => ({ kind: 'none', reason });

/** The largest of several that are equally right; never what is but a piece. */
export function largestChoice(...features: readonly Feature[]): FileChoice {
  const [best] = features.toSorted((a, b) => a.pieces - b.pieces || bySize(a.file, b.file));
  if (best === undefined) return noChoice('ambiguous');
  return best.pieces > 1 ? noChoice('in-parts') : { kind: 'chosen', file: best.file };
}

/** Below this part of the largest a video is a clip that nobody labelled. */
const CLIP_SHARE = 0.1;

/** Without those that are clips beside the largest; where a size is not known, the video stays. */
export function withoutClips(features: readonly Feature[]): Feature[] {
  const largest = Math.max(0, ...features.map(({ file }) => file.size ?? 0));
  return features.filter(({ file: { size } }) => size === undefined || size >= CLIP_SHARE * largest);
}
