import type { ProviderLine } from './line.ts';

/** Bytes of a file in one article. */
export const ARTICLE_BYTES = 716_800;
/** yEnc and the lines' ends: 66 articles were 49 MB at the provider. */
const ENCODING = 1.033;

/** A file of the share, as far as the provider matters. */
export interface SharedFile {
  readonly name: string;
  readonly size: number;
}

/** One BODY that was asked of the provider. */
export interface Fetch {
  readonly file: string;
  readonly article: number;
  /** Number of the GET that it is for. */
  readonly get: number;
  /** Bytes that have come so far, as they travel. */
  readonly bytes: number;
  readonly state: 'asked' | 'whole' | 'dropped';
}

export type OpenFetch = { -readonly [K in keyof Fetch]: Fetch[K] };

/** A GET in the eyes of the server: what it fetches ahead of the client, and how far its body can go. */
export interface Reader {
  /** Offset in the file up to which the body can be handed out. */
  readonly available: number;
  /** The body ends at `available`, whatever its head promises. */
  readonly isCut: boolean;
  /** The client has everything up to this offset. */
  took(to: number): void;
  /** One millisecond passes: asks for what it wants by now. True when that has used its turn at the connections. */
  step(): boolean;
  /** The client has left, or has everything. */
  close(): void;
}

export interface ReaderOptions {
  readonly line: ProviderLine;
  readonly file: SharedFile;
  readonly start: number;
  /** Not included; undefined: the request names no end. */
  readonly end: number | undefined;
  /** Writes a BODY down. */
  readonly log: (article: number) => OpenFetch;
}

export const articleAt = (offset: number): number => Math.floor(offset / ARTICLE_BYTES);

export const articlesOf = ({ size }: SharedFile): number => Math.ceil(size / ARTICLE_BYTES);

/** Bytes of an article as they travel: the file's last one is a part. */
export function wireBytes(article: number, { size }: SharedFile): number {
  return Math.min(ARTICLE_BYTES, size - article * ARTICLE_BYTES) * ENCODING;
}

/** The articles of one GET that have come, and how far they go without a gap. */
export class ArrivedArticles {
  readonly #whole = new Set<number>();
  #next: number;

  constructor(first: number) {
    this.#next = first;
  }

  /** The first one that is not there. */
  get next(): number {
    return this.#next;
  }

  add(article: number): void {
    this.#whole.add(article);
    while (this.#whole.delete(this.#next)) this.#next++;
  }
}
