/** A release that a backend has accepted. */
export interface Job {
  readonly id: string;
  /** The unique name under which it was submitted. */
  readonly name: string;
  readonly category: string;
}

/** How far a job is, for the person to see. Stages only ever follow in this order; a backend may leave some out. */
export interface JobProgress {
  readonly stage: 'queued' | 'downloading' | 'verifying' | 'repairing' | 'unpacking' | 'ready';
  /** 0 to 100 of this stage; undefined while nobody knows. */
  readonly percent?: number;
}

/** A file on a backend that can be played, and how. */
export type Playable = RemoteFile | OpenFile;

interface PlayableFile {
  /** The file's own name, with its extension. */
  readonly name: string;
  /** Bytes, when the backend says. */
  readonly size?: number;
}

/** Played through the local proxy. */
export interface RemoteFile extends PlayableFile {
  readonly via: 'proxy';
  /** http(s), without credentials in it. */
  readonly url: string;
  /** To be sent with each request to the url. Secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** Subtitle files beside the video; the same headers open them. */
  readonly subtitles?: readonly SubtitleFile[];
}

/** Opened by the media centre itself. */
export interface OpenFile extends PlayableFile {
  readonly via: 'player';
  /** A path, smb://, nfs://, or an http(s) URL that may hold a secret. */
  readonly url: string;
  /** Subtitle files beside the video, as paths or URLs that the media centre opens. */
  readonly subtitles?: readonly SubtitleFile[];
}

export interface SubtitleFile {
  readonly url: string;
  /** The file's own name, with its extension. */
  readonly name: string;
}

/** What the media centre opens. */
export interface LocalStream {
  /** Of a proxied file on 127.0.0.1, ending in the file's real name; else what the backend named. */
  readonly url: string;
  /** Absent when only the media centre can find out. */
  readonly mime?: string;
  readonly size?: number;
  /** URLs of subtitle files for the player. */
  readonly subtitles?: readonly string[];
}
