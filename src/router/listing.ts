import type { SlipstreamError } from '../errors/index.ts';
import type { Detail } from '../host/port.ts';
import type { LeftFilm } from '../library/index.ts';
import type { Candidate, MediaRequest, Release } from '../model/index.ts';
import type { Preferences } from '../release/index.ts';
import { criterionText, orderText, standing } from '../release/index.ts';
import type { Router } from '../router.ts';
import { doubtFor, failureOf, type RunningSearch, type SearchState, statusLine } from '../search/index.ts';
import type { ListState, LiveList } from './choose.ts';
import type { Judge } from './judge.ts';
import type { Shelf } from './shelf.ts';

const DOWNLOADED = criterionText('downloaded');

/** Of what is something else nobody reads more; a source may list ten thousand. */
const MOST_OTHERS = 300;

/** A search as a list to choose from: filtered and ranked anew whenever something has come. */
export interface Listing extends LiveList {
  /** Why a candidate stands where it does. */
  readonly explain: (candidate: Candidate) => readonly Detail[];
  /** Not one that only its indexer takes for what is wanted: nobody but the person may choose such a one. */
  readonly isSure: (release: Release) => boolean;
}

export function listingOf(
  search: RunningSearch,
  judge: Judge,
  {
    request,
    preferences,
    shelf,
    sustained,
    watched,
  }: {
    readonly request: MediaRequest;
    readonly preferences: Preferences;
    readonly shelf: Shelf;
    /** Bits per second that the connection has sustained. */
    readonly sustained?: number | undefined;
    /** What the person watched last of it. */
    readonly watched?: LeftFilm | undefined;
  },
  { rankCandidates }: Pick<Router, 'rankCandidates'>,
): Listing {
  const { originalLanguage } = request;
  const options = {
    ...(originalLanguage !== undefined && { originalLanguage }),
    ...(sustained !== undefined && { sustained }),
    downloaded: (release: Release) => shelf.there(release) !== undefined,
  };
  const order = orderText(preferences, options);
  const doubtOf = doubtFor(request);
  const rank = (candidates: readonly Candidate[]) => rankCandidates(candidates, preferences, options);
  /** What is something else stands behind, with why. */
  const othersOf = (setAside: SearchState['setAside']) =>
    setAside
      .slice(0, MOST_OTHERS)
      .flatMap(({ release, reason }) =>
        judge
          .candidates([release])
          .map((candidate) => ({ ...candidate, rejections: [reason, ...candidate.rejections] })),
      );
  /** What is there for sure stands on top; its own post, when the search has found it as well, is not listed twice. */
  const withPacks = (ranked: readonly Candidate[]) => {
    const packs = judge.candidates(shelf.packs.map(({ release }) => release));
    const jobs = new Set(packs.map(({ release }) => shelf.there(release)?.id).filter(Boolean));
    const [passed, rejected] = [packs.filter(passes), packs.filter((pack) => !passes(pack))];
    const found = ranked.filter(({ release }) => !jobs.has(shelf.there(release)?.id));
    return [...passed, ...found, ...rejected];
  };
  /** What has failed is the last of what passed; what the filters reject stands behind it. */
  const failedLast = (candidates: readonly Candidate[]) => {
    const hasFailed = ({ release }: Candidate) => shelf.broken.failedAt(release) !== undefined;
    const passed = candidates.filter(passes);
    const rejected = candidates.filter((candidate) => !passes(candidate));
    return [...passed.filter((each) => !hasFailed(each)), ...passed.filter(hasFailed), ...rejected];
  };
  /** Nothing else goes on at the scene where the person has left it, so it stands on top wherever it ranks, unless it failed. */
  const watchedFirst = (candidates: readonly Candidate[]) => {
    const left = candidates.find(
      ({ release }) => watched?.isOf(release) === true && shelf.broken.failedAt(release) === undefined,
    );
    return left === undefined ? candidates : [left, ...candidates.filter((each) => each !== left)];
  };
  /** Which answers the lists below were made of. */
  let hasShelf = false;
  let of: SearchState | undefined;
  let fitting: Candidate[] = [];
  let others: Candidate[] = [];
  let current: ListState | undefined;
  return {
    get current() {
      const { state } = search;
      const isMarked = current !== undefined && hasShelf === shelf.isAsked;
      if (current !== undefined && of === state && isMarked) return current;
      hasShelf = shelf.isAsked;
      // Mostly only who has answered is new.
      if (of?.releases !== state.releases || !isMarked) fitting = rank(judge.candidates(state.releases));
      if (of?.setAside !== state.setAside) others = rank(othersOf(state.setAside));
      of = state;
      const candidates = [...watchedFirst(failedLast(withPacks(fitting))), ...others];
      const status = [statusLine(state), ...judge.problems].filter(Boolean).join(' · ');
      current = { candidates, others: others.length, order, status, searching: !state.finished };
      return current;
    },
    onChange: (listener) => {
      let isHeard = true;
      const stop = search.onChange(listener);
      shelf.asked.then(
        () => {
          if (isHeard) listener();
        },
        () => undefined,
      );
      return () => {
        isHeard = false;
        stop();
      };
    },
    settled: search.enough,
    finished: search.finished,
    isSure: (release) => doubtOf(release) === undefined,
    explain: (candidate) => {
      const doubt = doubtOf(candidate.release);
      const doubts = doubt === undefined ? [] : [{ label: 'Doubt', value: doubt }];
      // Its row is marked.
      const reasons = standing(candidate, preferences, options).filter(({ label }) => label !== DOWNLOADED);
      return [...doubts, ...reasons];
    },
  };
}

const passes = ({ rejections }: Candidate) => rejections.length === 0;

/** Why there is nothing to choose from; what was set aside is still something for a person who is asked. */
export function emptyReason(
  { state }: RunningSearch,
  request: MediaRequest,
  automatic: boolean,
): SlipstreamError | undefined {
  return !automatic && state.setAside.length > 0 ? undefined : failureOf(state, request);
}
