import * as v from 'valibot';
import { decodePercent } from '../../io/percent-decode.ts';
import { isVideo } from '../../job-files/files.ts';

/** A video that a service offers. Its address opens it for everybody who has it: it is a secret. */
export interface Stream {
  readonly url: string;
  /** Folders and the file's name, as far as the service tells them; empty: it does not. */
  readonly path: readonly string[];
}

/** Longer ones are not sent by anybody, and Kodi's own limit is lower. */
const MAX_URL = 8192;
const MAX_NAME = 500;

/** Endings of what lies beside videos. What else stands behind a dot may belong to a release's name: "…1080p.WEB.x264". */
const SIDE_FILE =
  /\.(?:srt|sub|idx|sup|ass|ssa|vtt|nfo|txt|url|jpe?g|png|mp3|flac|par2|sfv|rar|r\d\d|zip|7z|iso|img|exe)$/i;

const isFileName = (name: string) => isVideo({ path: [name] }) || SIDE_FILE.test(name);

/**
 * The stream at an address that a service wrote, which may be relative to `base`; undefined for what is no web address.
 * @param names What the service calls it, the best first.
 */
export function streamAt(text: string, base: string, names: readonly string[] = []): Stream | undefined {
  const url = text.length > MAX_URL || text === '' ? undefined : webAddress(text, base);
  if (url === undefined) return undefined;
  return { url: playerUrl(url), path: pathIn(url) ?? nameAmong(names) ?? [] };
}

function webAddress(text: string, base: string): URL | undefined {
  // A path without a slash in front belongs below the base, as its own folders do.
  const folder = `${base}/`;
  const url = URL.canParse(text, folder) ? new URL(text, folder) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

/** What follows a "|" in an address the media centre takes for headers and options of its own (protocols.md §10.4). */
export const playerUrl = (url: URL): string => url.href.replaceAll('|', '%7C');

/** AltMount names the file's path in the query, others at the end of the address's own path. */
function pathIn(url: URL): readonly string[] | undefined {
  const asked = url.searchParams.get('path');
  const segments = (asked ?? decodePercent(url.pathname)).split(/[/\\]/).filter((part) => part !== '');
  if (!isFileName(segments.at(-1) ?? '')) return undefined;
  // Only of a path that is a file's are the folders the job's own.
  return asked === null ? segments.slice(-1) : segments;
}

function nameAmong(names: readonly string[]): readonly string[] | undefined {
  const name = names
    .flatMap((text) => text.slice(0, 4 * MAX_NAME).split(/\r?\n/))
    .map((line) => line.trim())
    .find((line) => isFileName(line) && line.length <= MAX_NAME);
  return name === undefined ? undefined : name.split(/[/\\]/).slice(-1);
}

/** A stream that has been opened. */
export interface OpenedStream {
  /** Where it was found after redirects; secret. */
  readonly url: string;
  /** Bytes. */
  readonly size: number;
  /** By its first bytes, its name or its header; absent when none of them tells. */
  readonly mime?: string;
  /** As the answer names it. */
  readonly name?: string;
}

const OpenedSchema = v.object({
  url: v.string(),
  size: v.number(),
  mime: v.exactOptional(v.string()),
  name: v.exactOptional(v.string()),
});

const StreamOffer = v.object({
  streams: v.array(v.object({ url: v.string(), path: v.array(v.string()) })),
  opened: v.exactOptional(OpenedSchema),
  wait: v.exactOptional(v.number()),
  holdsMore: v.exactOptional(v.literal(true)),
});

/** What a finished job holds. */
export interface StreamOffer {
  readonly streams: readonly Stream[];
  /** The only stream, where the wait has opened it already. */
  readonly opened?: OpenedStream;
  /** Milliseconds that the stream may still take to get ready; absent: it is. */
  readonly wait?: number;
  /** The release holds more than was asked for: a season, where an episode is wanted. */
  readonly holdsMore?: true;
}

/** As FinishedJob.storage. It is secret, and lives in memory only. */
export const serializeOffer = (offer: StreamOffer): string => JSON.stringify(offer);

/** @throws when it was not written by serializeOffer */
export const parseOffer = (storage: string): StreamOffer => v.parse(StreamOffer, JSON.parse(storage));
