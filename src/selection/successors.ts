import type { Candidate, Release } from '../model/index.ts';
import { openReleaseIds } from '../search/index.ts';

/** What is to be tried after the chosen release, each once, out of a list that may still change. */
export interface Fallbacks {
  /** All that are left of these ranked candidates, pass the filters and have not failed, the next one first. */
  remaining(ranked: readonly Candidate[]): Release[];
  /** Those of them that are other posts of the chosen release. */
  reposts(ranked: readonly Candidate[]): Release[];
  /** Takes the next one; undefined when none is left. */
  next(ranked: readonly Candidate[]): Release | undefined;
  /** Takes the next one of those that have failed: when nothing else will come. */
  nextFailed(ranked: readonly Candidate[]): Release | undefined;
}

/**
 * Other posts of the same release come first, for they are what the person chose; then whatever stands below it, for
 * what stands above was passed over; then the rest from the top.
 * @param isAllowed Whether a release may be played that nobody has chosen.
 * @param hasFailed Whether it has proved broken lately.
 */
export function fallbacksOf(
  chosen: Release,
  isAllowed: (release: Release) => boolean = () => true,
  hasFailed: (release: Release) => boolean = () => false,
): Fallbacks {
  const ids = openReleaseIds();
  const idOf = (release: Release) => ids.of([release]).get(release);
  const chosenId = idOf(chosen);
  const tried = new Set([chosenId]);
  const isRepost = (release: Release) => normalizedName(release.name) === normalizedName(chosen.name);
  const untried = (ranked: readonly Candidate[]) => {
    const place = ranked.findIndex(({ release }) => idOf(release) === chosenId);
    const rotated = [...ranked.slice(place + 1), ...ranked.slice(0, place + 1)];
    const releases = rotated
      .filter(({ release, rejections }) => rejections.length === 0 && !tried.has(idOf(release)))
      .map(({ release }) => release)
      .filter(isAllowed);
    return [...releases.filter(isRepost), ...releases.filter((release) => !isRepost(release))];
  };
  const remaining = (ranked: readonly Candidate[]) =>
    untried(ranked).filter((release) => !hasFailed(release));
  const take = ([next]: readonly Release[]) => {
    if (next !== undefined) tried.add(idOf(next));
    return next;
  };
  return {
    remaining,
    reposts: (ranked) => remaining(ranked).filter(isRepost),
    next: (ranked) => take(remaining(ranked)),
    nextFailed: (ranked) => take(untried(ranked).filter(hasFailed)),
  };
}

/** As posters write one name: case and separators differ. */
const normalizedName = (name: string) => name.toLowerCase().replace(/[\s._-]+/g, '.');
