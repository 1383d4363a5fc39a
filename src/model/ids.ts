import type { MediaIds } from './request.ts';

/** The kinds of ids of a film or show; the one that requests nearly always carry comes first. */
export const ID_KINDS = ['tmdb', 'imdb', 'tvdb', 'tvmaze'] as const satisfies readonly (keyof MediaIds)[];
export type IdKind = (typeof ID_KINDS)[number];

type GivenIds = Readonly<Partial<Record<IdKind, string | undefined>>>;

/** Whether two sets of ids are of one film or show: all kinds that both have must agree. Undefined: they share none. */
export function haveSameIds(one: GivenIds, other: GivenIds): boolean | undefined {
  const shared = ID_KINDS.filter((kind) => one[kind] !== undefined && other[kind] !== undefined);
  return shared.length === 0 ? undefined : shared.every((kind) => one[kind] === other[kind]);
}
