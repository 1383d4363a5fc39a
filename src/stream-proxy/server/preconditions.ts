import type { IncomingHttpHeaders } from 'node:http';
import { hexHash } from '../../io/hash.ts';

// Conditional requests after RFC 9110 §13, for a file that has a strong entity tag and no modification date. Pure.

export type Precondition =
  /** Carry on. `range` is the Range field that counts; undefined when there is none, or it is to be ignored. */
  | { readonly kind: 'proceed'; readonly range: string | undefined }
  /** Answer 304. */
  | { readonly kind: 'not-modified' }
  /** Answer 412. */
  | { readonly kind: 'failed' };

/**
 * The strong entity tag of a session's file: the same for the session's whole life, also in another engine. A session
 * serves the same bytes to the end (fills are kept), so one tag is enough; a hash, because the id opens the stream.
 */
export function entityTag(sessionId: string): string {
  return `"${hexHash(`entity ${sessionId}`, 32)}"`;
}

/**
 * Judges the conditions of a request in the order of §13.2.2. Dates are ignored, as for any resource without a
 * modification date (§13.1.3, §13.1.4); a list that is malformed anywhere matches nothing.
 *
 * @param headers As Node gives them: lists in one field, outer white space gone.
 */
export function judgePreconditions(
  method: string | undefined,
  headers: IncomingHttpHeaders,
  tag: string,
): Precondition {
  const match = headers['if-match'];
  if (match !== undefined && !isListed(tag, match, 'strong')) return { kind: 'failed' };
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined && isListed(tag, noneMatch, 'weak')) return { kind: 'not-modified' };
  return { kind: 'proceed', range: applicableRange(method, headers, tag) };
}

/** Ranges are defined for GET only (§14.2). If-Range compares strongly, so a weak tag or a date never fits (§13.1.5). */
function applicableRange(
  method: string | undefined,
  headers: IncomingHttpHeaders,
  tag: string,
): string | undefined {
  const condition = headers['if-range'];
  const counts = method === 'GET' && (condition === undefined || condition === tag);
  return counts ? headers.range : undefined;
}

/** A tag may hold commas, a list empty elements (§8.8.3, §5.6.1.2). No two parts of the pattern fit the same text. */
const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const TAG_LIST = new RegExp(String.raw`^[ \t,]*(?:${TAG}[ \t]*(?:,[ \t,]*|$))*$`);
const EACH_TAG = new RegExp(TAG, 'g');

/** §8.8.3.2: strongly, a weak tag equals nothing; weakly, its mark does not count. */
function isListed(tag: string, list: string, comparison: 'strong' | 'weak'): boolean {
  if (list === '*') return true;
  const listed = TAG_LIST.test(list) ? (list.match(EACH_TAG) ?? []) : [];
  return listed.some((other) => other === tag || (comparison === 'weak' && other === `W/${tag}`));
}
