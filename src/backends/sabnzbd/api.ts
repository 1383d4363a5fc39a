import type * as v from 'valibot';
import { badAnswer, fetchBounded, type HttpBody, type HttpRequest } from '../../io/http.ts';
import { type HttpResponse } from '../../io/http-answer.ts';
import { formBody } from '../../io/multipart.ts';
import { readAnswer, UnexpectedResponse } from './answer.ts';
import {
  addAnswer,
  anyAnswer,
  configAnswer,
  type HistorySlot,
  historyAnswer,
  type ProviderUsage,
  QUEUE_LIMIT,
  type Queue,
  queueAnswer,
  queueLimitAnswer,
  type SabConfig,
  statsAnswer,
  usageAnswer,
  versionAnswer,
  type Warning,
  WEBDAV_USER,
  warningsAnswer,
  webdavUserAnswer,
} from './schema.ts';
import type { SabDialect, SabServer } from './server.ts';

/** The few calls of the SABnzbd-compatible API that we need (protocols.md §1). */
export interface SabApi {
  readonly name: string;
  /** As SabDialect.hasPercent. */
  readonly hasPercent: boolean;
  /** As SabDialect.hasWarnings. */
  readonly hasWarnings: boolean;
  /** Of the API; nzbdav and AltMount name one of SABnzbd's. */
  version(signal: AbortSignal): Promise<string>;
  /** Its categories and folders. */
  config(signal: AbortSignal): Promise<SabConfig>;
  /** Submits an NZB; returns the job's id. @param onSent As HttpRequest.onSent */
  addFile(file: NewFileJob, signal: AbortSignal, onSent: () => void): Promise<string>;
  /**
   * Submits what the server fetches itself before it answers; returns the job's id. The address stands in the query, for no
   * other way was seen to be taken (protocols.md §1.4). @param onSent As HttpRequest.onSent
   */
  addUrl(file: NewUrlJob, signal: AbortSignal, onSent: () => void): Promise<string>;
  queue(signal: AbortSignal): Promise<Queue>;
  /** What it warns of, the newest last; to be asked of servers that tell why a job waits, as the next three. */
  warnings(signal: AbortSignal): Promise<readonly Warning[]>;
  /** The names of the usenet providers that are set up. */
  providers(signal: AbortSignal): Promise<readonly string[]>;
  /** What its usenet providers may yet deliver. */
  usage(signal: AbortSignal): Promise<readonly ProviderUsage[]>;
  /** How many jobs may wait; undefined: nobody has set it. */
  queueLimit(signal: AbortSignal): Promise<number | undefined>;
  /** Who may open its share; undefined: nobody has changed it. */
  webdavUser(signal: AbortSignal): Promise<string | undefined>;
  /** "unchanged": SABnzbd saves itself the answer. */
  historyOf(id: string, signal: AbortSignal): Promise<HistorySlot | 'unchanged' | undefined>;
  /** The newest finished jobs. */
  recentHistory(signal: AbortSignal): Promise<HistorySlot[]>;
  /** @throws Refused, by SABnzbd also when there is nothing to delete */
  deleteQueued(id: string, signal: AbortSignal): Promise<void>;
  /** Takes the job's files along. @throws Refused, by SABnzbd also when there is nothing to delete */
  deleteFinished(id: string, signal: AbortSignal): Promise<void>;
}

/** What becomes a job. */
export interface NewJob {
  /** Without ".nzb". */
  readonly jobName: string;
  /** Empty: the backend's default. */
  readonly category: string;
  /** Before what waits. */
  readonly goesFirst: boolean;
  /** Of the archive: the servers read it at the very end of the file's name, and call the job without it. */
  readonly password?: string | undefined;
}

export interface NewFileJob extends NewJob {
  /** As the kind of server wants it. */
  readonly bytes: (dialect: SabDialect) => Uint8Array<ArrayBuffer>;
}

export interface NewUrlJob extends NewJob {
  /** Holds keys. */
  readonly url: string;
}

type CallOptions = Pick<HttpRequest, 'signal' | 'method' | 'timeout' | 'onSent'> & {
  /** As readAnswer. */
  readonly isSubmission?: true;
  /** Parameters that depend on the kind of server, and a form. */
  readonly dialect?: (dialect: SabDialect) => Readonly<Record<string, string>>;
  readonly form?: (dialect: SabDialect) => HttpBody;
  /** A call of its own, below the API's path. */
  readonly below?: string;
  readonly onAnswer?: (answer: HttpResponse) => void;
};

/** A history may hold years; ours are among the newest. nzbdav minds `pageSize`, its fork and SABnzbd `limit`. */
const HISTORY_LIMIT = '1000';
/** Jobs waiting at the same time; AltMount would stop at 100 by itself. */
const QUEUE_LENGTH = '10000';

/** Milliseconds for one submission, for one deletion, and for any other request. */
interface Times {
  readonly submit: number;
  /** Absent: as any other. */
  readonly deletion?: number;
  readonly request: number;
}

