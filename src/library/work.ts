import { haveSameIds, ID_KINDS, type IdKind, type MediaIds, type MediaRequest } from '../model/index.ts';
import { comparableText } from './comparable-names.ts';

/** What tells one film or show from another. */
export interface Work {
  readonly ids: MediaIds;
  readonly title: string;
  /** Of the film, or of the show's first broadcast. */
  readonly year?: number;
}

export const workOf = ({ ids, title, year }: MediaRequest): Work => ({
  ids: Object.fromEntries(ID_KINDS.flatMap((kind) => (ids[kind] === undefined ? [] : [[kind, ids[kind]]]))),
  title,
  ...(year !== undefined && { year }),
});

/**
 * Ids that both have decide, and must all agree. Without any, title and year do: a title alone names several shows, so
 * a year that only one of them knows is one that differs.
 */
export function isSameWork(one: Work, other: Work): boolean {
  return haveSameIds(one.ids, other.ids) ?? haveSameTitle(one, other);
}

function haveSameTitle(one: Work, other: Work): boolean {
  const title = comparableText(one.title);
  return title !== '' && title === comparableText(other.title) && one.year === other.year;
}

type WorkName = readonly unknown[];

export const idNames = (ids: MediaIds): (readonly [IdKind, unknown])[] =>
  ID_KINDS.filter((kind) => ids[kind] !== undefined).map((kind) => [kind, ids[kind]]);

/** The year is left out where nobody knows it. */
export const titleName = ({
  title,
  year,
}: {
  readonly title: string;
  readonly year?: number | undefined;
}): readonly ['title', string, number | undefined] => ['title', comparableText(title), year];

/** What names a work where only one name can be looked up: its first id, else title and year. */
export const workName = (work: Work): WorkName => idNames(work.ids)[0] ?? titleName(work);
