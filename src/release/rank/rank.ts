import type { Candidate, Link, Release } from '../../model/index.ts';
import type { Preferences } from '../preferences.ts';
import {
  CRITERIA,
  type Criterion,
  LARGEST_FIRST,
  NONE,
  type RankContext,
  SMALLEST_FIRST,
  SPEED_CRITERION,
} from './criteria.ts';
import type { CriterionId } from './ids.ts';

export type RankOptions = Omit<RankContext, 'preferences'>;

/**
 * In the person's order; those that passed before the rejected ones. Total: the same candidates in any order give the
 * same list, for names decide between equals, and links between equal names.
 */
export function rankCandidates(
  candidates: readonly Candidate[],
  preferences: Preferences,
  options: RankOptions = {},
): Candidate[] {
  const look = { preferences, ...options };
  const criteria = [REJECTED, ...criteriaOf(look)];
  return candidates
    .map((candidate) => ({
      candidate,
      ranks: [Number(candidate.rejections.length > 0), ...criteria.map(({ rank }) => rank(candidate, look))],
    }))
    .sort(
      (a, b) => compareRanks(a.ranks, b.ranks) || compareReleases(a.candidate.release, b.candidate.release),
    )
    .map(({ candidate }) => candidate);
}

/**
 * Why a candidate stands where it does: what it was compared by, the weightiest first. What it simply is not (3D, a
 * cinema recording) is left out.
 */
export function rankExplanation(
  candidate: Candidate,
  preferences: Preferences,
  options: RankOptions = {},
): { readonly label: string; readonly value: string }[] {
  const look = { preferences, ...options };
  return criteriaOf(look)
    .map(({ label, value }) => ({
      label: label.charAt(0).toUpperCase() + label.slice(1),
      value: value(candidate, look),
    }))
    .filter(({ value }) => value !== NONE);
}

const REJECTED: Pick<Criterion, 'rank'> = { rank: ({ rejections }) => Number(rejections.length > 0) };

const SORTS: Readonly<Record<Preferences['sort'], string>> = {
  best: 'Best first',
  largest: 'Largest first',
  smallest: 'Smallest first',
  newest: 'Newest first',
};

/** More of them do not fit beside the count of releases. */
const MAX_NAMED = 5;

/** The order in one short line: "Best first: resolution, HDR, remux, sound, source …". The details of a row tell all. */
export function orderText(preferences: Preferences, options: RankOptions = {}): string {
  const text = SORTS[preferences.sort];
  if (preferences.sort !== 'best') return text;
  const named = criteriaOf({ preferences, ...options })
    .filter(({ goesWithoutSaying }) => goesWithoutSaying !== true)
    .map(({ label, order }) => order ?? label);
  const shown = named.slice(0, MAX_NAMED).join(', ');
  return shown === '' ? text : `${text}: ${shown}${named.length > MAX_NAMED ? ' …' : ''}`;
}

/** What a criterion compares, as it stands in the person's list of them. */
export const criterionText = (id: CriterionId): string => {
  const { label, order } = CRITERIA[id];
  const text = order === undefined ? label : `${label}: ${order}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Those that can make a difference. */
function criteriaOf(look: RankContext): Criterion[] {
  const { preferences } = look;
  switch (preferences.sort) {
    case 'best':
      return [SPEED_CRITERION, ...preferences.criteria.map((id) => CRITERIA[id])].filter(
        ({ matters }) => matters === undefined || matters(look),
      );
    case 'largest':
      return [LARGEST_FIRST];
    case 'smallest':
      return [SMALLEST_FIRST];
    case 'newest':
      return [CRITERIA.age];
  }
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < a.length; index++) {
    if (a[index] !== b[index]) return (a[index] ?? 0) < (b[index] ?? 0) ? -1 : 1;
  }
  return 0;
}

function compareReleases(a: Release, b: Release): number {
  return (
    compare(a.name, b.name) ||
    compareLinks(a.links[0], b.links[0]) ||
    compare(a.size, b.size) ||
    compare(a.posted, b.posted) ||
    compare(JSON.stringify(a), JSON.stringify(b))
  );
}

const compareLinks = (a: Link, b: Link) =>
  compare(a.source, b.source) || compare(a.guid, b.guid) || compare(a.url, b.url);

/** By code, not by alphabet: the same on every machine. What is absent is last. */
function compare<T extends string | number>(a: T | undefined, b: T | undefined): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b ? -1 : 1;
}
