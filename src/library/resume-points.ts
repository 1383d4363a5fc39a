import { join } from 'node:path';
import * as v from 'valibot';
import { type Document, openDocument, pruneDocuments } from '../io/store.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import { comparableName } from './names.ts';
import { mayBeSameSize } from './sizes.ts';
import { bytes, hashOf, time } from './stored.ts';
import { workName, workOf } from './work.ts';

/**
 * Where films and episodes were left, by release. One document for each film or episode, written by the service alone;
 * its name and what is in it are hashes and numbers, and tell nobody what was watched.
 */
export interface ResumePoints {
  /** Where this release was left; else, marked as such, where another release of the same film was left last. */
  of(key: ResumeKey): Promise<ResumePoint | undefined>;
  /** The player left it there. Follows Kodi's rules (see `decide`). Never fails: the log tells what is not kept. */
  left(key: ResumeKey, at: Pick<ResumePoint, 'position' | 'duration'>): Promise<void>;
  /** It was seen to its end: no release of it is offered anywhere but at its start. Never fails. */
  clear(key: ResumeKey): Promise<void>;
}

export interface ResumePoint {
  /** Seconds from the film's start. */
  readonly position: number;
  /** Seconds; 0 while nobody knows. */
  readonly duration: number;
  /** When it was left there, in milliseconds since the epoch. */
  readonly at: number;
  /**
   * False: of another release, so it is never taken up unasked. Another cut, other opening titles or another frame rate
   * put another scene at that second.
   */
  readonly sameRelease: boolean;
}

/** What a resume point belongs to; holds no title, and may be handed from one process to the other. */
export const ResumeKey = v.object({
  film: v.pipe(v.string(), v.regex(/^[\da-f]{32}$/)),
  release: v.pipe(v.string(), v.regex(/^[\da-f]{32}\.\d{0,16}\.\d{0,9}$/)),
});
export type ResumeKey = v.InferOutput<typeof ResumeKey>;

export function resumeKey(
  release: Pick<Release, 'name' | 'size' | 'posted'>,
  request: MediaRequest,
): ResumeKey {
  const { kind, episode } = request;
  const film = hashOf([kind, workName(workOf(request)), episode?.season, episode?.episode]);
  return { film, release: releaseKey(release) };
}

const DAY_MS = 86_400_000;

/** A release's name, hashed, its size in bytes and the day of its posting, as far as they are known. */
function releaseKey({ name, size, posted }: Pick<Release, 'name' | 'size' | 'posted'>): string {
  const day = posted === undefined ? '' : Math.max(0, Math.floor(posted / DAY_MS));
  return `${hashOf(comparableName(name).text)}.${size === undefined ? '' : Math.min(Math.round(size), Number.MAX_SAFE_INTEGER)}.${day}`;
}

/** Clocks differ by hours. */
const DAY_TOLERANCE = 1;

/** Whether two keys are of one release, though not always the same indexer lists it first. */
function isSameRelease(one: string, other: string): boolean {
  const [name, size, day] = one.split('.');
  const [otherName, otherSize, otherDay] = other.split('.');
  const told = (text = '') => (text === '' ? undefined : Number(text));
  const isNearDay = (a = told(day), b = told(otherDay)) =>
    a === undefined || b === undefined || Math.abs(a - b) <= DAY_TOLERANCE;
  return name === otherName && mayBeSameSize(told(size), told(otherSize)) && isNearDay();
}

/** Of one film; those of other releases that were left longest ago go first. */
const MOST_POINTS = 10;
const MOST_FILMS = 300;
/** Seconds; nothing that is played is longer. */
const LONGEST = 30 * 86_400;

const seconds = v.pipe(bytes, v.maxValue(LONGEST));
const StoredPoint = v.object({
  release: ResumeKey.entries.release,
  position: seconds,
  duration: seconds,
  at: time,
});
const StoredPoints = v.pipe(v.array(StoredPoint), v.minLength(1), v.maxLength(MOST_POINTS), v.readonly());
type StoredPoints = v.InferOutput<typeof StoredPoints>;

export function resumePoints({ folder, log }: { folder: string; log: Logger }): ResumePoints {
  const place = join(folder, 'resume');
  const open = ({ film }: ResumeKey): Document<StoredPoints> =>
    openDocument(place, film, { version: 1, parse: (value) => v.parse(StoredPoints, value), newer: 'keep' });
  const attempt = async (what: string, task: () => Promise<void>) => {
    await task().catch((error: unknown) => {
      log.warning(`a resume point is not ${what}: ${String(error)}`);
    });
  };
  const points: ResumePoints = {
    of: async (key) => {
      const stored = (await open(key).read()) ?? [];
      const own = stored.find(({ release }) => isSameRelease(release, key.release));
      const point = own ?? stored[0];
      if (point === undefined) return undefined;
      const { position, duration, at } = point;
      return { position, duration, at, sameRelease: own !== undefined };
    },
    left: async (key, { position, duration }) => {
      const verdict = decide(position, duration);
      if (verdict === 'clear') return points.clear(key);
      if (verdict === 'leave') return;
      await attempt('kept', async () => {
        const document = open(key);
        const others = ((await document.read()) ?? []).filter(
          ({ release }) => !isSameRelease(release, key.release),
        );
        const point = { release: key.release, position, duration, at: Date.now() };
        await document.write(v.parse(StoredPoints, [point, ...others].slice(0, MOST_POINTS)));
        await pruneDocuments(place, { files: MOST_FILMS });
      });
    },
    clear: (key) => attempt('cleared', () => open(key).remove()),
  };
  return points;
}

/** Seconds and share of the duration, as Kodi sets them when advancedsettings.xml does not (ignoresecondsatstart, ignorepercentatend). */
const START = 180;
const END = 0.08;

/**
 * What Kodi itself does with its bookmark when a player closes: in the last 8 % the film counts as seen and the point
 * goes; past the first 180 s the point is set; a look at the first minutes leaves an older point where it was.
 */
function decide(position: number, duration: number): 'clear' | 'set' | 'leave' {
  if (!Number.isFinite(position)) return 'leave';
  if (duration > 0 && duration - position < END * duration) return 'clear';
  return position > START ? 'set' : 'leave';
}
