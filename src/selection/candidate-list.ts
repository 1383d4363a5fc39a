import type { SlipstreamError } from '../errors/index.ts';
import type { Detail } from '../host/port.ts';
import type { LastResumePoint } from '../library/index.ts';
import type { Candidate, MediaRequest, Release } from '../model/index.ts';
import type { Preferences, RankOptions } from '../release/index.ts';
import { criterionText, orderText, rankExplanation } from '../release/index.ts';
import {
  nameMismatchCheck,
  type RunningSearch,
  type SearchState,
  searchFailure,
  statusLine,
} from '../search/index.ts';
import type { ListState, LiveList } from './choose-options.ts';
import type { Inventory } from './inventory.ts';
import type { ReleaseFilter } from './release-filter.ts';
import type { SelectionStages } from './stages.ts';

const DOWNLOADED = criterionText('downloaded');

/** Of what is something else than the request nobody reads more; a source may list ten thousand. */
const MAX_OTHERS = 300;

interface ListParts {
  readonly request: MediaRequest;
  readonly preferences: Preferences;
  readonly inventory: Inventory;
  /** Bits per second that the connection has sustained. */
  readonly sustained?: number | undefined;
  /** What the person watched last of it. */
  readonly watched?: LastResumePoint | undefined;
}

/** A search as a list to choose from: filtered and ranked anew whenever something has come. */
export class CandidateList implements LiveList {
  readonly settled: Promise<void>;
  readonly finished: Promise<void>;
  readonly #search: RunningSearch;
  readonly #filter: ReleaseFilter;
  readonly #parts: ListParts;
  readonly #rankCandidates: SelectionStages['rankCandidates'];
  readonly #rankOptions: RankOptions;
  readonly #order: string;
  readonly #doubtOf: (release: Release) => string | undefined;
  /** The answers from which the two lists below were made. */
  #of: SearchState | undefined;
  #isWithInventory = false;
  #fitting: Candidate[] = [];
  #others: Candidate[] = [];
  #current: ListState | undefined;

  constructor(
    search: RunningSearch,
    filter: ReleaseFilter,
    parts: ListParts,
    { rankCandidates }: Pick<SelectionStages, 'rankCandidates'>,
  ) {
    const { request, preferences, inventory, sustained } = parts;
    const { originalLanguage } = request;
    this.#search = search;
    this.#filter = filter;
    this.#parts = parts;
    this.#rankCandidates = rankCandidates;
    this.#rankOptions = {
      ...(originalLanguage !== undefined && { originalLanguage }),
      ...(sustained !== undefined && { sustained }),
      downloaded: (release: Release) => inventory.existingJob(release) !== undefined,
    };
    this.#order = orderText(preferences, this.#rankOptions);
    this.#doubtOf = nameMismatchCheck(request);
    this.settled = search.ready;
    this.finished = search.finished;
  }

  get current(): ListState {
    const { state } = this.#search;
    const { isAnswered } = this.#parts.inventory;
    const hasInventory = this.#isWithInventory === isAnswered;
    if (this.#current !== undefined && this.#of === state && hasInventory) return this.#current;
    this.#isWithInventory = isAnswered;
    // Mostly only which sources have answered is new.
    if (this.#of?.releases !== state.releases || !hasInventory)
      this.#fitting = this.#rank(this.#filter.candidates(state.releases));
    if (this.#of?.rejected !== state.rejected) this.#others = this.#rank(this.#othersOf(state.rejected));
    this.#of = state;
    this.#current = {
      candidates: [...this.#inOrder(this.#fitting), ...this.#others],
      mismatchCount: this.#others.length,
      order: this.#order,
      status: [statusLine(state), ...this.#filter.problems].filter(Boolean).join(' · '),
      isSearching: !state.finished,
    };
    return this.#current;
  }

  onChange(listener: () => void): () => void {
    let isHeard = true;
    const stop = this.#search.onChange(listener);
    this.#parts.inventory.answered.then(
      () => {
        if (isHeard) listener();
      },
      () => undefined,
    );
    return () => {
      isHeard = false;
      stop();
    };
  }

  /** Whether more than its indexer's word says that it is what is wanted: only the person may choose any other. */
  isSure(release: Release): boolean {
    return this.#doubtOf(release) === undefined;
  }

  /** Why a candidate stands where it does. */
  explain(candidate: Candidate): readonly Detail[] {
    const doubt = this.#doubtOf(candidate.release);
    const doubts = doubt === undefined ? [] : [{ label: 'Doubt', value: doubt }];
    // Its row is marked as downloaded.
    const reasons = rankExplanation(candidate, this.#parts.preferences, this.#rankOptions).filter(
      ({ label }) => label !== DOWNLOADED,
    );
    return [...doubts, ...reasons];
  }

  #rank(candidates: readonly Candidate[]): Candidate[] {
    return this.#rankCandidates(candidates, this.#parts.preferences, this.#rankOptions);
  }

  /** What is something else than the request, each with why as its first rejection. */
  #othersOf(setAside: SearchState['rejected']): Candidate[] {
    return setAside
      .slice(0, MAX_OTHERS)
      .flatMap(({ release, reason }) =>
        this.#filter
          .candidates([release])
          .map((candidate) => ({ ...candidate, rejections: [reason, ...candidate.rejections] })),
      );
  }

  #inOrder(ranked: readonly Candidate[]): readonly Candidate[] {
    return this.#watchedFirst(this.#failedLast(this.#withPacks(ranked)));
  }

  /** What the backend holds for sure stands on top; when the search has found its post as well, it is not listed twice. */
  #withPacks(ranked: readonly Candidate[]): readonly Candidate[] {
    const { inventory } = this.#parts;
    const packs = this.#filter.candidates(inventory.packs.map(({ release }) => release));
    const jobs = new Set(packs.map(({ release }) => inventory.existingJob(release)?.id).filter(Boolean));
    const [passed, rejected] = [packs.filter(passes), packs.filter((pack) => !passes(pack))];
    const found = ranked.filter(({ release }) => !jobs.has(inventory.existingJob(release)?.id));
    return [...passed, ...found, ...rejected];
  }

  /** What has failed is the last of what passed; what the filters reject stands behind it. */
  #failedLast(candidates: readonly Candidate[]): readonly Candidate[] {
    const hasFailed = ({ release }: Candidate) => this.#hasFailed(release);
    const passed = candidates.filter(passes);
    const rejected = candidates.filter((candidate) => !passes(candidate));
    return [...passed.filter((each) => !hasFailed(each)), ...passed.filter(hasFailed), ...rejected];
  }

  /** What the person has watched goes on at the same scene, so it stands on top wherever it ranks, unless it failed. */
  #watchedFirst(candidates: readonly Candidate[]): readonly Candidate[] {
    const { watched } = this.#parts;
    const left = candidates.find(
      ({ release }) => watched?.isOf(release) === true && !this.#hasFailed(release),
    );
    return left === undefined ? candidates : [left, ...candidates.filter((each) => each !== left)];
  }

  #hasFailed(release: Release): boolean {
    return this.#parts.inventory.broken.failedAt(release) !== undefined;
  }
}

const passes = ({ rejections }: Candidate) => rejections.length === 0;

/** Why there is nothing to choose from; what was set aside is still something for a person who is asked. */
export function emptyReason(
  { state }: RunningSearch,
  request: MediaRequest,
  automatic: boolean,
): SlipstreamError | undefined {
  return !automatic && state.rejected.length > 0 ? undefined : searchFailure(state, request);
}
