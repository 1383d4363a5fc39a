import { type Candidate, RESOLUTIONS } from '../model/index.ts';

/**
 * The best first: those that passed before the rejected, the higher resolution before the lower, the larger before
 * the smaller; what is not known comes last of its kind. Equals keep their order.
 */
export function rankCandidates(candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted(
    (a, b) =>
      rejected(a) - rejected(b) ||
      resolutionRank(a) - resolutionRank(b) ||
      (b.release.size ?? 0) - (a.release.size ?? 0),
  );
}

const rejected = ({ rejections }: Candidate) => (rejections.length > 0 ? 1 : 0);

function resolutionRank({ release }: Candidate): number {
  const { resolution } = release.quality;
  return resolution === undefined ? RESOLUTIONS.length : RESOLUTIONS.indexOf(resolution);
}
