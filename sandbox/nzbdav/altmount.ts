import { randomUUID } from 'node:crypto';
import { type Answer, type Incoming, json } from '../http/types.ts';
import type { ApiOptions } from './api-options.ts';
import type { Dialect } from './dialect.ts';
import type { SandboxJob } from './job.ts';
import type { JobStore } from './jobs.ts';
import { formParts } from './multipart.ts';

/** Those that it begins with, compared letter by letter. */
const CATEGORIES = ['Movies', 'TV', 'Music', 'Books', 'Adult'];
/** That of a job without one; it is not listed. */
const DEFAULT_CATEGORY = 'Default';
const NO_FILTER = ['all', '*', 'default'];
/** Where its symlinks and .strm files lie. */
const LIBRARY = '/mnt/library';
const VERSION = '4.5.0';

interface AltMountOptions extends Pick<ApiOptions, 'apiKey' | 'dialect' | 'jobs' | 'faults'> {
  /** As Dialect.settles. */
  readonly settles: number;
}

/** The SABnzbd-compatible API of AltMount at /sabnzbd/api (protocols.md §2.10). */
export function altmountApi(options: AltMountOptions): (request: Incoming) => Answer {
  return (request) => {
    const form = formParts(request.headers['content-type'] ?? '', request.body);
    const field = (name: string) => form.find((part) => part.name === name && part.filename === undefined);
    const params = (name: string) =>
      request.query.get(name) || field(name)?.data.toString('utf8') || undefined;
    const key = params('apikey');
    if (key === undefined)
      return failure('Authentication required: provide either apikey or ma_username+ma_password');
    return key === options.apiKey ? answer(request, params, options) : altmountWrongKey();
  };
}

const plain = (value: unknown): Answer => ({
  ...json(200, value),
  headers: { 'content-type': 'application/json' },
});

/** Every error comes with status 200. */
const failure = (error: string): Answer => plain({ status: false, error });

export const altmountWrongKey = (): Answer => failure('Invalid API key');

type Params = (name: string) => string | undefined;

function answer(request: Incoming, params: Params, options: AltMountOptions): Answer {
  const { jobs } = options;
  const mode = params('mode') ?? '';
  const isDeletion = params('name') === 'delete';
  switch (mode) {
    case 'version':
      return plain({ status: true, version: VERSION });
    case 'status':
      return plain(status(jobs));
    case 'get_config':
      return plain({ status: true, version: VERSION, config: config(options.dialect) });
    case 'addfile':
      return addFile(request, params, options);
    case 'pause':
    case 'resume':
      jobs.paused = mode === 'pause';
      return plain({ status: true });
    case 'queue':
      if (isDeletion) jobs.removeQueued(oneId(params));
      return plain(isDeletion ? { status: true } : queue(params, options));
    case 'history':
      // It reads `value` alone: the files stay where they are.
      if (isDeletion) jobs.removeFinished(oneId(params), false);
      return plain(isDeletion ? { status: true } : history(params, options));
    default:
      return failure(`Unknown mode: ${mode}`);
  }
}

const oneId = (params: Params) => [params('value') ?? ''];

const status = ({ paused }: JobStore) => ({
  status: true,
  version: VERSION,
  uptime: '8m11s',
  color: 'green',
  darwin: false,
  nt: false,
  pid: 24_358,
  new_rel_url: '',
  active_download: false,
  paused,
  pause_int: 0,
  remaining: '0.0 MB',
  mbleft: 0,
  diskspace1: '64.0 GB',
  diskspace2: '0 B',
  diskspacetotal1: '252.0 GB',
  diskspacetotal2: '0 B',
  loadavg: '0.0',
  cache: { max: 100, left: 100, art: 0 },
  folders: [],
  slots: null,
});

/** Of the usenet providers it tells nothing. */
function config({ completeFolder }: Dialect) {
  return {
    misc: {
      complete_dir: `/${completeFolder}`,
      pre_check: 0,
      history_retention: '',
      history_retention_option: 'all',
      history_retention_number: 1,
    },
    categories: CATEGORIES.map((name, priority) => ({
      name,
      order: 1,
      pp: '3',
      script: 'None',
      dir: '',
      newzbin: '',
      priority,
    })),
    servers: [],
  };
}

function addFile(request: Incoming, params: Params, { faults, jobs }: AltMountOptions): Answer {
  if (request.method !== 'POST') return failure('Method not allowed');
  if (faults.submit !== undefined) return failure(faults.submit.error);
  const form = formParts(request.headers['content-type'] ?? '', request.body);
  const file = form.find(
    (part) => part.filename !== undefined && ['nzbfile', 'name'].includes(part.name.toLowerCase()),
  );
  if (file?.filename === undefined) return failure('No NZB file provided');
  if (!/\.nzb(\.gz)?$/i.test(file.filename)) return failure('Invalid file type, must be .nzb or .nzb.gz');
  const category = params('cat') ?? DEFAULT_CATEGORY;
  if (![...CATEGORIES, DEFAULT_CATEGORY].includes(category))
    return failure(`invalid category '${category}' - not found in configuration`);
  const name = params('nzbname');
  // Two submissions of one name are two jobs under one id.
  const id = name ?? randomUUID();
  jobs.add({
    file: name === undefined ? file.filename : `${name}.nzb`,
    category,
    nzb: file.data.toString('utf8'),
    id,
  });
  return plain({ status: true, nzo_ids: [id] });
}

