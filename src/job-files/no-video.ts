import { SlipstreamError } from '../errors/index.ts';

/** Why a job holds nothing that is surely what was asked for. */
export type NoVideoReason =
  | 'no-video'
  | 'disc-image'
  | 'only-extras'
  | 'other-episodes'
  | 'episodes'
  | 'other-film'
  | 'in-parts'
  | 'untold-episodes'
  | 'ambiguous';

const REASON_TEXTS: Readonly<Record<NoVideoReason, string>> = {
  'no-video': 'The release holds no video.',
  'disc-image': 'The release is the image of a disc, which cannot be played from here.',
  'only-extras': 'The release holds only samples and extras.',
  'other-episodes': 'The release holds other episodes than the one you chose.',
  episodes: 'The release holds episodes of a series, not the film you chose.',
  'other-film': 'The release holds another film than the one you chose.',
  'in-parts': 'The release comes in several parts, none of which is the whole.',
  'untold-episodes': 'The release holds several videos, and nobody can tell which episode is which.',
  ambiguous: 'The release holds several videos, and none is surely the one you chose.',
};

/**
 * @param files How many files were looked at. An empty folder proves nothing: an importer may have emptied it.
 * @param isComplete Whether they were the release's own, all of them.
 */
export function noVideoError(
  { reason }: { readonly reason: NoVideoReason },
  files: number,
  isComplete = files > 0,
): SlipstreamError {
  return new SlipstreamError(
    'NO_VIDEO',
    { what: REASON_TEXTS[reason], next: 'Try another release.' },
    { detail: `${reason}, ${files} files`, broken: isComplete },
  );
}
