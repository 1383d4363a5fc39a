/** Of a job's name, in UTF-8: file systems allow 255 bytes; the unique end, ".nzb" and perhaps " (2)" are added. */
const MAX_BYTES = 180;
/** Bytes from which on a safe name may have been cut: a character, and a blank before it, may be missing. */
const MAYBE_CUT_FROM = MAX_BYTES - 4;
/** Longer names are made by nobody; what follows would be cut anyway. */
const MAX_LENGTH = 1000;
/** Devices on Windows, also with an extension ("nul.2020"). */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A release's name as it can be a file's name everywhere, at most 180 bytes of UTF-8; it may be empty. */
export function safeName(releaseName: string): string {
  const safe = releaseName
    .slice(0, MAX_LENGTH)
    .normalize('NFC')
    // Control and invisible characters, halves of characters, and what some file system or path forbids.
    .replace(/[\p{C}<>:"/\\|?*]+/gu, ' ')
    // "{{…}}" and "password=" in a name would be read as the archive's password (protocols.md §1.4).
    .replace(/password=/gi, 'password ')
    .replace(/\{\{.*?\}\}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?:\.nzb)+$/i, '')
    .replace(/^[\s.]+/, '')
    .replace(RESERVED, '_$&');
  return cutBytes(safe, MAX_BYTES);
}

/** Cuts to at most `max` bytes of UTF-8, at a character. */
function cutBytes(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text.trimEnd();
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > max) break;
    end += character.length;
  }
  return text.slice(0, end).trimEnd();
}

/** A name for comparison. */
export interface ComparableName {
  /** Empty when the name tells nothing. */
  readonly text: string;
  /** Whether there may have been more of it, so that two names may differ in what is missing. */
  readonly isMaybeCut: boolean;
}

/**
 * What is left of a name through all that indexers, we and backends do to it: made safe, in lower case, with one blank
 * for all that is neither letter, digit nor "+", and without ".nzb". Accents count: some alphabets write vowels by them.
 */
export function comparableName(name: string): ComparableName {
  const safe = safeName(name);
  return {
    text: comparableText(safe).replace(/(?:(?:^| )nzb)+$/, ''),
    isMaybeCut: Buffer.byteLength(safe) >= MAYBE_CUT_FROM,
  };
}

export function comparableText(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’‘`´]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}+]+/gu, ' ')
    .trim();
}
