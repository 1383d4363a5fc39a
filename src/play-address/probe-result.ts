import * as v from 'valibot';
import { sanitizeExternalText } from '../io/external-text.ts';
import { parseJson } from '../io/json.ts';
import { decodePercent } from '../io/percent-decode.ts';
import { retryAfterOf } from '../io/retry-after.ts';
import { knownNonVideo, mimeByContent, mimeByName } from '../media/mime.ts';
import { isNoticeName, isNoticeVideo, noticeNameOf } from '../media/notice.ts';
import { fileNameWithoutPassword } from '../release/index.ts';

/** The head of an answer that was not led on any further. */
export interface ResponseHead {
  /** Where it came from. */
  readonly url: URL;
  readonly status: number;
  /** By its lower-case name. */
  readonly header: (name: string) => string | undefined;
}

/** Why what came is not the video. */
export type NonVideo =
  /** It is not ready; in so many milliseconds it may be, where the service says so. */
  | { readonly kind: 'later'; readonly after: number | undefined; readonly status: number }
  | { readonly kind: 'denied'; readonly status: number }
  | { readonly kind: 'absent'; readonly status: number; readonly words: string }
  | { readonly kind: 'broken'; readonly status: number; readonly words: string }
  /** Something that plays, or would, and is not what was asked for. `what` ends "it sent …". */
  | { readonly kind: 'other'; readonly what: string }
  /** Redirects that lead nowhere. */
  | { readonly kind: 'astray'; readonly detail: string }
  /** A video that tells the person of a failure, or the way to one: its name, and what is said in writing. */
  | { readonly kind: 'notice'; readonly clip: string; readonly words: string };

/** What an answer says of the video, as far as it is there. */
export interface VideoInfo {
  readonly kind: 'video';
  /** Bytes. */
  readonly size: number;
  /** By its first bytes, its name or its header; absent when none of them tells. */
  readonly mime?: string;
  /** As the answer names it; absent unless it is a video's name. */
  readonly name?: string;
}

/** Enough to know a video, or a page, by its first bytes. */
export const HEAD_BYTES = 4096;

/** UsenetStreamer says beside its notice what has failed. */
const FAILURE_HEADER = 'x-nzbdav-failure';

/** Statuses by which a service says that it is not ready yet, or that it is busy or restarting. */
const NOT_READY_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);

/** AltMount's words for what has failed for good, which come with a Retry-After, and AIOStreams' (protocols.md §8.12, §8.6). */
const FINAL_ERRORS =
  /NZB processing failed|No streams available|Failed to prepare NZB stream|release is currently unstreamable/i;

/** Milliseconds until a service is asked again that shows its video of "not yet". */
const NOT_YET_DELAY = 5_000;

/** A redirect's target where that is one of the videos by which services tell of a failure; undefined: it is not. */
export function noticeOf(url: URL): NonVideo | undefined {
  if (!isNoticeVideo(url)) return undefined;
  const clip = noticeNameOf(url);
  return clip === 'downloading'
    ? { kind: 'later', after: NOT_YET_DELAY, status: 503 }
    : { kind: 'notice', clip, words: '' };
}

/** What the head alone says against the video; undefined: nothing. `text`: the beginning of the body, where that is no video. */
export function nonVideoInHead({ url, status, header }: ResponseHead, text: string): NonVideo | undefined {
  const told = header(FAILURE_HEADER);
  if (told !== undefined) return { kind: 'notice', clip: '', words: errorTextOf(told) };
  const notice = noticeOf(url);
  if (notice !== undefined) return notice;
  if (status === 200 || status === 206) return undefined;
  if (status === 401 || status === 403) return { kind: 'denied', status };
  const words = errorTextOf(text);
  if (NOT_READY_STATUSES.has(status) && !FINAL_ERRORS.test(text))
    return {
      kind: 'later',
      after: retryAfterOf({ 'retry-after': header('retry-after'), date: header('date') }),
      status,
    };
  return { kind: status >= 500 ? 'broken' : 'absent', status, words };
}

