import * as v from 'valibot';
import type { MediaRequest, Release } from '../model/index.ts';
import { workYear } from '../release/index.ts';
import { comparableName } from './comparable-names.ts';
import { hashOf } from './schemas.ts';
import { canBeSameSize } from './sizes.ts';
import { idNames, titleName } from './work.ts';

/** What a name is of; `id` is one of an id whose kind was not written down. `dated` is title and year, `title` that alone. */
const NAME_KINDS = ['tmdb', 'imdb', 'tvdb', 'tvmaze', 'id', 'dated', 'title'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** A name of a film: its kind and a hash, which tells nobody what it is of. */
const FilmName = v.pipe(v.string(), v.regex(/^(?:tmdb|imdb|tvdb|tvmaze|id|dated|title)\.[\da-f]{32}$/));
/** Two lookups may tell of one film differently, and add names to it. */
export const MAX_NAMES = 24;
export const FilmNames = v.pipe(v.array(FilmName), v.maxLength(MAX_NAMES), v.readonly());

/** A film or an episode, by all that it can be asked for by. */
export const FilmKey = v.object({ names: FilmNames });
export type FilmKey = v.InferOutput<typeof FilmKey>;

/** What a resume point belongs to; holds no title, and may be handed from one process to the other. */
export const ResumeKey = v.object({
  ...FilmKey.entries,
  release: v.pipe(v.string(), v.regex(/^[\da-f]{32}\.\d{0,16}\.\d{0,9}$/)),
  /** Of the edition that the release's name tells: at one second of two cuts there are two scenes. Empty: not known. */
  cut: v.pipe(v.string(), v.regex(/^(?:[\da-f]{32})?$/)),
});
export type ResumeKey = v.InferOutput<typeof ResumeKey>;

type Requests = readonly [MediaRequest, ...MediaRequest[]];

/** @param requests Of one film: as it was asked for, and with what was looked up. */
export const filmKey = (...requests: Requests): FilmKey => ({ names: filmNamesOf(requests, undefined) });

/** @param year Told by a release of it, for requests that tell none. */
function filmNamesOf(requests: Requests, year: number | undefined): FilmKey['names'] {
  const [given] = requests;
  const name = (kind: NameKind, of: readonly unknown[]) =>
    `${kind}.${hashOf([given.kind, of, given.episode?.season, given.episode?.episode])}`;
  const titles = requests.flatMap((request) => titlesOf(request, request === given));
  const ids = requests.flatMap((request) => idNames(request.ids).map((of) => name(of[0], of)));
  const dated = titles.flatMap(({ title, year: told = year }) =>
    told === undefined ? [] : [name('dated', titleName({ title, year: told }))],
  );
  const bare = requests
    .filter(({ title }) => titleName({ title })[1] !== '')
    .map(({ title }) => name('title', titleName({ title })));
  return [...new Set([...ids, ...bare, ...dated])].slice(0, MAX_NAMES);
}

/** What it is called; of the request as it was given also its other titles, of which a lookup may add dozens. */
function titlesOf(
  { title, originalTitle = '', alternativeTitles = [], year }: MediaRequest,
  isGiven: boolean,
): { readonly title: string; readonly year?: number | undefined }[] {
  return [title, originalTitle, ...(isGiven ? alternativeTitles : [])]
    .filter((each) => titleName({ title: each })[1] !== '')
    .map((each) => ({ title: each, year }));
}

export type KeyedRelease = Pick<Release, 'name' | 'size' | 'posted' | 'quality'>;

/** @param requests As for filmKey. */
export function resumeKey(release: KeyedRelease, ...requests: Requests): ResumeKey {
  const { quality } = release;
  const told = requests.find((request) => request.year !== undefined)?.year;
  const names = filmNamesOf(requests, told ?? workYear(quality));
  return { names, release: releaseKey(release), cut: hashOf([...quality.editions].sort()) };
}

export const nameKindOf = (name: string): NameKind =>
  NAME_KINDS.find((kind) => name.startsWith(`${kind}.`)) ?? 'id';

/** The name of the document. */
export const documentName = (name: string): string => name.slice(name.indexOf('.') + 1);

/**
 * Whether two keys are of one film: an id of a kind that both have decides, and all of these must agree; else title and
 * year, where both have them. Undefined where nothing but a title, which several films may have, could tell.
 */
export function isSameFilm(one: FilmKey['names'], other: FilmKey['names']): boolean | undefined {
  const agree = (kind: NameKind): boolean | undefined => {
    const [mine, its] = [one, other].map((names) => names.filter((name) => nameKindOf(name) === kind));
    if (mine === undefined || its === undefined || mine.length === 0 || its.length === 0) return undefined;
    return mine.some((name) => its.includes(name));
  };
  const ids = NAME_KINDS.slice(0, NAME_KINDS.indexOf('dated'))
    .map(agree)
    .filter((told) => told !== undefined);
  return ids.length > 0 ? ids.every(Boolean) : agree('dated');
}

const DAY_MS = 86_400_000;

/** A release's name, hashed, its size in bytes and the day of its posting, as far as they are known. */
function releaseKey({ name, size, posted }: Omit<KeyedRelease, 'quality'>): string {
  const day = posted === undefined ? '' : Math.max(0, Math.floor(posted / DAY_MS));
  return `${hashOf(comparableName(name).text)}.${size === undefined ? '' : Math.min(Math.round(size), Number.MAX_SAFE_INTEGER)}.${day}`;
}

/** Clocks differ by hours. */
const DAY_TOLERANCE = 1;

/** Whether two keys are of one release, though not always the same indexer lists it first. */
export function isSameRelease(one: string, other: string): boolean {
  const [name, size, day] = one.split('.');
  const [otherName, otherSize, otherDay] = other.split('.');
  const told = (text = '') => (text === '' ? undefined : Number(text));
  const isNearDay = (a = told(day), b = told(otherDay)) =>
    a === undefined || b === undefined || Math.abs(a - b) <= DAY_TOLERANCE;
  return name === otherName && canBeSameSize(told(size), told(otherSize)) && isNearDay();
}

/** Whether a ResumeKey's release is this one. */
export const isReleaseOf = (key: ResumeKey['release'], release: Omit<KeyedRelease, 'quality'>): boolean =>
  isSameRelease(key, releaseKey(release));