export function sabApi(server: SabServer, times: Times): SabApi {
  const send = async <T>(
    parameters: Record<string, string>,
    schema: v.GenericSchema<unknown, T>,
    { dialect: add, form, isSubmission, below = '', onAnswer, ...request }: CallOptions,
  ): Promise<T> => {
    const { dialect, apiKey } = server;
    const query = new URLSearchParams({ ...parameters, ...add?.(dialect), output: 'json' });
    if (dialect.keyIn === 'query') query.set('apikey', apiKey);
    const answer = await fetchBounded({
      url: `${server.url}${dialect.apiPath}${below}?${query.toString()}`,
      who: dialect.name,
      timeout: times.request,
      // Elsewhere nobody knows the key.
      maxRedirects: 0,
      // As a header, so that the key is in no address and in no server's access log.
      headers: { accept: 'application/json', ...(dialect.keyIn === 'header' && { 'x-api-key': apiKey }) },
      ...request,
      ...(form !== undefined && { body: form(dialect) }),
    });
    onAnswer?.(answer);
    const result = readAnswer(dialect, answer, schema, isSubmission);
    server.confirm();
    return result;
  };
  /** Nothing was done by a server that is of another kind: it is asked again in its own way. */
  const call: typeof send = async (parameters, schema, options) => {
    if (!server.isKnown && server.isUncertain) await server.detect(options.signal);
    try {
      return await send(parameters, schema, options);
    } catch (error) {
      if (server.isKnown || !(error instanceof UnexpectedResponse) || !(await server.detect(options.signal)))
        throw error;
      return await send(parameters, schema, options);
    }
  };
  /** @returns undefined when there is nothing new to tell */
  const history = async (parameters: Record<string, string>, signal: AbortSignal) => {
    const answer = await call({ mode: 'history', ...parameters }, historyAnswer, { signal });
    if (answer.history === false) return undefined;
    if (answer.history.slots.some(({ completed }) => completed !== undefined)) server.hasExtendedLists();
    return answer.history.slots;
  };
  const setting = async <T>(name: string, schema: v.GenericSchema<unknown, T>, signal: AbortSignal) => {
    const body = { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(`config-keys=${name}`) };
    return await call({}, schema, { signal, method: 'POST', form: () => body, below: '/get-config' });
  };
  const remove = async (mode: string, id: string, signal: AbortSignal) => {
    const parameters = { mode, name: 'delete', value: id };
    const timeout = times.deletion ?? times.request;
    await call(parameters, anyAnswer, { signal, timeout, dialect: ({ deleteParams: deletion }) => deletion });
  };
  return {
    get name() {
      return server.dialect.name;
    },
    get hasPercent() {
      return server.dialect.hasPercent;
    },
    get hasWarnings() {
      return server.dialect.hasWarnings;
    },
    version: async (signal) => (await call({ mode: 'version' }, versionAnswer, { signal })).version,
    config: async (signal) => (await call({ mode: 'get_config' }, configAnswer, { signal })).config,
    addFile: async ({ bytes, jobName, password, category, goesFirst }, signal, onSent) => {
      const fileName = `${withPassword(jobName, password)}.nzb`;
      const form = (dialect: SabDialect) =>
        formBody({ field: 'nzbfile', fileName, type: 'application/x-nzb', bytes: bytes(dialect) });
      const parameters = { mode: 'addfile', ...inCategory(category) };
      const { nzo_ids } = await call(parameters, addAnswer, {
        signal,
        method: 'POST',
        form,
        timeout: times.submit,
        onSent,
        isSubmission: true,
        dialect: (dialect) => ({
          ...dialect.addFileParams(jobName),
          ...(goesFirst && dialect.priorityParams),
        }),
      });
      return nzo_ids[0] ?? '';
    },
    addUrl: async ({ url, jobName, password, category, goesFirst }, signal, onSent) => {
      const nzbname = withPassword(jobName, password);
      const parameters = { mode: 'addurl', name: url, nzbname, ...inCategory(category) };
      const { nzo_ids } = await call(parameters, addAnswer, {
        signal,
        timeout: times.submit,
        onSent,
        isSubmission: true,
        dialect: (dialect) => (goesFirst ? dialect.priorityParams : {}),
      });
      return nzo_ids[0] ?? '';
    },
    queue: async (signal) => {
      const parameters = { mode: 'queue', start: '0', limit: QUEUE_LENGTH };
      const { queue } = await call(parameters, queueAnswer, { signal });
      if (queue.hasSpeed) server.hasExtendedLists();
      return queue;
    },
    warnings: async (signal) => {
      // Clocks differ: a warning's age is the server's to tell.
      let now = Date.now();
      const onAnswer = ({ headers: { date = '' } }: HttpResponse) => {
        now = Date.parse(date) || now;
      };
      const { warnings } = await call({ mode: 'warnings' }, warningsAnswer, { signal, onAnswer });
      return warnings.map(({ text, time }) => ({
        text,
        age: time === undefined ? undefined : now - time * 1000,
      }));
    },
    providers: async (signal) =>
      Object.keys((await call({ mode: 'server_stats' }, statsAnswer, { signal })).servers),
    usage: async (signal) =>
      (await call({}, usageAnswer, { signal, below: '/get-provider-usage' })).providers,
    queueLimit: (signal) => setting(QUEUE_LIMIT, queueLimitAnswer, signal),
    webdavUser: (signal) => setting(WEBDAV_USER, webdavUserAnswer, signal),
    historyOf: async (id, signal) => {
      const slots = await history({ nzo_ids: id }, signal);
      return slots === undefined ? 'unchanged' : slots.find((slot) => slot.id === id);
    },
    recentHistory: async (signal) => {
      const page = { start: '0', limit: HISTORY_LIMIT, pageSize: HISTORY_LIMIT };
      const slots = await history(page, signal);
      if (slots === undefined) throw badAnswer(server.dialect.name, 'no history at all');
      return slots;
    },
    deleteQueued: (id, signal) => remove('queue', id, signal),
    deleteFinished: (id, signal) => remove('history', id, signal),
  };
}

const inCategory = (category: string) => (category === '' ? {} : { cat: category });

const withPassword = (jobName: string, password: string | undefined) =>
  password === undefined ? jobName : `${jobName}{{${password}}}`;
