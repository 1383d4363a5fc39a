/** How long NZBGet and the share are given, and how often they are asked. Milliseconds. */
export interface NzbgetTimings {
  /** One submission; an NZB of 100 MB takes a while over Wi-Fi, and base64 makes it longer. */
  readonly submit: number;
  /** Any other single request. */
  readonly request: number;
  /** Between two looks for a job whose submission was not answered. */
  readonly lostReply: number;
  /** The shortest and the longest time between two looks at a running job. */
  readonly poll: { readonly min: number; readonly max: number };
  /** How long a running job may go without a good answer: a restart of the server is sat out. */
  readonly maxSilence: number;
  /** How long a job may be in neither list, between queue and history or while the server starts. */
  readonly maxAbsence: number;
  /** How long NZBGet may take to put a backup in the place of a job that failed. */
  readonly promotion: number;
  /** How long NZBGet may take to let go of a job that it was told to delete. */
  readonly removal: number;
  /** Until a file server must have proven that it speaks. */
  readonly proof: number;
  /** How long such a proof is good for. */
  readonly proofAge: number;
  /** How long finished files may take to appear on the share. */
  readonly appear: number;
  /** How long files that are there but do not fit may yet be joined by others. */
  readonly settle: number;
  /** Between two looks into the finished job's folder. */
  readonly recheck: number;
  /** The search for the video, all looks together. */
  readonly locate: number;
  /** One folder or one piece of a file; a disk may have to spin up. */
  readonly read: number;
}

export const NZBGET_TIMINGS: NzbgetTimings = {
  submit: 60_000,
  request: 10_000,
  lostReply: 1_000,
  poll: { min: 550, max: 2_000 },
  maxSilence: 30_000,
  maxAbsence: 2_000,
  promotion: 5_000,
  removal: 1_500,
  proof: 3_000,
  proofAge: 10_000,
  appear: 20_000,
  settle: 2_000,
  recheck: 500,
  locate: 60_000,
  read: 15_000,
};
