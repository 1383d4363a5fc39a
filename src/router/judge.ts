import type { Logger } from '../log/index.ts';
import type { Candidate, MediaRequest, Release } from '../model/index.ts';
import type { Preferences } from '../release/index.ts';
import type { Router } from '../router.ts';

/** The person's filters for one list: each release is looked at once, however often the list changes. */
export interface Judge {
  candidates(releases: readonly Release[]): Candidate[];
  /** Looks, when it has to, at all that `among` gives: one by one patterns cost many times as much. */
  passes(release: Release, among: () => readonly Release[]): boolean;
  /** What of the person's wishes could not be followed, in words for them. */
  readonly problems: readonly string[];
}

export function openJudge(
  request: MediaRequest,
  preferences: Preferences,
  log: Logger,
  { filterReleases }: Pick<Router, 'filterReleases'>,
): Judge {
  const judged = new WeakMap<Release, Candidate>();
  const problems = new Set<string>();
  const report = (problem: string) => {
    if (!problems.has(problem)) log.warning(problem);
    problems.add(problem);
  };
  for (const problem of preferences.problems) report(problem);
  const look = (releases: readonly Release[]) => {
    const fresh = releases.filter((release) => !judged.has(release));
    if (fresh.length === 0) return;
    for (const candidate of filterReleases(fresh, preferences, { ...request, report }))
      judged.set(candidate.release, candidate);
  };
  const candidates = (releases: readonly Release[]) => {
    look(releases);
    return releases.map((release) => judged.get(release)).filter((candidate) => candidate !== undefined);
  };
  return {
    candidates,
    passes: (release, among) => {
      if (!judged.has(release)) look(among());
      return candidates([release])[0]?.rejections.length === 0;
    },
    get problems() {
      return [...problems];
    },
  };
}
