import { Random } from '../../support/random.ts';

const WAYS = ['row', 'PlayMedia', 'Player.Open'] as const;
/** How a person, or another program, starts a play. */
export type Way = (typeof WAYS)[number];

const COURSES = ['plays', 'fails', 'is cancelled', 'meets the failure box'] as const;
/** What becomes of the first press. */
export type Course = (typeof COURSES)[number];

/** One open: a press, others shortly after it, and what comes of the first. */
export interface Open {
  readonly seed: number;
  readonly way: Way;
  readonly course: Course;
  /** The presses after the first. */
  readonly more: readonly { readonly way: Way; readonly after: number }[];
  /** Milliseconds between the last press and Back, when it is cancelled. */
  readonly back: number;
}

/** Milliseconds. Kodi's busy dialog comes after 0.2 s, our window in the first second. */
const LONGEST_PAUSE = 900;
const MOST_MORE = 2;

/** The open of that seed. */
export function planOpen(seed: number): Open {
  const random = new Random(seed);
  const press = () => ({ way: random.pick(WAYS), after: random.int(0, LONGEST_PAUSE) });
  return {
    seed,
    way: random.pick(WAYS),
    course: random.pick(COURSES),
    more: Array.from({ length: random.int(1, MOST_MORE) }, press),
    back: random.int(0, LONGEST_PAUSE),
  };
}

/** In words, for reports. */
export const describeOpen = ({ seed, way, course, more, back }: Open): string =>
  [
    `seed ${seed}: ${way}`,
    ...more.map((press) => `${press.way} ${press.after} ms later`),
    course === 'is cancelled' ? `cancelled ${back} ms later` : `the first ${course}`,
  ].join(', ');
