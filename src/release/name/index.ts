import type { Quality } from '../../model/quality.ts';

/** Reads what a release's name tells. Never throws; a name that tells nothing gives its own text as the title. */
export type ReleaseNameParser = (name: string) => Quality;

/** Loads the parser on the first call: its tables cost milliseconds that no start should pay before it must. */
export async function loadReleaseNameParser(): Promise<ReleaseNameParser> {
  const { parseReleaseName } = await import('./parse.ts');
  return parseReleaseName;
}
