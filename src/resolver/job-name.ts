import { randomBytes } from 'node:crypto';

/** File systems allow 255 bytes; the backend adds ".nzb" and perhaps " (2)". */
const MAX_BYTES = 180;

/**
 * The name under which a release is submitted: its own, made safe for a file name, with a unique end. Unique, because
 * two jobs of one name replace each other on some backends, and because a submission whose answer was lost is looked
 * for by this name (protocols.md §1.4, §2.10).
 */
export function uniqueJobName(releaseName: string): string {
  const safe = releaseName
    .normalize('NFC')
    // "{{…}}" and "password=" in a name would be read as the archive's password (protocols.md §1.4).
    .replace(/\{\{.*?\}\}/g, '')
    .replace(/password=/gi, '')
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*]+/g, ' ')
    .replace(/\.nzb$/i, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\.+/, '');
  const unique = randomBytes(4).toString('hex');
  return `${cutBytes(safe === '' ? 'release' : safe, MAX_BYTES)}-${unique}`;
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
