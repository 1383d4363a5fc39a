import type { Dialect } from './dialect.ts';
import type { SandboxJob } from './jobs.ts';

const MIB = 1024 * 1024;

export interface QueueFilter {
  readonly start: number;
  readonly limit: number;
  readonly category: string | undefined;
}

export interface HistoryFilter extends QueueFilter {
  readonly ids: readonly string[] | undefined;
}

/** The `queue` object. The running job comes first when start is 0, even past the category filter. */
export function queuePage(jobs: readonly SandboxJob[], filter: QueueFilter, dialect: Dialect) {
  const { start, limit, category } = filter;
  const fits = (job: SandboxJob) => category === undefined || job.category === category;
  const shown = jobs.filter((job, n) => fits(job) || (n === 0 && start === 0 && job.state === 'downloading'));
  const slots = shown.slice(start, start + limit).map((job, index) => queueSlot(job, index, dialect));
  return { paused: false, noofslots: shown.length, slots };
}

function queueSlot(job: SandboxJob, index: number, dialect: Dialect) {
  // Inside, fetching counts to 100 and the article check from there to 200.
  const progress = dialect.wrapsPercentage ? job.percent * 2 : job.percent;
  const megabytes = job.bytes / MIB;
  const left = megabytes * (1 - progress / 100);
  return {
    index,
    nzo_id: job.id,
    priority: 'Normal',
    filename: `${job.name}.nzb`,
    cat: job.category,
    percentage: String(dialect.wrapsPercentage ? progress % 100 : progress),
    true_percentage: String(progress),
    status: job.state === 'downloading' ? 'Downloading' : 'Queued',
    timeleft: '0:0:0:0',
    mb: decimal(megabytes, dialect),
    mbleft: decimal(left, dialect),
  };
}

function decimal(value: number, dialect: Dialect): string {
  const text = value.toFixed(2);
  return dialect.decimalComma ? text.replace('.', ',') : text;
}

/** The `history` object. */
export function historyPage(
  jobs: readonly SandboxJob[],
  { start, limit, category, ids }: HistoryFilter,
  completeDir: string,
  dialect: Dialect,
) {
  const shown = jobs.filter(
    (job) => (category === undefined || job.category === category) && (ids?.includes(job.id) ?? true),
  );
  const slots = shown.slice(start, start + limit).map((job) => historySlot(job, completeDir, dialect));
  return { noofslots: shown.length, slots };
}

function historySlot(job: SandboxJob, completeDir: string, dialect: Dialect) {
  return {
    nzo_id: job.id,
    nzb_name: `${job.name}.nzb`,
    name: job.name,
    category: job.category,
    status: job.state === 'completed' ? 'Completed' : 'Failed',
    bytes: job.bytes,
    storage: job.folder === undefined ? null : `${completeDir}/${job.category}/${job.folder}`,
    download_time: Math.round(job.took / 1000),
    fail_message: job.failure ?? '',
    nzb_blob_id: null,
    ...(dialect.completedTime ? { completed: Math.floor((job.finished ?? 0) / 1000) } : {}),
  };
}
