import { randomBytes } from 'node:crypto';

/** Of the release's name, in UTF-8: file systems allow 255 bytes; the unique end, ".nzb" and perhaps " (2)" are added. */
const MAX_BYTES = 180;
/** Longer names are made by nobody; what follows would be cut anyway. */
const MAX_LENGTH = 1000;
/** Devices on Windows, also with an extension ("nul.2020"). */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * The name under which a release is submitted: its own, made safe for a file name, with a unique end. Unique, because
 * two jobs of one name replace each other on some backends, and because a submission whose answer was lost is looked
 * for by this name (protocols.md §1.4, §2.10).
 */
export function uniqueJobName(releaseName: string): string {
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
  const unique = randomBytes(4).toString('hex');
  return `${cutBytes(safe, MAX_BYTES) || 'release'}-${unique}`;
}

/** Cuts to at most `max` bytes of UTF-8, at a character. */
function cutBytes(text: string, max: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > max) break;
    end += character.length;
  }
  return text.slice(0, end).trimEnd();
}
