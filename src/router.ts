import { playbackBackend } from './connections/backends.ts';
import { searchSources } from './connections/sources.ts';
import { filterReleases, rankCandidates } from './release/index.ts';
import { resolver } from './resolver.ts';
import { parsePluginEntry, parseScriptEntry } from './router/entry.ts';
import { runAction, runFirstRun } from './router/lazy-setup.ts';
import { playEntry } from './router/play.ts';
import { route } from './router/route.ts';
import type { RouterStages } from './router/stages.ts';
import { addMetadata, cachedSearch as search } from './search/index.ts';
import { choose } from './selection/choose.ts';
import { displayTitle } from './selection/display-title.ts';
import { openInventory } from './selection/inventory.ts';
import { select } from './selection/select.ts';
import { selectUnattended } from './selection/select-unattended.ts';

export { configuredBackends } from './connections/backends.ts';
export type { Entry } from './router/entry.ts';
export type { RouterStages } from './router/stages.ts';
export { withAutoSelect } from './router/with-auto-select.ts';
export {
  addMetadata,
  choose,
  displayTitle,
  filterReleases,
  openInventory,
  parsePluginEntry,
  parseScriptEntry,
  playbackBackend,
  playEntry,
  rankCandidates,
  resolver,
  route,
  runAction,
  runFirstRun,
  search,
  searchSources,
  select,
  selectUnattended,
};

/**
 * The façade of the first half of the pipeline. The stages hand this one object on to each other, so what a test
 * replaces here is what the pipeline uses.
 */
export const router: RouterStages = {
  parsePluginEntry,
  parseScriptEntry,
  route,
  runAction,
  runFirstRun,
  playEntry,
  searchSources,
  playbackBackend,
  openInventory,
  select,
  selectUnattended,
  addMetadata,
  search,
  filterReleases,
  rankCandidates,
  choose,
  displayTitle,
  resolver,
};
