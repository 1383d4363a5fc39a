import { SourceFailure } from '../policy/failure.ts';

/** What tells one version of a file from another (RFC 9110 §8.8), as far as its server has said it. */
export interface Validators {
  /** An entity tag. A weak one cannot prove that two versions are the same, but it does prove that they are not. */
  readonly tag?: string;
  /** Last-Modified, where it was a strong validator when it was read. */
  readonly modified?: string;
}

/** A file of the right size, whose validators are others than before. */
export class VersionChanged extends SourceFailure {
  constructor() {
    super('changed', 'ETag or Last-Modified is another one than before');
  }
}

/** Seconds that a file must have been unchanged for its date to tell versions apart (§8.8.2.2). */
const STRONG_AFTER = 60;

/** Reads the validators of a first answer that came at `now`, in milliseconds since the epoch. Pure. */
export function validatorsOf(headers: ReadonlyMap<string, string>, now: number): Validators {
  const tag = headers.get('etag');
  const modified = headers.get('last-modified');
  return {
    ...(tag !== undefined && /^(W\/)?"[^"]*"$/.test(tag) ? { tag } : {}),
    ...(modified !== undefined && isStrong(modified, headers.get('date'), now) ? { modified } : {}),
  };
}

/**
 * Whether a later answer can be a part of the same version: what both say must be the same. The date is compared as it
 * stands, for that of a file which has just changed is no strong validator yet. Pure.
 */
export function isSameVersion(known: Validators, headers: ReadonlyMap<string, string>): boolean {
  const same = (value: string | undefined, field: string) =>
    value === undefined || withoutWeakMark(headers.get(field) ?? value) === withoutWeakMark(value);
  return same(known.tag, 'etag') && same(known.modified, 'last-modified');
}

/** Apache calls the tag of a file weak for as long as it has just been written, and strong afterwards (§8.8.3.2). */
const withoutWeakMark = (value: string) => value.replace(/^W\//, '');

/** Some servers put the time of the answer there. Without a Date, that of its arrival counts (§6.6.1). */
function isStrong(modified: string, date: string | undefined, now: number): boolean {
  const age = ((date === undefined ? now : Date.parse(date)) - Date.parse(modified)) / 1000;
  return age >= STRONG_AFTER;
}
