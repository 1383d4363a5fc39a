/** How long the service is given, and how often it is asked. Milliseconds. */
export interface DirectStreamTimings {
  /** One call that blocks until the release is ready: below the 60 s after which many a reverse proxy breaks it off. */
  readonly block: number;
  /** What such a call takes beside that: an NZB of 100 MB takes a while over Wi-Fi. */
  readonly upload: number;
  /** Any other single request. */
  readonly request: number;
  /** A call that has not been refused so long after it has been sent has been taken. */
  readonly settle: number;
  /** The way to a stream, and its first bytes; the answer takes so long, or as long as the person waits (protocols.md §8.1). */
  readonly open: number;
  /** The search for the video, all requests together. */
  readonly locate: number;
  /** A piece of a file. */
  readonly read: number;
  /** Between two requests, where the service does not say. */
  readonly retryInterval: number;
  /** Until it is first asked why an order waits, and from then on between two such questions. */
  readonly stallCheck: number;
  /** Retry-After is heeded up to this: the person waits. */
  readonly maxRetryAfter: number;
  /** How long a service may go without a good answer while it works: a restart is sat out. */
  readonly maxSilence: number;
  /** The same for a stream that was ready already. */
  readonly maxReadySilence: number;
}

export const DIRECT_STREAM_TIMINGS: DirectStreamTimings = {
  block: 50_000,
  upload: 60_000,
  request: 10_000,
  settle: 1_500,
  open: 45_000,
  locate: 60_000,
  read: 15_000,
  retryInterval: 1_000,
  stallCheck: 3_000,
  maxRetryAfter: 15_000,
  maxSilence: 30_000,
  maxReadySilence: 3_000,
};
