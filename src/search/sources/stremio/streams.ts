import * as v from 'valibot';
import { SlipstreamError } from '../../../errors/index.ts';
import { phraseOf } from '../../../io/external-text.ts';
import { mimeByName } from '../../../media/mime.ts';
import { isNoticeVideo } from '../../../media/notice.ts';
import type { Claims, DirectService, Link, Posting } from '../../../model/index.ts';
import { decodePlayAddress } from '../aiostreams/play-address.ts';
import { parseLink } from '../common/address.ts';
import { boundedList } from '../common/bounded-list.ts';
import { registerInnerSecrets } from '../common/link-secrets.ts';
import { fingerprint, moreDetailedName, postedAgo, releaseName } from '../common/posting.ts';
import { type ServiceLabels } from '../common/refusal.ts';
import { headersOf } from './headers.ts';
import type { StreamQuery } from './stream-query.ts';

const text = v.fallback(v.optional(v.nullable(v.string())), undefined);
const number = v.fallback(v.optional(v.nullable(v.number())), undefined);
const Hints = v.object({
  filename: text,
  videoSize: number,
  folderSize: number,
  bingeGroup: text,
  proxyHeaders: v.fallback(v.optional(v.object({ request: v.record(v.string(), v.unknown()) })), undefined),
});
const Stream = v.object({
  name: text,
  title: text,
  description: text,
  url: text,
  infoHash: text,
  ytId: text,
  nzbUrl: text,
  externalUrl: text,
  streamData: v.fallback(v.optional(v.object({ type: text, age: number })), undefined),
  behaviorHints: v.fallback(v.optional(Hints), undefined),
});
type Stream = v.InferOutput<typeof Stream>;

/** No add-on lists more, and no list needs them. */
const MAX_STREAMS = 1_000;

/** A list of streams; odd ones are left out. An add-on that has nothing may say so with null. */
export const Streams = v.object({
  streams: v.pipe(
    v.nullable(v.array(v.unknown())),
    v.transform((all) => all ?? []),
    boundedList(Stream, MAX_STREAMS),
  ),
});

/** Whose list it is. */
export interface RowContext {
  readonly source: string;
  readonly service: ServiceLabels;
  /** What the add-on is, where its ways are known. */
  readonly software: DirectService | undefined;
  /** The add-on's address, to which its own may be relative. */
  readonly base: string;
  /** What was asked for: that is what the add-on says of each stream. */
  readonly claims: Claims;
}

export interface ParsedStreams {
  readonly postings: readonly Posting[];
  readonly failures: readonly SlipstreamError[];
}

/** A service's own search, beside Stremio's protocol. @throws as SearchSource.ask; NotFoundError: this version has none */
export type SearchApi = (
  wanted: StreamQuery,
  origin: RowContext,
  signal: AbortSignal,
) => Promise<ParsedStreams>;

/** Different failures that are told. */
const MAX_FAILURES = 5;

/** What of a list can be played. A row that cannot is how add-ons tell of failures: its words are told. */
export function parseStreams(streams: readonly Stream[], origin: RowContext): ParsedStreams {
  const postings: Posting[] = [];
  const words: string[] = [];
  const hasFileNames = streams.some(hasFileName);
  for (const stream of streams) {
    const url = addressOf(stream, origin.base);
    if (url === undefined) {
      if (isErrorRow(stream)) words.push(rowText(stream));
    } else if (origin.software !== 'streamnzb' || !hasFileNames || hasFileName(stream)) {
      postings.push(postingOf(stream, url, origin));
    }
  }
  return { postings, failures: rowErrors(words, origin.service) };
}

/** StreamNZB's "next release" has none: it leads to whatever comes next in its list. */
const hasFileName = ({ behaviorHints }: Stream) => Boolean(behaviorHints?.filename);

/** @param words of each; the same ones are told once */
export const rowErrors = (words: readonly string[], service: ServiceLabels): SlipstreamError[] =>
  [...new Set(words)].slice(0, MAX_FAILURES).map((each) => rowError(each, service));

/** Longer ones are opened by nobody. */
export const MAX_URL = 8192;

