import type { searchSources } from '../connections/sources.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import type { filterReleases, rankCandidates } from '../release/index.ts';
import type { addMetadata, cachedSearch } from '../search/index.ts';
import type { ChooseOptions, LiveList } from './choose-options.ts';
import type { displayTitle } from './display-title.ts';
import type { openInventory } from './inventory.ts';
import type { SelectContext, Selection } from './selection.ts';

/**
 * The stages from a request to the releases that are to be played. Each stage calls the others through the object that
 * it is given, so that what a test replaces in it is what runs. The façade (src/router.ts) composes them.
 */
export interface SelectionStages {
  searchSources: typeof searchSources;
  openInventory: typeof openInventory;
  /** Request → releases, with the sources searched: selection/select.ts. */
  select: (given: MediaRequest, context: SelectContext, stages: SearchStages) => Promise<Selection>;
  /** The same where nobody is asked; a season pack at the backend needs no search: selection/select-unattended.ts. */
  selectUnattended: (
    given: MediaRequest,
    context: SelectContext,
    stages: SearchStages & Pick<SelectionStages, 'select'>,
  ) => Promise<Selection>;
  addMetadata: typeof addMetadata;
  search: typeof cachedSearch;
  filterReleases: typeof filterReleases;
  rankCandidates: typeof rankCandidates;
  /** The person's choice from the list, or the best one: selection/choose.ts. */
  choose: (
    list: LiveList,
    request: MediaRequest,
    options: ChooseOptions,
    stages: Pick<SelectionStages, 'displayTitle'>,
  ) => Promise<Release>;
  displayTitle: typeof displayTitle;
}

/** What a search and the choice from its list need. */
export type SearchStages = Omit<SelectionStages, 'openInventory' | 'select' | 'selectUnattended'>;
