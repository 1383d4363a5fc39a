import { join } from 'node:path';
import * as v from 'valibot';
import { openDocument, pruneDocuments, type StoredDocument } from '../io/store.ts';
import type { Logger } from '../log/index.ts';
import {
  documentName,
  type FilmKey,
  FilmNames,
  isReleaseOf,
  isSameFilm,
  isSameRelease,
  type KeyedRelease,
  MAX_NAMES,
  nameKindOf,
  ResumeKey,
} from './resume-key.ts';
import { bytesSchema, timeSchema } from './schemas.ts';

/**
 * Where films and episodes were left, by release. The document of a film or episode lies under each name that it can be
 * asked for by, written by the service alone; names and content are hashes and numbers, and tell nobody what was watched.
 */
export interface ResumePoints {
  /** Where the film was left last, whichever release that was, as it fits the release of the key. */
  forRelease(key: ResumeKey): Promise<ResumePoint | undefined>;
  /** Where the film was left last, and of which release. */
  latest(film: FilmKey): Promise<LastResumePoint | undefined>;
  /** The player left it there. Follows Kodi's rules (see `decide`). Never fails: the log tells what is not kept. */
  save(key: ResumeKey, at: Pick<ResumePoint, 'position' | 'duration'>): Promise<void>;
  /** It was seen to its end: no release of it is offered anywhere but at its start. Never fails. */
  clear(key: FilmKey): Promise<void>;
}

export interface ResumePoint {
  /** Seconds from the film's start. */
  readonly position: number;
  /** Seconds; 0 while nobody knows. */
  readonly duration: number;
  /** When it was left there, in milliseconds since the epoch. */
  readonly at: number;
  /** False: the release is of another cut, or may be; there is about the same scene at that second. */
  readonly sameCut: boolean;
}

export interface LastResumePoint extends Pick<ResumePoint, 'position' | 'duration' | 'at'> {
  /** Whether that was this release. */
  readonly isOf: (release: Omit<KeyedRelease, 'quality'>) => boolean;
}

/** Of one film; those of other releases that were left longest ago go first. */
const MAX_POINTS = 10;
/** 300 films under some five names each. */
const MAX_DOCUMENTS = 1_500;
/** Seconds; nothing that is played is longer. */
const MAX_SECONDS = 30 * 86_400;

const seconds = v.pipe(bytesSchema, v.maxValue(MAX_SECONDS));
const StoredPoint = v.object({
  release: ResumeKey.entries.release,
  /** ResumeKey.cut; absent in what was kept before it was known. */
  cut: v.exactOptional(ResumeKey.entries.cut),
  position: seconds,
  duration: seconds,
  at: timeSchema,
});
type StoredPoint = v.InferOutput<typeof StoredPoint>;
const StoredPoints = v.pipe(v.array(StoredPoint), v.minLength(1), v.maxLength(MAX_POINTS), v.readonly());
const StoredFilm = v.object({
  /** Under which it is kept. */
  names: FilmNames,
  /** The latest first. */
  points: StoredPoints,
});
type StoredFilm = v.InferOutput<typeof StoredFilm>;

/** Version 1 was the points alone, under one name. */
const lifts = { 1: (points: unknown) => ({ names: [], points }) };

