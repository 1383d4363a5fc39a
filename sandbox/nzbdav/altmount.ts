import { randomUUID } from 'node:crypto';
import { type Answer, type Incoming, json } from '../http/types.ts';
import type { ApiOptions } from './api.ts';
import type { Dialect } from './dialect.ts';
import type { JobStore, SandboxJob } from './jobs.ts';
import { formParts } from './multipart.ts';
import { categoryFolder } from './tree.ts';

const CATEGORIES = ['movies', 'tv'];
const DEFAULT_CATEGORY = 'Default';
const NO_FILTER = ['all', '*', 'default'];
/** Where the share is mounted on the server, and where its symlinks and .strm files lie. */
const MOUNT = '/mnt/altmount';
const LIBRARY = '/mnt/library';
/** So long, in milliseconds, the queue still shows what is over. */
const LINGERS = 60;

/** The SABnzbd-compatible API of AltMount at /sabnzbd/api (protocols.md §2.10). */
export function altmountApi(options: ApiOptions): (request: Incoming) => Answer {
  return (request) => {
    const form = formParts(request.headers['content-type'] ?? '', request.body);
    const field = (name: string) => form.find((part) => part.name === name && part.filename === undefined);
    const params = (name: string) =>
      request.query.get(name) || field(name)?.data.toString('utf8') || undefined;
    if (params('apikey') !== options.apiKey) return altmountWrongKey();
    return answer(request, params, options);
  };
}

/** Every error comes with status 200. */
const failure = (error: string): Answer => json(200, { status: false, error });

export const altmountWrongKey = (): Answer => failure('API Key Incorrect');

type Params = (name: string) => string | undefined;

function answer(request: Incoming, params: Params, options: ApiOptions): Answer {
  const { jobs } = options;
  const isDeletion = params('name') === 'delete';
  switch (params('mode')) {
    case 'version':
      return json(200, { version: '4.5.0' });
    case 'status':
      return json(200, { status: true, uptime: '1h', version: '4.5.0', paused: false, completedir: '' });
    case 'get_cats':
      return json(200, { categories: ['*', ...CATEGORIES] });
    case 'get_config':
      return json(200, { config: config(options.dialect) });
    case 'addfile':
      return addFile(request, params, options);
    case 'queue':
      if (isDeletion) jobs.removeQueued(oneId(params));
      return isDeletion ? json(200, { status: true }) : queue(params, jobs);
    case 'history':
      // It reads `value` alone: the files stay where they are.
      if (isDeletion) jobs.removeFinished(oneId(params), false);
      return isDeletion ? json(200, { status: true }) : history(params, options);
    case undefined:
    default:
      return failure('Unknown mode');
  }
}

const oneId = (params: Params) => [params('value') ?? ''];

function config(dialect: Dialect) {
  const category = (name: string, order: number) => ({
    ...{ name, order, pp: '3', script: 'None', priority: 0 },
    dir: categoryFolder(name, dialect),
  });
  return {
    misc: { complete_dir: `/${dialect.completeFolder}`, pre_check: 0 },
    categories: CATEGORIES.map(category),
    servers: [],
  };
}

function addFile(request: Incoming, params: Params, { faults, jobs }: ApiOptions): Answer {
  if (faults.submit !== undefined) return failure(faults.submit.error);
  const form = formParts(request.headers['content-type'] ?? '', request.body);
  const file = form.find(
    (part) => part.filename !== undefined && ['nzbfile', 'name'].includes(part.name.toLowerCase()),
  );
  if (file?.filename === undefined || !/\.nzb(\.gz)?$/i.test(file.filename)) return failure('Invalid file');
  const category = params('cat') ?? DEFAULT_CATEGORY;
  if (![...CATEGORIES, DEFAULT_CATEGORY.toLowerCase()].includes(category.toLowerCase()))
    return failure(`Invalid category: ${category}`);
  const name = params('nzbname');
  // Two submissions of one name are one job.
  const id = name ?? randomUUID();
  jobs.removeQueued([id]);
  jobs.add({
    file: name === undefined ? file.filename : `${name}.nzb`,
    ...{ category, nzb: file.data.toString('utf8'), id },
  });
  return json(200, { status: true, nzo_ids: [id] });
}

function shown(all: readonly SandboxJob[], params: Params, most: number): readonly SandboxJob[] {
  const category = (params('cat') ?? params('category') ?? 'all').toLowerCase();
  const start = Number(params('start') ?? 0);
  const limit = Math.min(Number(params('limit') ?? 100), most);
  return all
    .filter((job) => NO_FILTER.includes(category) || job.category.toLowerCase() === category)
    .slice(start, start + limit);
}

function queue(params: Params, jobs: JobStore): Answer {
  const over = jobs.history().filter(({ finished = 0 }) => Date.now() - finished < LINGERS);
  const slots = shown([...jobs.queue(), ...over], params, Infinity).map((job, index) => ({
    ...{ index, nzo_id: job.id, filename: job.name, cat: job.category, priority: 'Normal' },
    status: job.state.charAt(0).toUpperCase() + job.state.slice(1),
    // A placeholder: it is not measured.
    percentage: job.state === 'queued' ? '0' : '50',
    ...{ mb: '0.00', mbleft: '0.00', timeleft: '0:00:00' },
  }));
  return json(200, { status: true, queue: { paused: false, noofslots: slots.length, slots } });
}

/** Without a `status` of its own. */
function history(params: Params, { jobs, dialect }: ApiOptions): Answer {
  const ids = params('nzo_ids')?.split(',');
  const jobsOf = jobs.history().filter((job) => ids?.includes(job.id) ?? true);
  const slots = shown(jobsOf, params, 1000).map((job) => {
    const storage = storageOf(job, jobs, dialect);
    return {
      ...{ nzo_id: job.id, name: job.name, nzb_name: `${job.name}.nzb`, category: job.category },
      status: job.state === 'completed' ? 'Completed' : 'Failed',
      ...{ storage, path: storage, bytes: job.bytes, fail_message: job.failure ?? '' },
      ...{ completed: Math.floor((job.finished ?? 0) / 1000), stage_log: [], script: 'None', pp: 'D' },
    };
  });
  return json(200, { history: { noofslots: slots.length, slots } });
}

/** A folder of the mounted share, or a file in the library. */
function storageOf({ category, folder }: SandboxJob, jobs: JobStore, dialect: Dialect): string {
  if (folder === undefined) return '';
  const below = `${categoryFolder(category, dialect)}/${folder}`;
  if (dialect.storage === 'folder') return `${MOUNT}/${dialect.completeFolder}/${below}`;
  const mount = jobs.mounts().find((each) => each.folder === folder && each.category === category);
  const path = mount?.files[0]?.path ?? 'nothing.mkv';
  return `${LIBRARY}/${below}/${dialect.storage === 'strm' ? path.replace(/\.\w+$/, '.strm') : path}`;
}
