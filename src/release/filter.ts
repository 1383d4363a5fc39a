import type { Candidate, Release } from '../model/index.ts';
import { MEGABYTE, type Preferences } from './preferences.ts';
import { plainWords } from './words.ts';

/**
 * Looks at every release with the person's preferences. Nothing is dropped: a rejected release keeps all reasons.
 * Unknowns: a resolution that the name does not tell has a setting of its own; a size that the indexer does not tell
 * breaks no limit; a post counts as protected only when the indexer says so.
 */
export function filterReleases(releases: readonly Release[], preferences: Preferences): Candidate[] {
  const rules = [resolutionRule, sizeRule, requiredWordsRule, excludedWordsRule, passwordRule];
  return releases.map((release) => ({
    release,
    rejections: rules.flatMap((rule) => rule(release, preferences)),
  }));
}

/** Gives its reasons for a rejection, in words for the person; none: it passes. */
type Rule = (release: Release, preferences: Preferences) => string[];

const resolutionRule: Rule = ({ quality: { resolution } }, preferences) => {
  if (resolution === undefined) return preferences.unknownResolution ? [] : ['Resolution not known'];
  return preferences.resolutions.has(resolution) ? [] : [`${resolution} is switched off`];
};

const sizeRule: Rule = ({ size }, { minSize, maxSize }) => {
  if (size === undefined) return [];
  if (minSize !== undefined && size < minSize) return [`Smaller than ${megabytes(minSize)}`];
  if (maxSize !== undefined && size > maxSize) return [`Larger than ${megabytes(maxSize)}`];
  return [];
};

const requiredWordsRule: Rule = ({ name }, { requiredWords }) =>
  requiredWords.filter((word) => !hasWord(name, word)).map((word) => `Without "${word}"`);

const excludedWordsRule: Rule = ({ name }, { excludedWords }) =>
  excludedWords.filter((word) => hasWord(name, word)).map((word) => `With "${word}"`);

const passwordRule: Rule = ({ passworded }) => (passworded === true ? ['Protected by a password'] : []);

/** Whole words only: "cam" is not in "Camelot". Signs between words do not matter: "web-dl" is in "WEB.DL". */
function hasWord(name: string, word: string): boolean {
  const wanted = plainWords(word);
  // A word of nothing but signs can only be looked for as it stands.
  if (wanted === '') return name.includes(word);
  return ` ${plainWords(name)} `.includes(` ${wanted} `);
}

const megabytes = (bytes: number) => `${Math.round(bytes / MEGABYTE)} MB`;