function shown(all: readonly SandboxJob[], params: Params, most: number): readonly SandboxJob[] {
  const category = (params('cat') ?? params('category') ?? 'all').toLowerCase();
  const start = Number(params('start') ?? 0);
  const limit = Math.min(Number(params('limit') ?? 100), most);
  return all
    .filter((job) => NO_FILTER.includes(category) || job.category.toLowerCase() === category)
    .slice(start, start + limit);
}

/** For so long a job that can be played already is not yet completed. */
const isSettling = ({ state, finished = 0 }: SandboxJob, { settles }: AltMountOptions) =>
  state === 'completed' && Date.now() - finished < settles;

const megabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(2);
const sizeText = (bytes: number) => (bytes === 0 ? '0 B' : `${(bytes / 1024 ** 2).toFixed(1)} MB`);
const FIRST_NUMBER = 120;
const SPEED = { kbpersec: '248.85', speed: '254822' };

function queue(params: Params, options: AltMountOptions) {
  const { jobs } = options;
  const settling = jobs.history().filter((job) => isSettling(job, options));
  const all = [...settling, ...jobs.queue()];
  const countOf = (id: string) => [...jobs.queue(), ...jobs.history()].filter((job) => job.id === id).length;
  const slots = shown(all, params, Infinity).map((job, index) => {
    const isBusy = job.state !== 'queued';
    const left = isBusy ? job.bytes / 2 : job.bytes;
    return {
      index,
      nzo_id: job.id,
      priority: 'Normal',
      cat: job.category,
      category: job.category,
      // Where one name stands for several jobs, each is numbered.
      filename: countOf(job.id) > 1 ? `${FIRST_NUMBER + index}-${job.name}` : job.name,
      // A placeholder: it is not measured.
      percentage: isBusy ? '50' : '0',
      status: isBusy ? 'Downloading' : 'Queued',
      timeleft: isBusy ? '00:00:00' : '0:00:00',
      eta: isBusy ? '21:14 Sun 22 Nov' : 'unknown',
      size: sizeText(job.bytes),
      sizeleft: sizeText(left),
      mb: megabytes(job.bytes),
      mbleft: megabytes(left),
    };
  });
  const sum = (name: 'mb' | 'mbleft') => slots.reduce((total, slot) => total + Number(slot[name]), 0);
  return {
    status: true,
    queue: {
      paused: jobs.paused,
      slots,
      noofslots: slots.length,
      status: jobs.paused ? 'Paused' : slots.length > 0 ? 'Downloading' : 'Idle',
      mbleft: sum('mbleft').toFixed(2),
      mb: sum('mb').toFixed(2),
      ...SPEED,
      version: VERSION,
    },
  };
}

/** Without a `status` of its own. By its id a job is shown from its submission on, and one of several. */
function history(params: Params, options: AltMountOptions) {
  const { jobs } = options;
  const ids = params('nzo_ids')?.split(',');
  const past = jobs.history();
  const asked = ids === undefined ? past : [...past, ...jobs.queue()].filter(({ id }) => ids.includes(id));
  const each =
    ids === undefined ? asked : [...new Map(asked.toReversed().map((job) => [job.id, job])).values()];
  const slots = shown(each, params, 1000).map((job, index) => slotOf(job, index, options));
  const total = slots.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    history: {
      slots,
      total_size: sizeText(total),
      month_size: '0 B',
      week_size: '0 B',
      day_size: '0 B',
      ppslots: 0,
      noofslots: slots.length,
      last_history_update: 0,
      version: VERSION,
    },
  };
}

const STATES = { queued: 'Unknown', downloading: 'Unknown', completed: 'Completed', failed: 'Failed' };

function slotOf(job: SandboxJob, index: number, options: AltMountOptions) {
  const { id, name, category, bytes, failure: message = '', finished = 0 } = job;
  const isOver = finished > 0 && !isSettling(job, options);
  const storage = storageOf(job, options.jobs, options.dialect);
  return {
    index,
    nzo_id: id,
    name,
    category,
    cat: category,
    pp: '3',
    script: '',
    report: '',
    url: '',
    status: isOver ? STATES[job.state] : 'Unknown',
    nzb_name: `${name}.nzb`,
    download: name,
    path: storage,
    storage,
    postproc: '',
    downloaded: isOver ? bytes : 0,
    completetime: isOver ? Math.floor(finished / 1000) : 0,
    nzb_avg: '',
    script_log: '',
    script_line: '',
    duplicate_key: name,
    fail_message: message,
    url_info: '',
    bytes,
    meta: [],
    series: '',
    md5sum: '',
    password: '',
    action_line: isOver && job.state === 'completed' ? 'Finished' : '',
    size: sizeText(bytes),
    loaded: true,
    retry: 0,
    stage_log: [],
  };
}

/** A folder, relative where nothing is mounted on the server; or a file in the library. */
function storageOf({ category, folder }: SandboxJob, jobs: JobStore, dialect: Dialect): string {
  if (folder === undefined) return '';
  if (dialect.storage === 'folder') return `${dialect.completeFolder}/${category}/${folder}`;
  const mount = jobs.mounts().find((each) => each.folder === folder && each.category === category);
  const path = mount?.files[0]?.path ?? 'nothing.mkv';
  const file = dialect.storage === 'strm' ? path.replace(/\.\w+$/, '.strm') : path;
  return `${LIBRARY}/${category}/${folder}/${file}`;
}
