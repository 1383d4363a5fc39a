import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Incoming } from '../http/types.ts';
import { addFile } from './add-file.ts';
import { addUrl } from './add-url.ts';
import { ApiError, chunked, failure, success, wrongApiKey } from './api-answers.ts';
import type { ApiOptions, Params } from './api-options.ts';
import { COMPLETE_DIR, configDocument } from './config.ts';
import type { Dialect } from './dialect.ts';
import { infinidyskCall, infinidyskMode } from './infinidysk.ts';
import { formParts } from './multipart.ts';
import { historyPage, queuePage } from './slots.ts';
import { CATEGORIES } from './tree.ts';

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The SABnzbd-compatible API at /api. */
export function api(options: ApiOptions): (request: Incoming) => Promise<Answer> {
  return async (request) => {
    try {
      return await answer(request, options);
    } catch (error) {
      if (error instanceof ApiError) return failure(error, options.dialect);
      throw error;
    }
  };
}

async function answer(request: Incoming, options: ApiOptions): Promise<Answer> {
  const { dialect } = options;
  const params = paramsOf(request);
  const mode = params('mode');
  if (mode === 'version') return success({ version: '4.5.1' });
  const key = request.headers['x-api-key'] ?? params('apikey');
  if (key === undefined) throw new ApiError(401, 'API Key Required');
  if (key !== options.apiKey) return wrongApiKey(dialect);
  if (dialect.isFork) {
    const added = infinidyskCall(request, options) ?? infinidyskMode(mode, request, params, options);
    if (added !== undefined) return added;
  }
  switch (mode) {
    case 'status':
      return dialect.isFork ? chunked({ status: FORK_STATUS }) : success();
    case 'fullstatus':
      return chunked({ status: dialect.isFork ? FORK_STATUS : { completedir: COMPLETE_DIR } });
    case 'get_cats':
      return chunked({ categories: dialect.isFork ? ['*', ...CATEGORIES] : CATEGORIES });
    case 'get_config':
      return configDocument();
    case 'addfile':
      return addFile(request, params, options);
    case 'addurl':
      // What the fork fetches, and its guard, were recorded for addresses that it refuses only.
      if (dialect.isFork) throw new ApiError(400, 'Invalid mode');
      return await addUrl(params, options);
    case 'queue':
      return await queue(request, params, options);
    case 'history':
      return history(request, params, options);
    case undefined:
    default:
      throw new ApiError(400, 'Invalid mode');
  }
}

const FORK_STATUS = { completedir: COMPLETE_DIR, paused: false, speedlimit: '0', speedlimit_abs: '0' };

function paramsOf({ query, headers, body }: Incoming): Params {
  const form = formParts(headers['content-type'] ?? '', body);
  return (name) => {
    const field = form.find((part) => part.name === name && part.filename === undefined);
    return query.get(name) || field?.data.toString('utf8') || undefined;
  };
}

async function queue(request: Incoming, params: Params, options: ApiOptions): Promise<Answer> {
  const { jobs, dialect } = options;
  const name = params('name');
  if (name === 'delete') return await deleteQueued(request, options);
  if (name === 'priority' && dialect.isFork) {
    jobs.change([params('value') ?? ''], { priority: Number(params('value2') ?? 0) });
    return success();
  }
  const filter = {
    ...page(params),
    category: categoryFilter(params, dialect),
    search: dialect.isFork ? params('search') : undefined,
  };
  return success({ queue: queuePage(jobs.queue(), filter, jobs.paused, dialect) });
}

function history(request: Incoming, params: Params, options: ApiOptions): Answer {
  const { jobs, dialect } = options;
  if (params('name') === 'delete') return deleteFinished(request, params, options);
  const ids = params('nzo_ids')
    ?.split(',')
    .map((id) => guid(id, dialect));
  const filter = {
    start: Number(params('start') ?? 0),
    // Both ignore `limit` unless their settings say otherwise.
    limit: Number(params('pageSize') ?? Infinity),
    category: categoryFilter(params, dialect),
    ids,
  };
  return success({ history: historyPage(jobs.history(), filter, COMPLETE_DIR, dialect) });
}

const categoryFilter = (params: Params, { filtersByCat }: Dialect) =>
  params('category') ?? (filtersByCat ? params('cat') : undefined);

function page(params: Params): { start: number; limit: number } {
  const [start, limit] = [Number(params('start') ?? 0), Number(params('limit') ?? Infinity)];
  if (Number.isNaN(limit)) throw new ApiError(400, 'Invalid limit parameter', 'limit');
  return { start, limit };
}

/** A job that runs is let go of when what it is fetching has come; it goes even if nobody waits for the answer. */
async function deleteQueued(request: Incoming, { jobs, dialect, faults }: ApiOptions): Promise<Answer> {
  const ids = idsToDelete(request, dialect, () => jobs.queue().map((job) => job.id));
  if (faults.deletion !== undefined && jobs.runs(ids))
    await sleep(faults.deletion, undefined, { ref: false });
  jobs.removeQueued(ids);
  return success();
}

function deleteFinished(request: Incoming, params: Params, { jobs, dialect }: ApiOptions): Answer {
  const known = jobs.history().map((job) => job.id);
  const ids = idsToDelete(request, dialect, () => known);
  const withFiles = params('del_completed_files') === '1';
  const unknown = ids.filter((id) => !known.includes(id)).length;
  if (unknown > 0 && dialect.strictIds && !withFiles)
    throw new ApiError(500, notAffected(ids.length, unknown));
  jobs.removeFinished(ids, withFiles);
  return success();
}

const notAffected = (all: number, unknown: number) =>
  `The database operation was expected to affect ${all} row(s), but actually affected ${all - unknown} row(s); data may have been modified or deleted since entities were loaded. See https://go.microsoft.com/fwlink/?LinkId=527962 for information on understanding and handling optimistic concurrency exceptions.`;

/** `value`, several times, or a JSON body {"nzo_ids": [...]}; the fork takes a comma list and `all` as well. */
function idsToDelete(request: Incoming, dialect: Dialect, all: () => string[]): string[] {
  const values = [...request.query.getAll('value'), ...idsInBody(request)];
  if (dialect.strictIds) return values.map((value) => guid(value, dialect));
  if (values.includes('all')) return all();
  return values.flatMap((value) => value.split(',')).filter((value) => GUID.test(value));
}

function idsInBody(request: Incoming): string[] {
  if (!(request.headers['content-type'] ?? '').startsWith('application/json')) return [];
  const body: unknown = JSON.parse(request.body.toString('utf8'));
  const ids = typeof body === 'object' && body !== null && 'nzo_ids' in body ? body.nzo_ids : [];
  return Array.isArray(ids) ? ids.map(String) : [];
}

function guid(value: string, dialect: Dialect): string {
  if (GUID.test(value)) return value.toLowerCase();
  throw dialect.strictIds
    ? new ApiError(500, 'Unrecognized Guid format.')
    : new ApiError(400, `Invalid nzo_ids parameter: '${value}'`, 'nzo_ids');
}
