import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-cbc';
const IV_BYTES = 16;
/** As long as the process lives: a link has no end of validity. */
const KEY = randomBytes(32);

/** The indexer's address as the `link` of a download: another text at each call (protocols.md §7.4). */
export function protectedLink(url: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, KEY, iv);
  return Buffer.concat([iv, cipher.update(url, 'utf8'), cipher.final()]).toString('base64url');
}

/** undefined: the link is damaged. */
export function addressIn(link: string): string | undefined {
  const bytes = Buffer.from(link, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, KEY, bytes.subarray(0, IV_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
