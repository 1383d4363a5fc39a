/** How long the service is given, and how often it is asked. Milliseconds. */
export interface Times {
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
  readonly again: number;
  /** Until it is first asked why an order waits, and from then on between two such questions. */
  readonly held: number;
  /** Retry-After is heeded up to this: the person waits. */
  readonly longestRest: number;
  /** How long a service may go without a good answer while it works: a restart is sat out. */
  readonly silence: number;
  /** The same for a stream that was ready already. */
  readonly hiccup: number;
}

export const TIMES: Times = {
  block: 50_000,
  upload: 60_000,
  request: 10_000,
  settle: 1_500,
  open: 45_000,
  locate: 60_000,
  read: 15_000,
  again: 1_000,
  held: 3_000,
  longestRest: 15_000,
  silence: 30_000,
  hiccup: 3_000,
};