function addressOf(stream: Stream, base: string): URL | undefined {
  const { url } = stream;
  if (url === undefined || url === null || url.length > MAX_URL) return undefined;
  const link = parseLink(url, `${base}/`);
  return link === undefined || isNoticeVideo(link, sizeOf(stream)) ? undefined : link;
}

/** What was posted, where that is told beside the video in it (AIOStreams, once it has opened the post). */
const sizeOf = ({ behaviorHints }: Stream): number | undefined =>
  [behaviorHints?.folderSize, behaviorHints?.videoSize].find(isSize) ?? undefined;

const isSize = (size: unknown): size is number => Number.isSafeInteger(size) && Number(size) > 0;

/** The two sizes are one and the same until the post has been opened (protocols.md §8.5). */
export const videoSizeOf = (posted: unknown, video: unknown): Pick<Link, 'videoSize'> =>
  isSize(posted) && isSize(video) && posted !== video ? { videoSize: video } : {};

/**
 * Torrents, videos of YouTube and NZBs for a player that reads usenet itself are streams, but none for us. What only leads
 * to a page is a statistic or a download for the browser, unless it says that it is an error (protocols.md §8.5).
 */
function isErrorRow({ name, url, infoHash, ytId, nzbUrl, externalUrl, streamData }: Stream): boolean {
  if (url) return true;
  if (infoHash ?? ytId ?? nzbUrl) return false;
  return !externalUrl || streamData?.type === 'error' || name?.startsWith('[❌]') === true;
}

/** Where an address begins otherwise than its add-on's: that one's origin, maybe the true one (protocols.md §8.4). */
export function listedAt({ origin }: URL, base: string): Pick<Link, 'listedAt'> {
  const own = new URL(base).origin;
  return origin === own ? {} : { listedAt: own };
}

function postingOf(
  stream: Stream,
  url: URL,
  { source, service, software, base, claims }: RowContext,
): Posting {
  registerInnerSecrets(url);
  const { bingeGroup, proxyHeaders, folderSize, videoSize } = stream.behaviorHints ?? {};
  const post = software === 'aiostreams' ? decodePlayAddress(url) : undefined;
  const file = nameOf(stream);
  const name = post === undefined ? file : moreDetailedName(post.title, file);
  const size = sizeOf(stream);
  const age = stream.streamData?.age ?? undefined;
  return {
    name,
    link: {
      url: url.href,
      // The address may be another one in each list.
      guid: post?.id ?? fingerprint([name, size, bingeGroup]),
      indexer: service.name,
      ...listedAt(url, base),
      ...videoSizeOf(folderSize, videoSize),
      source,
      plays: true,
      ...(software !== undefined && { service: software }),
      ...headersOf(proxyHeaders?.request),
    },
    ...(size !== undefined && { size }),
    ...(age !== undefined && postedAgo(age)),
    claims,
  };
}

/** The file's name as the add-on tells it, else the line that looks most like one. */
function nameOf({ name, title, description, behaviorHints }: Stream): string {
  const lines = [description, title, name]
    .flatMap((each) => (each ?? '').slice(0, 4000).split(/[\r\n]+/))
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const file = lastPart(behaviorHints?.filename ?? '');
  const best = file || (lines.find(isFile) ?? lines.find(isReleaseName) ?? lines[0] ?? 'unnamed');
  return releaseName(best);
}

const lastPart = (path: string) => path.trim().split(/[/\\]/).at(-1) ?? '';
const isFile = (line: string) => mimeByName(line) !== undefined;
/** "Big.Buck.Bunny.2008.1080p": words without blanks between them. */
const isReleaseName = (line: string) => /^[^\s/]{3,}[._-][^\s/]+[._-][^\s/]+$/.test(line);

function rowText({ name, title, description }: Stream): string {
  const said = [name, description ?? title].filter(Boolean).join(' ');
  return phraseOf(said, 150) || 'a stream without an address';
}

const rowError = (words: string, { who }: ServiceLabels) =>
  new SlipstreamError(
    'SERVICE_ERROR',
    {
      what: `${who} says: ${words}.`,
      next: 'Look at the page of the add-on, and at the services behind it.',
    },
    { transient: true },
  );
