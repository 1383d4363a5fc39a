import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * The SHA-256 of a text or of bytes, in hexadecimal digits: ids, names of documents, and what stands for an address.
 * @param digits How many of its 64 digits, from the start. What is stored is found by them: they stay as they are.
 */
export const hexHash = (value: string | Uint8Array, digits = 64): string =>
  createHash('sha256').update(value).digest('hex').slice(0, digits);

/** Whether two secrets are equal; takes equally long whatever they hold. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(digestOf(one), digestOf(other));

/** Digests have one length, which the comparison needs. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
