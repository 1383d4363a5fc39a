import { type Explanation, SlipstreamError } from '../errors/index.ts';
import type { HttpResponse } from '../io/http-answer.ts';
import { retryAfterOf } from '../io/retry-after.ts';

/** The backend said no: nothing was done, and the same request would be refused again. */
export class Refused extends SlipstreamError {}

/** It would say no to any release: another one is of no use. */
export class RefusedForAll extends Refused {}

/** It is busy or restarting, and says so: nothing was done, and a little later the same request may do. */
export class Busy extends SlipstreamError {
  constructor(explanation: Explanation, detail: string, retryAfter: number | undefined) {
    super('SERVICE_ERROR', explanation, {
      detail,
      transient: true,
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }
}

/** By which a server, or a gateway before it, refuses what it has not begun (RFC 9110 §15.6.4, RFC 6585 §4). */
const BUSY_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/**
 * What nzbdav's front end, and InfiniDysk's, say by themselves while the server behind them does not run (protocols.md §1.1).
 * nzbdav's goes on with the address that it was asked by.
 */
const FRONT_END_ONLY = /^\s*(?:error occurred while trying to proxy|bad gateway\s*$)/i;

/**
 * A status that speaks of the server's own trouble; undefined for any other.
 * @param owner The server of which `who` is a part.
 */
export function serverFaultOf(
  who: string,
  answer: Pick<HttpResponse, 'status' | 'headers' | 'text'>,
  {
    owner = who,
    detail = `HTTP ${answer.status}`,
  }: { readonly owner?: string; readonly detail?: string } = {},
): SlipstreamError | undefined {
  const { status, headers } = answer;
  if (status !== 429 && status < 500) return undefined;
  const explanation = FRONT_END_ONLY.test(answer.text())
    ? {
        what: `The pages of ${owner} answer, but its backend does not run.`,
        next: `Wait if ${owner} is just starting; else look at its log and start it again.`,
      }
    : {
        what: `${who} has a problem of its own.`,
        next: `Look at the log of ${owner}, then try again.`,
      };
  return BUSY_STATUSES.has(status)
    ? new Busy(explanation, detail, retryAfterOf(headers))
    : new SlipstreamError('SERVICE_ERROR', explanation, { detail, transient: true });
}
