export { episodeText, FIRST_YEAR_SEASON } from './episode-text.ts';
export { filterReleases } from './filter/filter.ts';
export { type CustomFormat } from './formats/format.ts';
export { importFormats } from './formats/import.ts';
export { languageCode, languageName } from './languages.ts';
export { loadReleaseNameParser, type ReleaseNameParser } from './name/index.ts';
export { range } from './name/numbering.ts';
export { numbersInName } from './name/numbers-in-name.ts';
export { fileNameWithoutPassword, withoutPassword } from './password.ts';
export { plainWords } from './plain-words.ts';
export { NO_LISTS, type PreferenceLists, parsePreferenceLists } from './preference-lists.ts';
export { type Preferences, preferencesOf } from './preferences.ts';
export { CRITERION_IDS, type CriterionId, DEFAULT_CRITERIA } from './rank/ids.ts';
export {
  criterionText,
  orderText,
  type RankOptions,
  rankCandidates,
  rankExplanation,
} from './rank/rank.ts';
export {
  type ListedFormat,
  listFormats,
  readPreferenceLists,
  removeFormat,
  saveCriteria,
  saveFormats,
} from './stored-lists.ts';
export { plainTitle, titleWords } from './title-words.ts';
export { bitrateText, sizeText } from './units.ts';
export { workYear } from './work-year.ts';
