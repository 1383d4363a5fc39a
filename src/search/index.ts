export { type CachedSearch, cachedSearch } from './cache/cached-search.ts';
export type { SourceSecrets } from './cache/masked-links.ts';
export { nameMismatchCheck } from './match/match.ts';
export { openReleaseIds } from './match/release-ids.ts';
export { addMetadata } from './metadata/index.ts';
export { testTmdb } from './metadata/test-tmdb.ts';
export { openCooldowns } from './run/cooldown.ts';
export { listAgain } from './run/list-again.ts';
export type { SearchState } from './run/search-state.ts';
export type { RunningSearch } from './run/start-search.ts';
export {
  searchFailure,
  sourceWithRefusedKey,
  statusLine,
} from './run/status-text.ts';
export type { ConfiguredSource } from './sources/source.ts';
