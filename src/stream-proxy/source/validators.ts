/** What tells one version of a file from another (RFC 9110 §8.8), as far as a server says it. */
export interface Validators {
  /** A strong entity tag; a weak one says nothing about bytes. */
  readonly tag?: string;
  /** Last-Modified, where it is a strong validator. */
  readonly modified?: string;
}

/** Seconds that a file must have been unchanged for its date to tell versions apart (§8.8.2.2). */
const STRONG_AFTER = 60;

/** Reads the validators of an answer. Pure. */
export function validatorsOf(headers: ReadonlyMap<string, string>): Validators {
  const tag = headers.get('etag');
  const modified = headers.get('last-modified');
  return {
    ...(tag !== undefined && /^"[^"]*"$/.test(tag) ? { tag } : {}),
    ...(modified !== undefined && isStrong(modified, headers.get('date')) ? { modified } : {}),
  };
}

/** Whether the answers can be parts of one version: where both say something, they must say the same. Pure. */
export function sameVersion(known: Validators, seen: Validators): boolean {
  if (known.tag !== undefined && seen.tag !== undefined) return known.tag === seen.tag;
  return known.modified === undefined || seen.modified === undefined || known.modified === seen.modified;
}

/** Some servers put the time of the answer there. */
function isStrong(modified: string, date: string | undefined): boolean {
  const age = (Date.parse(date ?? '') - Date.parse(modified)) / 1000;
  return age >= STRONG_AFTER;
}
