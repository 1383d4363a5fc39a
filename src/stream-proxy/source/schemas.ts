import * as v from 'valibot';
import { takeLogin } from '../../io/login.ts';
import type { SourceSpec } from './source-spec.ts';

// Shapes of what comes in from outside: a /prepare body, a snapshot.

const MAX_URL = 8192;
const MAX_NAME = 1024;
const MAX_HEADERS = 50;

export const HttpUrl = v.pipe(
  v.string(),
  v.maxLength(MAX_URL),
  v.check((text) => !hasControl(text) && isHttp(text), 'is no http or https address'),
);

/** Names are tokens (RFC 9110 §5.6.2); values hold no control character, so no second header hides in one. */
export const SourceHeaders = v.pipe(
  v.record(
    v.pipe(v.string(), v.regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'is no header name')),
    v.pipe(v.string(), v.maxLength(MAX_URL), v.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'is no header value')),
  ),
  v.check((headers) => Object.keys(headers).length <= MAX_HEADERS, 'has too many headers'),
);

export const FileSize = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** Of an article, encoded: none of more was met (protocols.md §12.2). */
const MAX_ARTICLE = 16 * 1024 * 1024;

export const ServingShape = v.object({
  look: v.picklist(['cheap', 'dear']),
  windows: v.boolean(),
  zeroFills: v.boolean(),
  complete: v.boolean(),
  articleBytes: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MAX_ARTICLE))),
});

/** Milliseconds; longer than anybody waits for a download. */
const MAX_WAIT = 24 * 3_600_000;
const MAX_OTHERS = 10;

/** As messages name a service. */
export const ServiceName = v.pipe(v.string(), v.maxLength(200));

export const OpeningShape = v.object({
  who: ServiceName,
  most: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  usenet: v.exactOptional(v.literal(true)),
  wait: v.pipe(v.number(), v.minValue(1), v.maxValue(MAX_WAIT)),
  others: v.exactOptional(v.pipe(v.array(HttpUrl), v.maxLength(MAX_OTHERS))),
  listedAt: v.exactOptional(HttpUrl),
});

export const FileName = v.pipe(v.string(), v.maxLength(MAX_NAME));

/** Moves user and password from the url into the headers. */
export function withoutUserInfo(spec: SourceSpec): SourceSpec {
  const parsed = new URL(spec.url);
  const authorization = takeLogin(parsed);
  return authorization === undefined
    ? spec
    : { ...spec, url: parsed.href, headers: { authorization, ...spec.headers } };
}

/** The part of the message that says where a value does not fit: "headers.X-A is no header value". */
export const issueText = (issue: v.BaseIssue<unknown>): string =>
  `${v.getDotPath(issue) ?? 'it'}: ${issue.message.slice(0, 100)}`;

function isHttp(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
