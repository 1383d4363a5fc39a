import type { SlipstreamError } from '../errors/index.ts';
import type { Detail } from '../host/port.ts';
import type { Candidate, MediaRequest } from '../model/index.ts';
import type { Preferences } from '../release/index.ts';
import { orderText, standing } from '../release/index.ts';
import type { Router } from '../router.ts';
import { failureOf, type RunningSearch, type SearchState, statusLine } from '../search/index.ts';
import type { ListState, LiveList } from './choose.ts';

/** Of what is something else nobody reads more; a source may list ten thousand. */
const MOST_OTHERS = 300;

/** A search as a list to choose from: filtered and ranked anew whenever something has come. */
export interface Listing extends LiveList {
  /** Why a candidate stands where it does. */
  readonly explain: (candidate: Candidate) => readonly Detail[];
}

export function listingOf(
  search: RunningSearch,
  request: MediaRequest,
  preferences: Preferences,
  stages: Pick<Router, 'filterReleases' | 'rankCandidates'>,
): Listing {
  const { originalLanguage } = request;
  const options = originalLanguage === undefined ? {} : { originalLanguage };
  const order = orderText(preferences);
  const stateOf = (state: SearchState): ListState => {
    const found = stages.filterReleases(state.releases, preferences, request);
    // What is something else stands behind, with why.
    const others = stages
      .filterReleases(
        state.setAside.slice(0, MOST_OTHERS).map(({ release }) => release),
        preferences,
        request,
      )
      .map((candidate, index): Candidate => {
        const reason = state.setAside[index]?.reason ?? '';
        return { ...candidate, rejections: [reason, ...candidate.rejections] };
      });
    return {
      candidates: [
        ...stages.rankCandidates(found, preferences, options),
        ...stages.rankCandidates(others, preferences, options),
      ],
      order,
      status: statusLine(state),
      searching: !state.finished,
    };
  };
  let of = search.state;
  let shown = stateOf(of);
  return {
    get current() {
      if (of !== search.state) {
        of = search.state;
        shown = stateOf(of);
      }
      return shown;
    },
    onChange: (listener) => search.onChange(listener),
    settled: search.enough,
    explain: (candidate) => standing(candidate, preferences, options),
  };
}

/** Why there is nothing to choose from; what was set aside is still something for a person who is asked. */
export function emptyReason(
  { state }: RunningSearch,
  request: MediaRequest,
  automatic: boolean,
): SlipstreamError | undefined {
  return !automatic && state.setAside.length > 0 ? undefined : failureOf(state, request);
}
