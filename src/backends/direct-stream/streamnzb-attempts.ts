import * as v from 'valibot';
import { SlipstreamError } from '../../errors/index.ts';
import { sanitizeExternalText } from '../../io/external-text.ts';
import { fetchBounded } from '../../io/http.ts';
import { type HttpResponse } from '../../io/http-answer.ts';
import { parseJson } from '../../io/json.ts';
import { registerSecret } from '../../log/index.ts';
import type { Link } from '../../model/index.ts';
import { openListed } from '../../play-address/open-listed.ts';
import { DIRECT_STREAM_TIMINGS } from './timings.ts';

const text = v.fallback(v.optional(v.string()), undefined);
const Attempts = v.array(v.object({ slot_path: text, failure_reason: text }));

/** Those of other plays stand there too; the newest comes first. */
const MAX_ATTEMPTS_READ = 20;

/** Stands at each play that was short, and says nothing of why it was. */
const TOO_SHORT = /^playback ended too early/i;

/** Its limit covers whatever it has to fetch first, so that the second try may be within it. */
const START_LIMIT = /startup timeout/i;

/**
 * The failure of a play, with the reason that `/api/nzb-attempts` keeps of it (protocols.md §8.11). Asked once: it says
 * nothing of a play that was broken off. @param session The last part of the play's address. @param ask Gets a path of
 * StreamNZB. @returns the failure itself where no reason is told; transient where the same release may be had at a second
 * try. Rejects only when the signal aborts
 */
export async function explainPlayFailure(
  failure: SlipstreamError,
  session: string,
  ask: (path: string) => Promise<HttpResponse>,
  signal: AbortSignal,
): Promise<SlipstreamError> {
  // Of what is no failure of the release it keeps no reason.
  if (failure.code !== 'JOB_FAILED') return failure;
  try {
    const answer = await ask(`/api/nzb-attempts?limit=${MAX_ATTEMPTS_READ}`);
    const attempts = v.parse(Attempts, parseJson(answer.text()));
    const reason = sanitizeExternalText(
      attempts.find(({ slot_path }) => slot_path === session)?.failure_reason ?? '',
    );
    return reason === '' || TOO_SHORT.test(reason) ? failure : withReason(failure, reason);
  } catch {
    signal.throwIfAborted();
    return failure;
  }
}

function withReason(failure: SlipstreamError, reason: string): SlipstreamError {
  const { what, next } = failure.explanation;
  return new SlipstreamError(
    failure.code,
    { what: `${what} It says: ${reason.replace(/\.?$/, '.')}`, next },
    { cause: failure, detail: reason, transient: START_LIMIT.test(reason) },
  );
}

/** What stands before the token, the token, and the session. */
const ROW = /^(.*)\/([^/]+)\/play\/([^/]+)$/;

/**
 * The same of a play by a row of StreamNZB's list: the path of its address holds the token of its API. It is asked where
 * the play was opened, so that the token goes nowhere new.
 * @returns and rejects as `explained`
 */
export async function explainRowFailure(
  failure: SlipstreamError,
  { url, listedAt, indexer: who, service }: Link,
  signal: AbortSignal,
): Promise<SlipstreamError> {
  const { origin, pathname } = new URL(url);
  const [, above = '', token = '', session = ''] = ROW.exec(pathname) ?? [];
  if (service !== 'streamnzb' || session === '') return failure;
  registerSecret(token);
  const headers = { authorization: `Bearer ${token}` };
  const ask = (path: string) =>
    openListed({ who, url: `${origin}${above}${path}`, listedAt }, (way) =>
      fetchBounded({ url: way.url, who, headers, timeout: DIRECT_STREAM_TIMINGS.request, signal }),
    );
  return await explainPlayFailure(failure, session, ask, signal);
}
