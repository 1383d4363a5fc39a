/** Indexers count a post's size with or without its smallest files (search/match/identity.ts). */
const TOLERANCE = 0.01;

/** Whether two listings of a post may tell these sizes, in bytes; what one of them does not tell contradicts nothing. */
export const canBeSameSize = (one: number | undefined, other: number | undefined): boolean =>
  one === undefined || other === undefined || Math.abs(one - other) <= TOLERANCE * Math.max(one, other);
