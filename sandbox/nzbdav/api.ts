import type { Faults } from '../faults.ts';
import { type Answer, type Incoming, json } from '../http/types.ts';
import type { Dialect } from './dialect.ts';
import type { JobStore } from './jobs.ts';
import { formParts } from './multipart.ts';
import { historyPage, queuePage } from './slots.ts';

const COMPLETE_DIR = '/mnt/nzbdav/completed-symlinks';
const CATEGORIES = ['audio', 'software', 'tv', 'movies'];
const MANUAL_CATEGORY = 'uncategorized';
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface ApiOptions {
  readonly apiKey: string;
  readonly dialect: Dialect;
  readonly jobs: JobStore;
  readonly faults: Faults;
}

/** The SABnzbd-compatible API at /api. */
export function api(options: ApiOptions): (request: Incoming) => Answer {
  return (request) => {
    try {
      return answer(request, options);
    } catch (error) {
      if (error instanceof ApiError) return failure(error.status, error.message);
      throw error;
    }
  };
}

export function wrongApiKey(): Answer {
  return failure(401, 'API Key Incorrect');
}

class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const failure = (status: number, error: string) => json(status, { status: false, error });
const success = (value: object = {}) => json(200, { ...value, status: true, error: null });

/** A parameter of the query or, failing that, of the form; an empty one counts as absent. */
type Params = (name: string) => string | undefined;

function answer(request: Incoming, options: ApiOptions): Answer {
  const form = formParts(request.headers['content-type'] ?? '', request.body);
  const params: Params = (name) => {
    const field = form.find((part) => part.name === name && part.filename === undefined);
    return request.query.get(name) || field?.data.toString('utf8') || undefined;
  };
  const mode = params('mode');
  if (mode === 'version') return success({ version: '4.5.1' });
  const key = request.headers['x-api-key'] ?? params('apikey');
  if (key === undefined) return failure(401, 'API Key Required');
  if (key !== options.apiKey) return wrongApiKey();
  switch (mode) {
    case 'status':
      return options.dialect.statusObject ? json(200, { status: { completedir: COMPLETE_DIR } }) : success();
    case 'fullstatus':
      return json(200, { status: { completedir: COMPLETE_DIR } });
    case 'get_cats':
      return json(200, { categories: options.dialect.statusObject ? ['*', ...CATEGORIES] : CATEGORIES });
    case 'get_config':
      return json(200, { config: config() });
    case 'addfile':
      return addFile(request, params, options);
    case 'queue':
      return params('name') === 'delete' ? deleteQueued(request, options) : queue(params, options);
    case 'history':
      return params('name') === 'delete'
        ? deleteFinished(request, params, options)
        : history(params, options);
    case undefined:
    default:
      return failure(400, 'Invalid mode');
  }
}

function config() {
  const category = (name: string, order: number) => {
    return {
      name,
      order,
      pp: '',
      script: 'None',
      dir: name === '*' ? '' : name,
      newzbin: '',
      priority: -100,
    };
  };
  return {
    misc: { complete_dir: COMPLETE_DIR, pre_check: false, history_retention: '' },
    categories: ['*', ...CATEGORIES].map(category),
    servers: [],
  };
}

function addFile(request: Incoming, params: Params, { faults, jobs, dialect }: ApiOptions): Answer {
  if (faults.submit !== undefined) return failure(faults.submit.status, faults.submit.error);
  if (request.method !== 'POST') throw new ApiError(400, 'Invalid multipart request');
  inRange(params('priority'), [-100, -3, -2, -1, 0, 1, 2], 'priority');
  inRange(params('pp'), [-1, 0, 1, 2, 3], 'pp');
  const form = formParts(request.headers['content-type'] ?? '', request.body);
  const file = form.find(
    (part) => part.filename !== undefined && ['nzbfile', 'name'].includes(part.name.toLowerCase()),
  );
  if (file?.filename === undefined) throw new ApiError(400, 'Invalid nzbFile/name param');
  const nzb = file.data.toString('utf8');
  if (!/<nzb[\s>]/.test(nzb) || !/<\/nzb>\s*$/.test(nzb))
    throw new ApiError(500, 'There is an error in XML document (1, 1).');
  const category = params('cat') ?? MANUAL_CATEGORY;
  const name = (dialect.honoursNzbname ? params('nzbname') : undefined) ?? file.filename;
  if (dialect.replacesSameName) jobs.removeQueued(jobs.sameName(name, category));
  const id = jobs.add(name, category, nzb);
  return json(200, { nzo_ids: [id], status: true, error: null });
}

function inRange(value: string | undefined, allowed: readonly number[], name: string): void {
  if (value !== undefined && !allowed.includes(Number(value))) throw new ApiError(400, `Invalid ${name}`);
}

function queue(params: Params, { jobs, dialect }: ApiOptions): Answer {
  const category = categoryFilter(params, dialect);
  return success({ queue: queuePage(jobs.queue(), { ...page(params), category }, dialect) });
}

function history(params: Params, { jobs, dialect }: ApiOptions): Answer {
  const { start, limit } = page(params);
  const ids = params('nzo_ids')
    ?.split(',')
    .map((id) => guid(id, dialect));
  const category = categoryFilter(params, dialect);
  const pageSize = params('pageSize');
  const size = pageSize === undefined ? (dialect.ignoresHistoryLimit ? Infinity : limit) : Number(pageSize);
  return success({
    history: historyPage(jobs.history(), { start, limit: size, category, ids }, COMPLETE_DIR, dialect),
  });
}

const categoryFilter = (params: Params, { filtersByCat }: Dialect) =>
  params('category') ?? (filtersByCat ? params('cat') : undefined);

function page(params: Params): { start: number; limit: number } {
  return { start: Number(params('start') ?? 0), limit: Number(params('limit') ?? Infinity) };
}

function deleteQueued(request: Incoming, { jobs, dialect }: ApiOptions): Answer {
  jobs.removeQueued(idsToDelete(request, dialect, () => jobs.queue().map((job) => job.id)));
  return success();
}

function deleteFinished(request: Incoming, params: Params, { jobs, dialect }: ApiOptions): Answer {
  const ids = idsToDelete(request, dialect, () => jobs.history().map((job) => job.id));
  jobs.removeFinished(ids, params('del_completed_files') === '1');
  return success();
}

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
  if (dialect.strictIds && !GUID.test(value))
    throw new ApiError(
      500,
      'Guid should contain 32 digits with 4 dashes (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx).',
    );
  return value.toLowerCase();
}
