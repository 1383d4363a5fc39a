import * as v from 'valibot';
import { type Explanation, SlipstreamError } from '../../errors/index.ts';
import { badAnswer, fetchBounded, type HttpAnswer, type HttpRequest } from '../../io/http.ts';
import { formBody } from '../../io/multipart.ts';
import { quoted, theirWords } from '../their-words.ts';
import {
  addAnswer,
  anyAnswer,
  type HistorySlot,
  historyAnswer,
  type QueueSlot,
  queueAnswer,
  refusal,
} from './sab-schema.ts';
import type { Times } from './times.ts';

/** The few calls of the SABnzbd-compatible API that we need (protocols.md §1). */
export interface SabApi {
  readonly name: string;
  /** Submits an NZB; the job is called like the file, without ".nzb". Returns the job's id. */
  addFile(file: NzbFile, signal: AbortSignal): Promise<string>;
  queue(signal: AbortSignal): Promise<QueueSlot[]>;
  historyOf(id: string, signal: AbortSignal): Promise<HistorySlot | undefined>;
  /** The newest finished jobs. */
  recentHistory(signal: AbortSignal): Promise<HistorySlot[]>;
  /** @throws Refused, by SABnzbd also when there is nothing to delete */
  deleteQueued(id: string, signal: AbortSignal): Promise<void>;
  /** Takes the job's files along. @throws Refused, by SABnzbd also when there is nothing to delete */
  deleteFinished(id: string, signal: AbortSignal): Promise<void>;
}

export interface NzbFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  /** Empty: the backend's default. */
  readonly category: string;
}

interface Options {
  readonly name: string;
  /** Ends in "/api". */
  readonly url: string;
  readonly apiKey: string;
  readonly times: Times;
}

/** A history may hold years; ours are among the newest. nzbdav minds `pageSize`, its fork and SABnzbd `limit`. */
const HISTORY_LIMIT = '1000';
/** Jobs waiting at the same time; AltMount would stop at 100 by itself. */
const QUEUE_LIMIT = '10000';

export function sabApi({ name, url, apiKey, times }: Options): SabApi {
  const call = async <T>(
    parameters: Record<string, string>,
    schema: v.GenericSchema<unknown, T>,
    request: Pick<HttpRequest, 'signal' | 'method' | 'body' | 'timeout'>,
  ): Promise<T> => {
    const query = new URLSearchParams({ ...parameters, output: 'json' });
    const answer = await fetchBounded({
      url: `${url}?${query.toString()}`,
      who: name,
      timeout: times.request,
      // As a header, so that the key is in no address and in no server's access log.
      headers: { 'x-api-key': apiKey, accept: 'application/json' },
      ...request,
    });
    return readAnswer(name, answer, schema);
  };
  const remove = async (mode: string, id: string, signal: AbortSignal) => {
    const parameters = { mode, name: 'delete', value: id, del_completed_files: '1' };
    await call(parameters, anyAnswer, { signal });
  };
  return {
    name,
    addFile: async ({ bytes, name: fileName, category }, signal) => {
      const body = formBody({ field: 'nzbfile', fileName, type: 'application/x-nzb', bytes });
      const parameters = { mode: 'addfile', ...(category === '' ? {} : { cat: category }) };
      const { nzo_ids } = await call(parameters, addAnswer, {
        signal,
        method: 'POST',
        body,
        timeout: times.submit,
      });
      return nzo_ids[0] ?? '';
    },
    queue: async (signal) =>
      (await call({ mode: 'queue', start: '0', limit: QUEUE_LIMIT }, queueAnswer, { signal })).queue.slots,
    historyOf: async (id, signal) => {
      const { history } = await call({ mode: 'history', nzo_ids: id }, historyAnswer, { signal });
      return history.slots.find((slot) => slot.id === id);
    },
    recentHistory: async (signal) => {
      const page = { mode: 'history', start: '0', limit: HISTORY_LIMIT, pageSize: HISTORY_LIMIT };
      return (await call(page, historyAnswer, { signal })).history.slots;
    },
    deleteQueued: (id, signal) => remove('queue', id, signal),
    deleteFinished: (id, signal) => remove('history', id, signal),
  };
}

/** The API said no: nothing was done, and the same request would be refused again. */
export class Refused extends SlipstreamError {}

function readAnswer<T>(name: string, answer: HttpAnswer, schema: v.GenericSchema<unknown, T>): T {
  const body = parseJson(answer.text());
  const said = v.safeParse(refusal, body);
  const words = theirWords(said.success ? (said.output.error ?? '') : answer.text());
  const failure = failureOf(name, answer.status, said.success && said.output.status === false, words);
  if (failure !== undefined) throw failure;
  if (body === undefined) throw badAnswer(name, 'not JSON');
  const parsed = v.safeParse(schema, body);
  if (!parsed.success) throw badAnswer(name, `unexpected answer: ${parsed.issues[0].message}`);
  return parsed.output;
}

/** Errors come with 200, 400, 401 and 500, as JSON or as plain text (protocols.md §1.2, §2.10, §3). */
function failureOf(
  name: string,
  status: number,
  saysNo: boolean,
  words: string,
): SlipstreamError | undefined {
  const detail = `HTTP ${status}${words === '' ? '' : `: ${words}`}`;
  if (status === 401 || status === 403 || (saysNo && /api ?key/i.test(words)))
    return new SlipstreamError('AUTH_FAILED', authExplanation(name), { detail });
  if (status === 429 || status >= 500)
    return new SlipstreamError(
      'SERVICE_ERROR',
      {
        what: `${name} has a problem of its own.`,
        next: `Look at the log of ${name}, then try again.`,
      },
      { detail, transient: true },
    );
  if (status === 404 || status === 405) return wrongAddress(name, detail);
  if (saysNo || status >= 400)
    return new Refused(
      'SERVICE_ERROR',
      {
        what: `${name} refused the request${quoted(words)}.`,
        next: `Look at the log of ${name}.`,
      },
      { detail },
    );
  return status >= 300 ? wrongAddress(name, detail) : undefined;
}

const authExplanation = (name: string): Explanation => ({
  what: `${name} refused the API key.`,
  next: `Copy the API key from the settings of ${name} (SABnzbd) into those of Slipstream.`,
});

function wrongAddress(name: string, detail: string): SlipstreamError {
  return badAnswer(name, `no SABnzbd API there, ${detail}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
