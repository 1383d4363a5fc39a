/** A release that a backend has accepted. */
export interface Job {
  readonly id: string;
  /** The unique name under which it was submitted. */
  readonly name: string;
  readonly category: string;
}

/** How far a job is, for the person to see. */
export interface JobProgress {
  readonly stage: 'queued' | 'downloading' | 'verifying' | 'ready';
  /** 0 to 100; undefined while nobody knows. */
  readonly percent?: number;
}

/** A file on a backend that can be played, and how. */
export interface Playable {
  /** http(s), without credentials in it. */
  readonly url: string;
  /** To be sent with each request to the url. Secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** The file's own name, with its extension. */
  readonly name: string;
  /** Bytes, when the backend says. */
  readonly size?: number;
}

/** What the media centre opens. */
export interface LocalStream {
  /** On 127.0.0.1, ending in the file's real name. */
  readonly url: string;
  readonly mime: string;
  readonly size: number;
}
