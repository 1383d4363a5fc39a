import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { SlipstreamError } from '../../errors/index.ts';
import { registerSecret } from '../../log/index.ts';
import { mimeByName } from '../../media/mime.ts';
import { isNotice } from '../../media/notice.ts';
import type { Claims, Posting } from '../../model/index.ts';
import { linkFrom } from '../wire/address.ts';
import { MAX_NAME_LENGTH } from '../wire/reading.ts';
import { oneLine, type Service } from '../wire/refusal.ts';

const text = v.fallback(v.optional(v.nullable(v.string())), undefined);
const number = v.fallback(v.optional(v.nullable(v.number())), undefined);
const Hints = v.object({
  filename: text,
  videoSize: number,
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
  behaviorHints: v.fallback(v.optional(Hints), undefined),
});
type Stream = v.InferOutput<typeof Stream>;

/** No add-on lists more, and no list needs them. */
const MAX_STREAMS = 1_000;

/** A list of streams; odd ones are left out. An add-on that has nothing may say so with null. */
export const Streams = v.object({
  streams: v.pipe(
    v.nullable(v.array(v.unknown())),
    v.transform((all) =>
      (all ?? []).slice(0, MAX_STREAMS).flatMap((each) => {
        const stream = v.safeParse(Stream, each);
        return stream.success ? [stream.output] : [];
      }),
    ),
  ),
});

interface Origin {
  readonly source: string;
  readonly service: Service;
  /** The add-on's address, to which its own may be relative. */
  readonly base: string;
  /** What was asked for: that is what the add-on says of each stream. */
  readonly claims: Claims;
}

export interface Rows {
  readonly postings: readonly Posting[];
  readonly failures: readonly SlipstreamError[];
}

/** Different failures that are told. */
const MAX_FAILURES = 5;

/** What of a list can be played. A row that cannot is how add-ons tell of failures: its words are told. */
export function rowsOf(streams: readonly Stream[], origin: Origin): Rows {
  const postings: Posting[] = [];
  const words = new Set<string>();
  for (const stream of streams) {
    const url = addressOf(stream, origin.base);
    if (url !== undefined) postings.push(postingOf(stream, url, origin));
    else if (!isOfAnotherKind(stream)) words.add(wordsOf(stream));
  }
  const failures = [...words].slice(0, MAX_FAILURES).map((each) => failure(each, origin.service));
  return { postings, failures };
}

/** Longer ones are opened by nobody. */
const MAX_URL = 8192;

function addressOf(stream: Stream, base: string): URL | undefined {
  const { url } = stream;
  if (url === undefined || url === null || url.length > MAX_URL) return undefined;
  const link = linkFrom(url, `${base}/`);
  return link === undefined || isNotice(link, sizeOf(stream)) ? undefined : link;
}

function sizeOf({ behaviorHints }: Stream): number | undefined {
  const size = behaviorHints?.videoSize ?? 0;
  return Number.isSafeInteger(size) && size > 0 ? size : undefined;
}

/** Torrents, videos of YouTube and NZBs for a player that reads usenet itself are streams, but none for us. */
const isOfAnotherKind = ({ url, infoHash, ytId, nzbUrl }: Stream) =>
  !url && Boolean(infoHash ?? ytId ?? nzbUrl);

function postingOf(stream: Stream, url: URL, { source, service, claims }: Origin): Posting {
  const { bingeGroup, proxyHeaders } = stream.behaviorHints ?? {};
  const name = nameOf(stream);
  const size = sizeOf(stream);
  const headers = proxyHeaders === undefined ? {} : headersIn(proxyHeaders.request);
  return {
    name,
    link: {
      url: url.href,
      // The address may be another one in each list.
      guid: fingerprint([name, size, bingeGroup]),
      indexer: service.name,
      source,
      plays: true,
      ...(Object.keys(headers).length > 0 && { headers }),
    },
    ...(size !== undefined && { size }),
    claims,
  };
}

const fingerprint = (parts: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);

/** The file's name as the add-on tells it, else the line that looks most like one. */
function nameOf({ name, title, description, behaviorHints }: Stream): string {
  const lines = [description, title, name]
    .flatMap((each) => (each ?? '').slice(0, 4000).split(/[\r\n]+/))
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const file = lastPart(behaviorHints?.filename ?? '');
  const best = file || (lines.find(isFile) ?? lines.find(isReleaseName) ?? lines[0] ?? 'unnamed');
  return withoutEnding(best).slice(0, MAX_NAME_LENGTH);
}

const lastPart = (path: string) => path.trim().split(/[/\\]/).at(-1) ?? '';
const isFile = (line: string) => mimeByName(line) !== undefined;
/** "Big.Buck.Bunny.2008.1080p": words without blanks between them. */
const isReleaseName = (line: string) => /^[^\s/]{3,}[._-][^\s/]+[._-][^\s/]+$/.test(line);
/** Other sources list the release without it. */
const withoutEnding = (name: string) => (isFile(name) ? name.replace(/\.[a-z\d]{1,5}$/i, '') : name);

/** Headers that say who asks; others would change what is asked. */
const HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'origin',
  'referer',
  'user-agent',
  'x-api-key',
]);
const MAX_HEADER = 4096;

function headersIn(request: Readonly<Record<string, unknown>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(request)) {
    const known = name.toLowerCase();
    if (!HEADERS.has(known) || typeof value !== 'string' || !isSendable(value)) continue;
    kept[known] = value;
    if (known !== 'user-agent' && known !== 'referer' && known !== 'origin') registerSecret(value);
  }
  return kept;
}

const isSendable = (value: string) => value.length <= MAX_HEADER && /^[\t\x20-\x7e]+$/.test(value);

function wordsOf({ name, title, description }: Stream): string {
  const said = [name, description ?? title].filter(Boolean).join(' ');
  return oneLine(said, 150) || 'a stream without an address';
}

const failure = (words: string, { who }: Service) =>
  new SlipstreamError(
    'SERVICE_ERROR',
    {
      what: `${who} says: ${words}.`,
      next: 'Look at the page of the add-on, and at the services behind it.',
    },
    { transient: true },
  );
