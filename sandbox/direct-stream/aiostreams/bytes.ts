import type { Answer, Incoming } from '../../http/types.ts';
import { ALTMOUNT } from '../../nzbdav/dialect.ts';
import { contentType } from '../../nzbdav/propfind.ts';
import { articlesOf, type ByteSpan } from '../../posts.ts';
import { type LiveRange, liveBody } from '../live-body.ts';
import type { DirectPost } from '../post.ts';
import { etagOf, readByteAddress } from './addresses.ts';
import { jsonAnswer, redirect, UNEXPECTED } from './answers.ts';
import { isEncrypted } from './play.ts';
import type { AioStreams } from './service.ts';

/** So many lost articles of one answer are given as zeros; the next one ends it. */
const FILLED = 2;
/** A release that broke off so often has failed. */
const BREAKS = 2;

/** The bytes of a file. Once its release has failed, its address leads to a clip: to whoever asks with `?download` it says so. */
export function byteStream(request: Incoming, token: string, service: AioStreams): Answer {
  const asked = readByteAddress(token, service);
  if (asked === undefined) return redirect(302, '/static/500.mp4');
  const { post, video } = asked;
  const isDownload = request.query.has('download');
  if (isEncrypted(post)) return UNEXPECTED;
  if ((service.memory.broken.get(post.release.guid) ?? 0) >= BREAKS)
    return isDownload ? UNSTREAMABLE : redirect(302, '/static/download_failed.mp4');
  const clip = post.film(video);
  const etag = etagOf(post, video, clip.size);
  const about = {
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    etag,
    'last-modified': 'Sun, 22 Nov 2026 16:12:50 GMT',
  };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers: about };
  const { status, start, end } = rangeOf(request.headers['range'], clip.size);
  const range = { 'content-range': `bytes ${status === 416 ? '*' : `${start}-${end - 1}`}/${clip.size}` };
  if (status === 416) return { status, headers: { ...about, ...range } };
  const headers = {
    ...about,
    'content-disposition': `${isDownload ? 'attachment' : 'inline'}; filename="${encodeURIComponent(clip.name)}"`,
    'content-type': contentType(clip.name, ALTMOUNT),
    ...(status === 206 && range),
  };
  return start > end
    ? { status, headers, chunked: true }
    : bodyOf({ clip, start, end }, { post, video }, { status, headers }, service);
}

const UNSTREAMABLE = jsonAnswer(503, {
  success: false,
  detail: 'this release is currently unstreamable (data missing on every provider)',
});

/** If-Range is never looked at; what is not one range from a byte on is no range. `end` is not included. */
function rangeOf(header: string | undefined, size: number) {
  const [, from, to = ''] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined) return { status: 200, start: 0, end: size };
  const start = Number(from);
  if (start >= size) return { status: 416, start, end: size };
  return { status: 206, start, end: to === '' ? size : Math.min(size, Number(to) + 1) };
}

interface File {
  readonly post: DirectPost;
  readonly video: number;
}

function bodyOf(
  range: LiveRange,
  file: File,
  head: Pick<Answer, 'status' | 'headers'>,
  service: AioStreams,
): Answer {
  const bytes = new FileBytes(range, file, service);
  if (!bytes.isThere(range.start)) return noAnswer(service);
  const reach = (at: number) => bytes.reach(at);
  const read = (start: number, end: number) => bytes.read(start, end);
  const { script } = service;
  return { ...head, body: liveBody({ ...range, clip: { ...range.clip, read } }, { script, reach }) };
}

/** The first GET waits for the provider, the others know already. */
function noAnswer({ memory, settings }: AioStreams): Answer {
  const after = memory.isTripped ? 0 : settings.silence;
  memory.isTripped = true;
  return { status: 0, reset: true, after };
}

/** What can be had of a file while its body runs. */
class FileBytes {
  readonly #range: LiveRange;
  readonly #file: File;
  readonly #service: AioStreams;
  readonly #articles: readonly ByteSpan[];
  readonly #cached: Set<number>;
  /** Lost articles that this body gave as zeros. */
  readonly #filled = new Set<ByteSpan>();
  #isBroken = false;

  constructor(range: LiveRange, file: File, service: AioStreams) {
    this.#range = range;
    this.#file = file;
    this.#service = service;
    this.#articles = articlesOf(range.clip.size);
    this.#cached = service.library.get(file.post.release.guid)?.cached ?? new Set();
  }

  /** The provider can be asked, or the article lies on the disk. */
  isThere(at: number): boolean {
    const { settings, memory } = this.#service;
    if (settings.provider === 'there') memory.isTripped = false;
    return settings.provider === 'there' || this.#cached.has(this.#articleAt(at));
  }

  /** Up to the end of the article at this offset; undefined: the connection is destroyed. */
  reach(at: number): number | undefined {
    const article = this.#articles[this.#articleAt(at)]!;
    if (!this.isThere(at)) return undefined;
    if (this.#isLost(article)) this.#filled.add(article);
    if (this.#filled.size > FILLED) {
      this.#break();
      return undefined;
    }
    this.#cached.add(this.#articleAt(at));
    return article.to;
  }

  read(start: number, end: number): Uint8Array<ArrayBuffer> {
    const bytes = this.#range.clip.read(start, end);
    for (const { from, to } of this.#filled)
      if (from < end && to > start) bytes.fill(0, Math.max(0, from - start), Math.min(end, to) - start);
    return bytes;
  }

  #articleAt(at: number): number {
    return this.#articles.findIndex(({ to }) => at < to);
  }

  #isLost(article: ByteSpan): boolean {
    const { post, video } = this.#file;
    return post.holes(video).some(({ from, to }) => from < article.to && to > article.from);
  }

  #break(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    const { memory, library } = this.#service;
    const { guid } = this.#file.post.release;
    const breaks = (memory.broken.get(guid) ?? 0) + 1;
    memory.broken.set(guid, breaks);
    if (breaks >= BREAKS) library.set(guid, { status: 'failed', cached: this.#cached });
  }
}
