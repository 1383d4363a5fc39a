/** How long the backend is given, and how often it is asked. Milliseconds. */
export interface WebdavTimings {
  /** One submission; an NZB of 100 MB takes a while over Wi-Fi. */
  readonly submit: number;
  /** Any other single request. */
  readonly request: number;
  /** One deletion: nzbdav answers when the running job's fetches have come, up to 10 s later. */
  readonly deletion: number;
  /** The search for the video, all requests together. */
  readonly locate: number;
  /** A piece of a file; the first article of a cold file takes a while. */
  readonly read: number;
  /** Until a piece that could not be read is tried a second time: a server may just be restarting. */
  readonly reread: number;
  /** Between two looks for a job whose submission was not answered. */
  readonly lostReply: number;
  /** Until the next look at a running job. */
  readonly poll: (pace: PollState) => number;
  /** After a queue has stood still for so long its server is asked why, and the person is told what is likely. */
  readonly stallCheck: { readonly ask: number; readonly tell: number };
  /** How long a running job may go without a good answer: a restart of the server is sat out. */
  readonly maxSilence: number;
  /** Between two looks into a finished job's folder that is not there yet. */
  readonly recheck: number;
}

/** How a job gets on. */
export interface PollState {
  /** Milliseconds since the submission was answered. */
  readonly waited: number;
  /** Milliseconds until its stage ends, as far as its progress tells. */
  readonly left: number | undefined;
}

export const WEBDAV_TIMINGS: WebdavTimings = {
  submit: 60_000,
  request: 10_000,
  deletion: 14_000,
  locate: 60_000,
  read: 15_000,
  reread: 1_000,
  lostReply: 1_000,
  poll: adaptivePollDelay,
  stallCheck: { ask: 8_000, tell: 10_000 },
  maxSilence: 30_000,
  recheck: 500,
};

/** The next look comes when so much of its stage's remaining time has passed, in these bounds. */
const REMAINING_SHARE = 0.7;
const MIN_POLL_MS = 330;
const MAX_POLL_WITHIN_STAGE_MS = 1_000;
/** Milliseconds after the submission: most jobs are ready after 100 to 600 ms (protocols.md §1.8). */
const FIRST_POLLS = [120, 250, 400];
/** For a job that shows nothing. */
const FIRST_POLL_MS = 530;

/**
 * At first where most jobs become ready; from then on as often as it helps, and twice a second at the most. With 20 ms
 * for an answer, a look each 550 ms costs 1.9 requests a second, those of the queue included; that a job is ready is
 * noticed half of that time later, and an answer: 290 ms. Where the job shows progress the looks gather where its stages
 * end (test/backends/webdav/timings.test.ts does the sums).
 * The person waits for the first seconds; after a minute nobody counts them, and the server is spared.
 */
function adaptivePollDelay({ waited, left }: PollState): number {
  const first = FIRST_POLLS.find((at) => at > waited);
  if (first !== undefined) return first - waited;
  if (left !== undefined)
    return Math.min(Math.max(left * REMAINING_SHARE, MIN_POLL_MS), MAX_POLL_WITHIN_STAGE_MS);
  if (waited < 15_000) return FIRST_POLL_MS;
  return waited < 60_000 ? 1_000 : 2_000;
}
