import * as v from 'valibot';
import type { Check } from '../../diagnosis/check.ts';
import { runCheckSteps } from '../../diagnosis/index.ts';
import { SlipstreamError } from '../../errors/index.ts';
import { fetchBounded } from '../../io/http.ts';
import { parseJson } from '../../io/json.ts';
import { TMDB_URL, withApiKey } from './tmdb.ts';

export interface TmdbTestOptions {
  readonly key: string;
  readonly signal: AbortSignal;
  /** Another address for TMDb. */
  readonly url?: string;
}

const WHO = 'TMDb';
const TIMEOUT = 10_000;

/** That TMDb takes the key. Rejects only when the signal aborts. */
export function testTmdb({ key, url = TMDB_URL, signal }: TmdbTestOptions): Promise<readonly Check[]> {
  const run = async () => {
    const answer = await fetchBounded({
      ...withApiKey('authentication', { key: key.trim(), url }),
      who: WHO,
      signal,
      timeout: TIMEOUT,
      maxBytes: 64 * 1024,
    });
    const said = v.safeParse(ErrorBody, parseJson(answer.text()));
    if (!said.success) throw notTmdbError(answer.status);
    const { status_code: number, success } = said.output;
    if (answer.status === 200 && success) return 'takes the key';
    throw refusalOf(number, answer.status);
  };
  const step = {
    what: () => 'The API key of TMDb',
    run,
    explain: (failure: SlipstreamError) => ({
      failure: failure.code === 'UNREACHABLE' ? unreachableError(failure) : failure,
      ...(failure.code === 'AUTH_FAILED' && { setting: 'tmdb_api_key' as const }),
    }),
  };
  return runCheckSteps([step], signal);
}

const ErrorBody = v.object({ success: v.optional(v.boolean(), false), status_code: v.number() });

/** TMDb's own numbers for accounts that are suspended or disabled (developer.themoviedb.org/docs/errors). */
const ACCOUNT_CODES: ReadonlySet<number> = new Set([10, 31, 45]);
const WRONG_KEY_CODE = 7;

function refusalOf(number: number, status: number): SlipstreamError {
  const detail = { detail: `HTTP ${status}, status code ${number}` };
  const account = {
    what: `${WHO} has suspended the account of this key.`,
    next: 'Look at your account on themoviedb.org, or leave the key empty.',
  };
  if (ACCOUNT_CODES.has(number)) return new SlipstreamError('AUTH_FAILED', account, detail);
  const wrong = {
    what: `${WHO} refuses the key.`,
    next: 'Copy it again from themoviedb.org (Settings, API), or leave it empty.',
  };
  if (number === WRONG_KEY_CODE || status === 401) return new SlipstreamError('AUTH_FAILED', wrong, detail);
  if (status === 429)
    return new SlipstreamError(
      'RATE_LIMITED',
      { what: `${WHO} asks for patience: too many requests.`, next: 'Try again in a minute.' },
      { ...detail, transient: true },
    );
  return new SlipstreamError(
    'SERVICE_ERROR',
    { what: `${WHO} reports an error of its own.`, next: 'Try again later; films play without it.' },
    { ...detail, transient: true },
  );
}

const unreachableError = (error: SlipstreamError) =>
  new SlipstreamError(
    'UNREACHABLE',
    {
      what: error.explanation.what,
      next: 'Look whether this device has a way to the internet; films play without TMDb.',
    },
    { cause: error, detail: error.message, transient: error.transient },
  );

/** A login page of the network, or a filter between. */
const notTmdbError = (status: number) =>
  new SlipstreamError(
    'BAD_ANSWER',
    {
      what: `Something else answers in place of ${WHO}.`,
      next: 'Look whether this network wants a login or blocks themoviedb.org.',
    },
    { detail: `HTTP ${status}` },
  );
