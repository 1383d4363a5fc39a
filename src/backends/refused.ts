import { type Explanation, SlipstreamError } from '../errors/index.ts';
import type { HttpAnswer } from '../io/http.ts';
import { retryAfterOf } from '../io/retry-after.ts';

/** The backend said no: nothing was done, and the same request would be refused again. */
export class Refused extends SlipstreamError {}

/** It is busy or restarting, and says so: nothing was done, and a little later the same request may do. */
export class Busy extends SlipstreamError {
  constructor(explanation: Explanation, detail: string, retryAfter: number | undefined) {
    super('SERVICE_ERROR', explanation, {
      ...{ detail, transient: true },
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }
}

/** By which a server, or a gateway before it, refuses what it has not begun (RFC 9110 §15.6.4, RFC 6585 §4). */
const BUSY: ReadonlySet<number> = new Set([429, 503]);

/**
 * A status that speaks of the server's own trouble; undefined for any other.
 * @param owner The server of which `who` is a part.
 */
export function troubleIn(
  who: string,
  { status, headers }: Pick<HttpAnswer, 'status' | 'headers'>,
  { owner = who, detail = `HTTP ${status}` }: { readonly owner?: string; readonly detail?: string } = {},
): SlipstreamError | undefined {
  if (status !== 429 && status < 500) return undefined;
  const explanation = {
    what: `${who} has a problem of its own.`,
    next: `Look at the log of ${owner}, then try again.`,
  };
  return BUSY.has(status)
    ? new Busy(explanation, detail, retryAfterOf(headers))
    : new SlipstreamError('SERVICE_ERROR', explanation, { detail, transient: true });
}
