import type { ServerResponse } from 'node:http';
import type { ErrorCode, Explanation, SlipstreamError } from '../../errors/index.ts';

// Small answers of the proxy's own, all JSON.

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = Buffer.from(JSON.stringify(value), 'utf8');
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.byteLength,
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(body);
}

export interface ErrorBody extends Explanation {
  readonly code: ErrorCode;
  /** As SlipstreamError.failsAll. */
  readonly failsAll?: true;
  /** What the file that cannot be played is called, where an address that plays has told it. */
  readonly name?: string;
}

/** Answers with the refusal. Closes the connection, so that an unread body is not taken for the next request. */
export function sendError(
  response: ServerResponse,
  status: number,
  refusal: ErrorBody,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendJson(response, status, refusal, { connection: 'close', ...headers });
}

export function sendSlipstreamError(response: ServerResponse, error: SlipstreamError, name?: string): void {
  const { code, explanation, failsAll } = error;
  const { what, next } = explanation;
  sendError(response, statusOf(code), {
    code,
    what,
    next,
    ...(failsAll && { failsAll }),
    ...(name !== undefined && { name }),
  });
}

/** 502 and 504: the fault lies upstream. */
function statusOf(code: ErrorCode): number {
  const statuses: Partial<Record<ErrorCode, number>> = {
    INVALID_REQUEST: 400,
    TOO_LARGE: 413,
    BUSY: 503,
    TIMEOUT: 504,
    INTERNAL: 500,
  };
  return statuses[code] ?? 502;
}
