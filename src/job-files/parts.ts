import type { Feature } from './features.ts';

/** "cd1", "Part 2", "disc-b"; "S01E02a" is the first half of an episode. */
const PART =
  /(?<![a-z\d])(cd|dvd|dis[ck]|part|pt|teil|parte|partie)[ ._-]?(\d{1,2}|[a-d]|i{1,3}|iv)(?![a-z\d])|(?<=s\d{1,2}e\d{1,3})([a-d])(?![a-z\d])/gi;
const HALF = /(?<![a-z\d])cd[ ._-]?\d(?![a-z\d])/i;

/** Whether these are the parts of one video: their paths are the same but for the number of the part. */
export function areParts(features: readonly Feature[]): boolean {
  const seen = new Map<string, string>();
  return features.some(({ names }) => {
    const path = names.join('/').slice(0, 600).toLowerCase();
    const key = path.replace(PART, '$1#');
    if (key === path) return false;
    const before = seen.get(key);
    seen.set(key, path);
    return before !== undefined && before !== path;
  });
}

/** Whether the name of a lone file says that there should be another: "Sintel.cd1.avi". */
export const isHalf = ({ names: [name = ''] }: Feature): boolean => HALF.test(name);