export function openResumePoints({ folder, log }: { folder: string; log: Logger }): ResumePoints {
  const storeFolder = join(folder, 'resume');
  const open = (name: string): StoredDocument<StoredFilm> =>
    openDocument(storeFolder, documentName(name), {
      version: 2,
      parse: (value) => v.parse(StoredFilm, value),
      migrations: lifts,
      newer: 'keep',
    });
  const find = (film: FilmKey) => findFilm(film, (name) => open(name).read());
  const attempt = async (what: string, task: () => Promise<void>) => {
    await task().catch((error: unknown) => {
      log.warning(`a resume point is not ${what}: ${String(error)}`);
    });
  };
  const points: ResumePoints = {
    forRelease: async (key) => {
      const { certain, likely } = await find(key);
      const latest = latestOf([...certain, ...likely]);
      if (latest === undefined) return undefined;
      const own = certain.find(({ release }) => isSameRelease(release, key.release));
      const { position, duration, at } = latest;
      const isSure = certain.includes(latest);
      return {
        position,
        duration,
        at,
        sameCut: isSure && (own === latest || isSameCut(latest, key.cut, own)),
      };
    },
    latest: async (film) => {
      const { certain, likely } = await find(film);
      const latest = latestOf([...certain, ...likely]);
      if (latest === undefined) return undefined;
      const { position, duration, at, release } = latest;
      return { position, duration, at, isOf: (other) => isReleaseOf(release, other) };
    },
    save: async (key, { position, duration }) => {
      const verdict = resumeAction(position, duration);
      if (verdict === 'clear') return points.clear(key);
      if (verdict === 'leave') return;
      await attempt('kept', async () => {
        const { names, certain } = await find(key);
        const others = certain.filter(({ release }) => !isSameRelease(release, key.release));
        const point = { release: key.release, cut: key.cut, position, duration, at: Date.now() };
        const points = [point, ...others].slice(0, MAX_POINTS);
        const film = v.parse(StoredFilm, { names, points });
        for (const name of names) await open(name).write(film);
        await pruneDocuments(storeFolder, { files: MAX_DOCUMENTS });
      });
    },
    clear: (key) =>
      attempt('cleared', async () => {
        const { names } = await find(key);
        for (const name of names) {
          const stored = await open(name).read();
          if (stored === undefined || isSameFilm(names, stored.names) !== false) await open(name).remove();
        }
      }),
  };
  return points;
}

interface FoundFilm {
  /** All that it is known by. */
  readonly names: FilmKey['names'];
  /** Its points: of each release the latest one, the latest of all first. */
  readonly certain: readonly StoredPoint[];
  /** The same of what lies under its title alone, where nothing tells whether it is this film. */
  readonly likely: readonly StoredPoint[];
}

/** What is kept of a film under any of its names. Under a title, with its year or alone, another film may lie. */
async function findFilm(
  { names }: FilmKey,
  read: (name: string) => Promise<StoredFilm | undefined>,
): Promise<FoundFilm> {
  const all = new Set(names);
  const certain: StoredPoint[] = [];
  const likely: StoredPoint[] = [];
  for (const name of names) {
    const stored = await read(name);
    // What an id leads to is the film, whatever else is told of it.
    const isSame =
      stored && (isSameFilm([...all], stored.names) ?? (nameKindOf(name) === 'title' ? undefined : true));
    if (stored === undefined || isSame === false) continue;
    (isSame === true ? certain : likely).push(...stored.points);
    if (isSame === true) for (const each of stored.names) all.add(each);
  }
  return {
    names: [...all].slice(0, MAX_NAMES),
    certain: latestPerRelease(certain),
    likely: latestPerRelease(likely),
  };
}

const latestOf = (points: readonly StoredPoint[]): StoredPoint | undefined =>
  points.reduce<StoredPoint | undefined>(
    (latest, point) => (latest === undefined || point.at > latest.at ? point : latest),
    undefined,
  );

function latestPerRelease(points: readonly StoredPoint[]): StoredPoint[] {
  const sorted = [...points].sort((one, other) => other.at - one.at);
  const first = ({ release }: StoredPoint) => sorted.find((each) => isSameRelease(each.release, release));
  return sorted.filter((point) => first(point) === point);
}

/** Two releases of one cut run equally long, but for their opening titles. */
const CUT_TOLERANCE = 0.01;

/** Whether one cut is told by both, as far as editions and running times are known. */
function isSameCut(left: StoredPoint, cut: string, own: StoredPoint | undefined): boolean {
  if (left.cut !== cut || cut === '') return false;
  const [one, other] = [left.duration, own?.duration ?? 0];
  return one === 0 || other === 0 || Math.abs(one - other) <= CUT_TOLERANCE * Math.max(one, other);
}

/** Seconds and share of the duration, as Kodi sets them when advancedsettings.xml does not (ignoresecondsatstart, ignorepercentatend). */
export const MIN_RESUME_SECONDS = 180;
const WATCHED_SHARE = 0.08;

/**
 * What Kodi itself does with its bookmark when a player closes: in the last 8 % the film counts as seen and the point
 * goes; past the first 180 s the point is set; a look at the first minutes leaves an older point where it was.
 */
function resumeAction(position: number, duration: number): 'clear' | 'set' | 'leave' {
  if (!Number.isFinite(position)) return 'leave';
  if (duration > 0 && duration - position < WATCHED_SHARE * duration) return 'clear';
  return position > MIN_RESUME_SECONDS ? 'set' : 'leave';
}
