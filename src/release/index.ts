export { filterReleases } from './filter.ts';
export { loadReleaseNameParser, type ReleaseNameParser } from './name/index.ts';
export { type Preferences, preferencesOf } from './preferences.ts';
export { rankCandidates } from './rank.ts';
export { plainWords } from './words.ts';
