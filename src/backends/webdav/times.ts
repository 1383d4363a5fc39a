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
  /** Until the next look at a running job, given how many looks there were (from 1). */
  readonly poll: (looks: number) => number;
  /** How long a running job may go without a good answer: a restart of the server is sat out. */
  readonly silence: number;
  /** Between two looks into a finished job's folder that is not there yet. */
  readonly recheck: number;
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

/** Most jobs are ready within seconds and the person waits, so the first looks are close; the server is spared later. */
function adaptive(looks: number): number {
  if (looks <= 12) return 250;
  if (looks <= 36) return 500;
  return looks <= 120 ? 1_000 : 2_000;
}
