import { createHash } from 'node:crypto';

/** What opens AltMount's streams: the SHA-256 of the key, in hexadecimal digits. */
export const downloadKey = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex');