/** What an answer with 200 or 206 gives. @param start The first bytes of its body, as far as they are known. */
export function classifyContent(head: ResponseHead, start: Uint8Array): VideoInfo | NonVideo {
  const { url, status, header } = head;
  const type = (header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const what =
    knownNonVideo(start) ?? (canBeVideo(type) ? undefined : `a file of the type ${type.slice(0, 60)}`);
  if (what !== undefined) return { kind: 'other', what };
  const size = status === 206 ? wholeSize(header('content-range')) : lengthOf(header('content-length'));
  // Kodi can neither seek nor tell the end of what has no size (protocols.md §10.3).
  if (size === undefined) return { kind: 'other', what: 'a stream of unknown length' };
  if (size < HEAD_BYTES) return { kind: 'other', what: `a file of ${size} bytes` };
  const name = videoNameOf(head);
  if (isNoticeVideo(url, size) || isNoticeName(name ?? ''))
    return { kind: 'notice', clip: noticeNameOf(url), words: '' };
  const mime =
    mimeByContent(start) ?? mimeByName(name ?? '') ?? (type.startsWith('video/') ? type : undefined);
  return {
    kind: 'video',
    size,
    ...(mime !== undefined && { mime }),
    ...(name !== undefined && { name }),
  };
}

/** Some servers call a video a mere file, or nothing at all. */
const canBeVideo = (type: string) =>
  type === '' ||
  type.startsWith('video/') ||
  /^(?:application|binary)\/(?:octet-stream|x-matroska|mp4|vnd\.rn-realmedia.*|force-download|x-msdownload|download)$/.test(
    type,
  );

const wholeSize = (range = '') => lengthOf(/^bytes 0-\d{1,15}\/(\d{1,15})$/.exec(range.trim())?.[1]);

const lengthOf = (text = '') => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined);

/** The video's name as the answer, or its address, tells it. */
function videoNameOf({ url, header }: ResponseHead): string | undefined {
  return (
    asVideoName(declaredFileName(header('content-disposition'))) ??
    asVideoName(decodePercent(url.searchParams.get('path') ?? '')) ??
    asVideoName(decodePercent(url.pathname))
  );
}

/**
 * The file's name in a Content-Disposition (RFC 6266), whatever it ends in, without its archive's password; the encoded
 * form is the better one.
 */
export function declaredFileName(disposition = ''): string | undefined {
  const encoded = /filename\*=utf-8''([^;\s]{1,900})/i.exec(disposition)?.[1];
  const plain =
    /filename="([^"]{1,900})"/i.exec(disposition)?.[1] ?? /filename=([^;\s"]{1,900})/i.exec(disposition)?.[1];
  const name = lastPart(encoded === undefined ? plainName(plain ?? '') : decodePercent(encoded));
  return name === '' ? undefined : fileNameWithoutPassword(name);
}

/** AIOStreams encodes the plain form as well (protocols.md §8.6); who writes blanks as they are encodes nothing. */
const plainName = (text: string) => (text.includes(' ') ? fromUtf8(text) : decodePercent(fromUtf8(text)));

/** A header is read as Latin-1, and StreamNZB writes UTF-8 into it. */
function fromUtf8(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

function asVideoName(path = ''): string | undefined {
  const name = lastPart(path);
  return mimeByName(name) === undefined ? undefined : fileNameWithoutPassword(name);
}

const lastPart = (path: string) => path.split(/[/\\]/).at(-1) ?? '';

/** The beginning of an answer in words: nothing of a page for people, and of JSON what it says of the failure. */
export function errorTextOf(text: string): string {
  if (/^\s*</.test(text)) return '';
  return sanitizeExternalText(/^\s*[[{]/.test(text) ? (messageIn(parseJson(text)) ?? '') : text);
}

const said = v.pipe(v.string(), v.nonEmpty());
const MessageShape = v.object({ message: said });
/** AIOStreams, AltMount's API, StreamNZB's. */
const Failure = v.union([
  v.pipe(
    v.object({ error: MessageShape }),
    v.transform(({ error }) => error.message),
  ),
  v.pipe(
    v.object({ detail: said }),
    v.transform(({ detail }) => detail),
  ),
  v.pipe(
    MessageShape,
    v.transform(({ message }) => message),
  ),
  v.pipe(
    v.object({ error: said }),
    v.transform(({ error }) => error),
  ),
]);

function messageIn(json: unknown): string | undefined {
  const parsed = v.safeParse(Failure, json);
  return parsed.success ? parsed.output : undefined;
}
