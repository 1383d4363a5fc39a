import { redact } from '../log/index.ts';

/** Characters of a service's text that are shown at the most. */
const MAX_LENGTH = 200;
/** Characters of it that are read. */
const MAX_READ = 2000;

/**
 * A service's own words, made fit for a message: one line, short, without markup, secrets and addresses
 * (which may hold a key, in the path as well).
 */
export function sanitizeExternalText(text: string): string {
  const line = oneLine(text.slice(0, MAX_READ).replace(/<[^<>]*>/g, ' '));
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

/** The first `length` characters of such a text, for a sentence of ours, which brings the full stop. */
export const phraseOf = (text: string, length: number): string =>
  oneLine(text.slice(0, MAX_READ))
    .slice(0, length)
    .replace(/[.\s]+$/, '');

const oneLine = (text: string): string =>
  redact(text)
    .replace(/[a-z][a-z0-9+.-]{1,20}:\/\/\S+/gi, '(address)')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();

/** For the end of a sentence of ours; nothing when there are no words. */
export const quotedSuffix = (words: string): string => (words === '' ? '' : ` ("${words}")`);

/** Whether a service says that the account is closed. Numbers of errors are used loosely, words are not. */
export const saysAccountClosed = (text: string): boolean =>
  /suspend|expired|disabled account|account.*disabled|banned/i.test(text);

/** Whether it says that a limit of requests or downloads is used up. "reached" alone may mean "could not be reached". */
export const saysLimitReached = (text: string): boolean =>
  /\blimit|\bquota\b|\bexceed|too many|\bthrottl/i.test(text);
