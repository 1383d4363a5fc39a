import type { Logger } from '../log/index.ts';
import type { Candidate, MediaRequest, Release } from '../model/index.ts';
import type { Preferences } from '../release/index.ts';
import type { SelectionStages } from './stages.ts';

/** The person's filters for one list: each release is looked at once, however often the list changes. */
export class ReleaseFilter {
  readonly #request: MediaRequest;
  readonly #preferences: Preferences;
  readonly #log: Logger;
  readonly #filterReleases: SelectionStages['filterReleases'];
  readonly #judged = new WeakMap<Release, Candidate>();
  readonly #problems = new Set<string>();

  constructor(
    request: MediaRequest,
    preferences: Preferences,
    log: Logger,
    { filterReleases }: Pick<SelectionStages, 'filterReleases'>,
  ) {
    this.#request = request;
    this.#preferences = preferences;
    this.#log = log;
    this.#filterReleases = filterReleases;
    for (const problem of preferences.problems) this.#report(problem);
  }

  /** What of the person's wishes could not be followed, in words for them. */
  get problems(): readonly string[] {
    return [...this.#problems];
  }

  candidates(releases: readonly Release[]): Candidate[] {
    this.#judge(releases);
    return releases
      .map((release) => this.#judged.get(release))
      .filter((candidate) => candidate !== undefined);
  }

  /** Looks, when it has to, at all that `among` gives: one by one patterns cost many times as much. */
  passes(release: Release, among: () => readonly Release[]): boolean {
    if (!this.#judged.has(release)) this.#judge(among());
    return this.candidates([release])[0]?.rejections.length === 0;
  }

  #judge(releases: readonly Release[]): void {
    const fresh = releases.filter((release) => !this.#judged.has(release));
    if (fresh.length === 0) return;
    const report = (problem: string) => {
      this.#report(problem);
    };
    const candidates = this.#filterReleases(fresh, this.#preferences, { ...this.#request, report });
    for (const candidate of candidates) this.#judged.set(candidate.release, candidate);
  }

  #report(problem: string): void {
    if (!this.#problems.has(problem)) this.#log.warning(problem);
    this.#problems.add(problem);
  }
}
