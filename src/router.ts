import { playbackBackend } from './connections/backends.ts';
import { searchSources } from './connections/sources.ts';
import { filterReleases, rankCandidates } from './release/index.ts';
import { resolver } from './resolver.ts';
import { choose, displayTitle } from './router/choose.ts';
import { parsePluginEntry, parseScriptEntry } from './router/entry.ts';
import { playEntry } from './router/play.ts';
import { route } from './router/route.ts';
import { select } from './router/select.ts';
import { runAction, runFirstRun } from './router/set-up.ts';
import { openShelf } from './router/shelf.ts';
import { selectUnasked } from './router/there-first.ts';
import { cachedSearch, completeRequest } from './search/index.ts';

export { configuredBackends, playbackBackend } from './connections/backends.ts';
export { searchSources } from './connections/sources.ts';
export { choose, displayTitle } from './router/choose.ts';
export { type Entry, parsePluginEntry, parseScriptEntry } from './router/entry.ts';
export { playEntry } from './router/play.ts';
export { route } from './router/route.ts';
export { withChoice } from './router/with-choice.ts';

/**
 * The façade of the first half of the pipeline. The stages hand this one object on to each other, so what a test
 * replaces here is what the pipeline uses.
 */
export const router = {
  parsePluginEntry,
  parseScriptEntry,
  route,
  runAction,
  runFirstRun,
  playEntry,
  searchSources,
  playbackBackend,
  openShelf,
  select,
  selectUnasked,
  completeRequest,
  search: cachedSearch,
  filterReleases,
  rankCandidates,
  choose,
  displayTitle,
  resolver,
};

export type Router = typeof router;
