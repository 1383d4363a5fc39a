export { type CachedSearch, cachedSearch } from './cache/cached-search.ts';
export type { SourceSecrets as Secrets } from './cache/masked-links.ts';
export { nameMismatchCheck as doubtFor } from './match/match.ts';
export { openReleaseIds as rowIds } from './match/release-ids.ts';
export { addMetadata as completeRequest } from './metadata/index.ts';
export { testTmdb } from './metadata/test-tmdb.ts';
export { openCooldowns as openRests } from './run/cooldown.ts';
export { listAgain as listAnew } from './run/list-again.ts';
export type { SearchState } from './run/search-state.ts';
export type { RunningSearch } from './run/start-search.ts';
export {
  searchFailure as failureOf,
  sourceWithRefusedKey as refusedSource,
  statusLine,
} from './run/status-text.ts';
export type { ConfiguredSource } from './sources/source.ts';
