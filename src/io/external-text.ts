import { redact } from '../log/index.ts';

/** Of a stranger's text at the most this much is shown. */
const MAX_LENGTH = 200;

/**
 * A service's own words, made fit for a message: one line, short, without markup, secrets and addresses
 * (which may hold a key, in the path as well).
 */
export function sanitizeExternalText(text: string): string {
  const plain = text
    .slice(0, 10 * MAX_LENGTH)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[a-z][a-z0-9+.-]{1,20}:\/\/\S+/gi, '(address)')
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  const short = redact(plain);
  return short.length > MAX_LENGTH ? `${short.slice(0, MAX_LENGTH)}…` : short;
}

/** For the end of a sentence of ours; nothing when there are no words. */
export const quotedSuffix = (words: string): string => (words === '' ? '' : ` ("${words}")`);
