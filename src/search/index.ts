export { type CachedSearch, cachedSearch } from './cached.ts';
export type { Secrets } from './hidden-links.ts';
export { completeRequest } from './known/index.ts';
export { openRests } from './rest.ts';
export { rowIds } from './row-ids.ts';
export type { RunningSearch } from './run.ts';
export type { SearchSource } from './source.ts';
export type { SearchState } from './state.ts';
export { failureOf, refusedSource, statusLine } from './tell.ts';
