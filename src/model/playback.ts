/** A release that a backend has accepted. */
export interface Job {
  readonly id: string;
  /** The unique name under which it was submitted. */
  readonly name: string;
  readonly category: string;
}

/** How far a job is, for the person to see. Stages only ever follow in this order; a backend may leave some out. */
export interface JobProgress {
  readonly stage: 'queued' | 'downloading' | 'opening' | 'verifying' | 'repairing' | 'unpacking' | 'ready';
  /** 0 to 100 of this stage; undefined while nobody knows. */
  readonly percent?: number;
  /** Why it waits in the queue, in the backend's words; undefined while nobody knows. */
  readonly stallReason?: string;
}

/** A file on a backend that can be played, and how. */
export type Playable = RemoteFile | OpenFile;

interface PlayableFile {
  /** The file's own name, with its extension. */
  readonly name: string;
  /** Bytes, when the backend says. */
  readonly size?: number;
}

/** How a file's server serves it, as far as its kind tells: what a read costs there, and how lost articles show. */
export interface Serving {
  /**
   * What reading a few bytes anywhere costs: `cheap`, the articles that hold them; `dear`, a read-ahead that the
   * range's end does not bound (protocols.md §2.6).
   */
  readonly look: 'cheap' | 'dear';
  /** A range's end bounds what the server fetches, and an open-ended read is cut when it waits: read in windows. */
  readonly windows: boolean;
  /** Lost articles come as zeros, with nothing that tells of it (protocols.md §2.5, §2.10). */
  readonly zeroFills: boolean;
  /** All of the file that will ever be there is there: it is no running download. */
  readonly complete: boolean;
  /** Bytes of most of the file's articles as the NZB gives them, encoded; absent when nobody knows. */
  readonly articleBytes?: number;
}

/** Played through the local proxy. */
export interface RemoteFile extends PlayableFile {
  readonly via: 'proxy';
  /** http(s), without credentials in it. */
  readonly url: string;
  /** To be sent with each request to the url. Secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent when nobody knows. */
  readonly serving?: Serving;
  /** Subtitle files beside the video; the same headers open them. */
  readonly subtitles?: readonly SubtitleFile[];
  /** The url is not the file's own: a service gave it to be played, and it is opened in this way. */
  readonly opening?: Opening;
}

/** How an address is opened that a service gave to be played: it may block, lead on, or answer with something else. */
export interface Opening {
  /** As messages name whoever gave it: "AIOStreams". */
  readonly who: string;
  /** Requests at the most; absent: as many as the time allows. Some add-ons fetch the NZB anew with each of them. */
  readonly most?: number;
  /** Who gave it reads usenet itself, through a provider that is set up there. */
  readonly usenet?: true;
  /** Milliseconds that it may take to get ready. */
  readonly wait: number;
  /** Other addresses of the same file, tried in this order where it is not to be had at the url. */
  readonly others?: readonly string[];
  /** As Link.listedAt. */
  readonly listedAt?: string;
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
  /** The file's own name, where the address did not tell it and its answer did. */
  readonly name?: string;
  /** It is the upstream's own address, which may be secret: its server answers no ranges, so nothing can be sought in it. */
  readonly unseekable?: true;
  /** URLs of subtitle files for the player. */
  readonly subtitles?: readonly string[];
}
