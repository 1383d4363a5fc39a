import { createHash } from 'node:crypto';
import type { Answer } from '../../http/types.ts';

// Answers as Express writes them, each with a weak ETag.

export function expressAnswer(status: number, body: string, headers: Answer['headers'] = {}): Answer {
  const hash = createHash('sha1').update(body).digest('base64').slice(0, 27);
  const etag = `W/"${Buffer.byteLength(body).toString(16)}-${hash}"`;
  return { status, headers: { ...headers, etag }, body };
}

export const jsonAnswer = (status: number, value: unknown, headers: Answer['headers'] = {}): Answer =>
  expressAnswer(status, JSON.stringify(value), {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
  });

export const errorAnswer = (
  status: number,
  code: string,
  message: string,
  headers: Answer['headers'] = {},
): Answer =>
  jsonAnswer(status, { success: false, detail: null, data: null, error: { code, message } }, headers);

const WORDS = { 302: 'Found', 307: 'Temporary Redirect' };

export const redirect = (status: 302 | 307, to: string, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', vary: 'Accept', location: to },
  body: `${WORDS[status]}. Redirecting to ${to}`,
});

export const INVALID_USER = errorAnswer(400, 'USER_INVALID_DETAILS', 'Invalid UUID or password');
export const UNEXPECTED = errorAnswer(500, 'INTERNAL_SERVER_ERROR', 'An unexpected error occurred');
