import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { redact } from '../../log/index.ts';
import { foreignRefusal, type PhoneRefusal } from './refusal.ts';

/** What every answer carries: nothing is kept, guessed, framed, or loaded from anywhere else. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Answers `value`; the connection stays open for the next request. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value), 'utf8');
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.byteLength,
  });
  response.end(body);
}

/** Answers `{code, what, next, setting?, field?}` and closes the connection: what is left of the body is nobody's request. */
export function refuse(response: ServerResponse, { status, code, explanation, wrong }: PhoneRefusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.setHeader('connection', 'close');
  const { what, next } = explanation;
  // An id of ours may hold what is a secret elsewhere, as "webdav" does.
  sendJson(response, status, { code, what: redact(what), next: redact(next), ...wrong });
}

/** Bytes: every setting at its longest is less. */
const MAX_BODY = 64 * 1024;

/** The body of a request as JSON; Node reads no more than its length says. @throws Refusal when it is too long, or none */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  if (!/^application\/json(?:;|$)/i.test(type)) throw foreignRefusal(415, 'Only JSON is understood here.');
  if (length === undefined) throw foreignRefusal(411, 'A request has to tell its length here.');
  if (Number(length) > MAX_BODY) throw foreignRefusal(413, 'That is more than all settings together.');
  try {
    return JSON.parse(await text(request)) as unknown;
  } catch {
    throw foreignRefusal(400, 'That is no JSON.');
  }
}
