import * as v from 'valibot';
import { ENTER_BOTH, SlipstreamError } from '../../errors/index.ts';
import { quotedSuffix, sanitizeExternalText } from '../../io/external-text.ts';
import { badAnswer, fetchBounded } from '../../io/http.ts';
import { type HttpResponse } from '../../io/http-answer.ts';
import { parseJson } from '../../io/json.ts';
import { Refused, serverFaultOf } from '../refusals.ts';
import type { RpcAddress } from './config.ts';
import * as schema from './rpc-schema.ts';
import type { NzbgetTimings } from './timings.ts';

/** The few methods of NZBGet's JSON-RPC that we need (protocols.md §4). */
export interface NzbgetApi {
  readonly name: string;
  version(signal: AbortSignal): Promise<string>;
  /** @returns the job's id. @param onSent As HttpRequest.onSent. @throws Refused */
  append(nzb: Append, signal: AbortSignal, onSent?: () => void): Promise<number>;
  /** Waiting and running jobs. */
  groups(signal: AbortSignal): Promise<schema.Group[]>;
  /** Finished, failed and put-aside jobs. */
  history(signal: AbortSignal): Promise<schema.PastJob[]>;
  /** False: there was nothing to edit. */
  edit(command: EditCommand, ids: readonly number[], signal: AbortSignal): Promise<boolean>;
  config(signal: AbortSignal): Promise<schema.ConfigOption[]>;
  status(signal: AbortSignal): Promise<v.InferOutput<typeof schema.serverStatus>>;
}

export interface Append {
  readonly bytes: Uint8Array;
  /** Of the job, without ".nzb". */
  readonly name: string;
  /** Empty: none. */
  readonly category: string;
  readonly priority: number;
  readonly dupeKey: string;
  readonly dupeScore: number;
  /** SCORE: the best of a key is loaded, the others wait as its backups. FORCE: loaded whatever was loaded before. */
  readonly dupeMode: 'SCORE' | 'FORCE';
  /** Of the archive. */
  readonly password?: string | undefined;
}

export type EditCommand = 'GroupFinalDelete' | 'HistoryFinalDelete' | 'HistoryRedownload';

interface Call<T> {
  readonly params: readonly unknown[];
  readonly result: v.GenericSchema<unknown, T>;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly maxBytes?: number;
  readonly onSent?: (() => void) | undefined;
}

const KB = 1024;
/** A history keeps every job for a month, 3 KB each, and there is no asking for a part of it. */
const MAX_LIST_BYTES = 64 * KB * KB;
const MAX_CONFIG_BYTES = 4 * KB * KB;
const MAX_SMALL_BYTES = 64 * KB;

export function nzbgetApi({ url, headers }: RpcAddress, name: string, times: NzbgetTimings): NzbgetApi {
  const call = async <T>(
    method: string,
    { params, result, signal, timeout, maxBytes, onSent }: Call<T>,
  ): Promise<T> => {
    const answer = await fetchBounded({
      url,
      who: name,
      method: 'POST',
      headers,
      signal,
      // NZBGet looks for these names in the text, from the front: the method comes first (protocols.md §4.1).
      body: { type: 'application/json', bytes: Buffer.from(JSON.stringify({ method, params, id: 1 })) },
      timeout: timeout ?? times.request,
      maxBytes: maxBytes ?? MAX_SMALL_BYTES,
      ...(onSent !== undefined && { onSent }),
    });
    return readAnswer(name, answer, result);
  };
  const list = { maxBytes: MAX_LIST_BYTES };
  return {
    name,
    version: (signal) => call('version', { params: [], result: schema.version, signal }),
    append: async (nzb, signal, onSent) => {
      const request = { params: appendParams(nzb), signal, timeout: times.submit, onSent };
      const id = await call('append', { ...request, result: schema.appended });
      if (id === false || id <= 0) throw notTaken(name);
      return id;
    },
    groups: (signal) => call('listgroups', { params: [0], result: schema.groups, signal, ...list }),
    history: (signal) => call('history', { params: [false], result: schema.history, signal, ...list }),
    edit: (command, ids, signal) =>
      call('editqueue', { params: [command, '', ids], result: schema.edited, signal }),
    config: (signal) =>
      call('config', { params: [], result: schema.options, signal, maxBytes: MAX_CONFIG_BYTES }),
    status: (signal) => call('status', { params: [], result: schema.serverStatus, signal }),
  };
}

/** By position; AutoCategory is left out, because older servers would stop reading at it (protocols.md §4.2). */
function appendParams({ bytes, name, category, priority, dupeKey, dupeScore, dupeMode, password }: Append) {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const [toTop, paused] = [true, false];
  // Names and values in turn: NZBGet 21 reads a pair like { Name, Value } as four texts, and unescapes none of them.
  const unpack = ['*Unpack:', 'yes', ...(password === undefined ? [] : [schema.PASSWORD, password])];
  return [`${name}.nzb`, content, category, priority, toTop, paused, dupeKey, dupeScore, dupeMode, unpack];
}

/** Codes of errors in an answer (protocols.md §4.1). */
const UNKNOWN_METHOD = 1;
const ACCESS_DENIED = 401;

function readAnswer<T>(name: string, answer: HttpResponse, result: v.GenericSchema<unknown, T>): T {
  const failure = statusFailure(name, answer);
  if (failure !== undefined) throw failure;
  const parsed = v.safeParse(schema.envelope, parseJson(answer.text()));
  if (!parsed.success) throw badAnswer(name, 'no answer of a JSON-RPC');
  const { error } = parsed.output;
  if (error !== undefined && error !== null)
    throw refusal(name, error.code, sanitizeExternalText(error.message));
  const value = v.safeParse(result, parsed.output.result);
  if (!value.success) throw badAnswer(name, `unexpected answer: ${value.issues[0].message}`);
  return value.output;
}

function statusFailure(name: string, answer: HttpResponse): SlipstreamError | undefined {
  const { status } = answer;
  const detail = `HTTP ${status}`;
  if (status === 401 || status === 403)
    return new SlipstreamError(
      'AUTH_FAILED',
      {
        what: `${name} refused the user or password.`,
        next: `Copy ControlUsername and ControlPassword from the settings of ${name}, Security. ${ENTER_BOTH}`,
      },
      { detail },
    );
  if (status === 200) return undefined;
  return serverFaultOf(name, answer) ?? badAnswer(name, `no JSON-RPC there, ${detail}`);
}

function refusal(name: string, code: number, words: string): SlipstreamError {
  const detail = `error ${code}: ${words}`;
  if (code === ACCESS_DENIED)
    return new SlipstreamError(
      'AUTH_FAILED',
      {
        what: `This user of ${name} may add downloads, but not watch them.`,
        next: `Enter ControlUsername and ControlPassword from the settings of ${name}, Security, in place of the restricted ones.`,
      },
      { detail },
    );
  const next =
    code === UNKNOWN_METHOD ? `Update ${name}: it is too old for Slipstream.` : `Look at the log of ${name}.`;
  return new Refused(
    'SERVICE_ERROR',
    { what: `${name} refused the request${quotedSuffix(words)}.`, next },
    { detail },
  );
}

const notTaken = (name: string) =>
  new Refused(
    'SERVICE_ERROR',
    { what: `${name} did not take the release.`, next: `Look at the log of ${name}.` },
    { detail: 'append answered with no id' },
  );
