/** How long the backend is given, and how often it is asked. Milliseconds. */
export interface Times {
  /** One submission; an NZB of 100 MB takes a while over Wi-Fi. */
  readonly submit: number;
  /** Any other single request. */
  readonly request: number;
  /** The search for the video, all requests together. */
  readonly locate: number;
  /** A piece of a file; the first article of a cold file takes a while. */
  readonly read: number;
  /** Between two looks for a job whose submission was not answered. */
  readonly lostReply: number;
  /** Until the next look at a running job. */
  readonly poll: (pace: Pace) => number;
  /** How long a running job may go without a good answer: a restart of the server is sat out. */
  readonly silence: number;
  /** Between two looks into a finished job's folder that is not there yet. */
  readonly recheck: number;
}

/** How a job gets on. */
export interface Pace {
  /** Milliseconds since the first look. */
  readonly waited: number;
  /** Milliseconds until its stage ends, as far as its progress tells. */
  readonly left: number | undefined;
}

export const TIMES: Times = {
  submit: 60_000,
  request: 10_000,
  locate: 60_000,
  read: 15_000,
  lostReply: 1_000,
  poll: adaptive,
  silence: 30_000,
  recheck: 500,
};

/** Around the end of a stage looks are this close; further apart than the second no look within a stage. */
const CLOSEST = 250;
const FARTHEST_WITHIN_STAGE = 1_000;

/**
 * As often as it helps, and about twice a second at the most. A job that shows no progress is looked at every 560 ms at
 * first: with 20 ms for an answer a job that takes up to 10 s costs (10 + 1) looks in 5.8 s on average, 1.9 a second,
 * and is noticed 0.3 s after it is ready. One that shows progress is looked at again when half of its stage's
 * remaining time has passed, so that the looks gather where it ends: fewer in all, and closer when it counts. The
 * person waits for the first seconds; after a minute nobody counts them, and the server is spared.
 */
function adaptive({ waited, left }: Pace): number {
  if (left !== undefined) return Math.min(Math.max(left / 2, CLOSEST), FARTHEST_WITHIN_STAGE);
  if (waited < 15_000) return 560;
  return waited < 60_000 ? 1_000 : 2_000;
}
