import * as v from 'valibot';
import { fetchBounded, type HttpRequest } from '../../io/http.ts';
import { parseJson } from '../../io/json.ts';
import { theirWords } from '../../io/their-words.ts';

const text = v.fallback(v.optional(v.string()), undefined);
const Attempts = v.array(v.object({ slot_path: text, failure_reason: text }));

/** Those of other plays stand there too; the newest comes first. */
const LOOKED_THROUGH = 20;

/**
 * Why a play failed, as `/api/nzb-attempts` tells it (protocols.md §8.11). Asked once: it says nothing of a play that
 * was broken off. @param session the last part of the play's address. @returns fit for a message; undefined: it does not
 * tell. Rejects only when the signal aborts
 */
export async function reasonInAttempts(
  base: string,
  session: string,
  asking: Pick<HttpRequest, 'headers' | 'timeout' | 'signal'>,
): Promise<string | undefined> {
  try {
    const url = `${base}/api/nzb-attempts?limit=${LOOKED_THROUGH}`;
    const answer = await fetchBounded({ url, who: 'StreamNZB', ...asking });
    const attempts = v.parse(Attempts, parseJson(answer.text()));
    const attempt = attempts.find(({ slot_path }) => slot_path === session);
    return theirWords(attempt?.failure_reason ?? '') || undefined;
  } catch {
    asking.signal.throwIfAborted();
    return undefined;
  }
}
