import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Whether the request is meant for this proxy: a page that points a name of its own at 127.0.0.1 sends another Host.
 */
export function isForUs(request: IncomingMessage, port: number): boolean {
  const hosts = request.headersDistinct['host'] ?? [];
  return hosts.length === 1 && hosts[0] === `127.0.0.1:${port}`;
}

/** Whether the request carries the token as `Authorization: Bearer`; takes equally long whatever it carries. */
export function authorise(request: IncomingMessage, token: string): boolean {
  const given = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

/** Digests have one length, which the comparison needs. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
