import type { Dialect } from './dialect.ts';
import type { SandboxJob } from './job.ts';

const MIB = 1024 * 1024;

export interface QueueFilter {
  readonly start: number;
  readonly limit: number;
  readonly category: string | undefined;
  /** What the name must hold; only the fork knows it. */
  readonly search?: string | undefined;
}

export interface HistoryFilter extends QueueFilter {
  readonly ids: readonly string[] | undefined;
}

/** Beside the slots, the fork's queue tells SABnzbd's speeds. */
const SPEEDS = {
  speedlimit: '0',
  speedlimit_abs: '0',
  pause_int: '0',
  speed: '0 ',
  kbpersec: '0.00',
  timeleft: '0:00:00',
};

/** The `queue` object. The running job comes first when start is 0, even past the category filter. */
export function queuePage(
  jobs: readonly SandboxJob[],
  { start, limit, category, search = '' }: QueueFilter,
  paused: boolean,
  dialect: Dialect,
) {
  const fits = jobs.filter(
    (job) =>
      (category === undefined || job.category === category) &&
      job.name.toLowerCase().includes(search.toLowerCase()),
  );
  const [head] = jobs;
  const first = start === 0 && head?.state === 'downloading' && !fits.includes(head) ? [head] : [];
  const shown = [...first, ...fits].slice(start, start + limit);
  return {
    paused,
    slots: shown.map((job, index) => queueSlot(job, index, dialect)),
    noofslots: fits.length,
    ...(dialect.isFork ? SPEEDS : {}),
  };
}

const PRIORITIES: Record<number, string> = { 2: 'Force', 1: 'High', [-1]: 'Low', [-2]: 'Paused' };

function queueSlot(job: SandboxJob, index: number, dialect: Dialect) {
  // Inside, fetching counts to 100, and a check of the articles from there to 200.
  const progress = dialect.checksArticles ? job.percent * 2 : job.percent;
  const megabytes = job.bytes / MIB;
  const left = megabytes * (1 - progress / 100);
  const isPaused = dialect.isFork && (job.paused || job.priority === -2);
  return {
    index,
    nzo_id: job.id,
    priority: isPaused ? 'Paused' : (PRIORITIES[job.priority] ?? 'Normal'),
    filename: job.file,
    cat: job.category,
    percentage: String(dialect.wrapsPercentage ? progress % 100 : Math.min(100, progress)),
    true_percentage: String(progress),
    status: isPaused ? 'Paused' : job.state === 'downloading' ? 'Downloading' : 'Queued',
    timeleft: dialect.isFork ? '0:00:00' : '0:0:0:0',
    mb: decimal(megabytes, dialect),
    mbleft: decimal(left, dialect),
    ...(dialect.isFork ? { indexer: null, providers: null } : {}),
  };
}

function decimal(value: number, dialect: Dialect): string {
  const text = value.toFixed(2);
  return dialect.decimalComma ? text.replace('.', ',') : text;
}

/** The usenet provider of which the fork tells. */
export const PROVIDER = { host: 'news.sandbox.invalid', nickname: 'sandbox' };

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
  return { slots, noofslots: shown.length };
}

function historySlot(job: SandboxJob, completeDir: string, { isFork }: Dialect) {
  const isComplete = job.state === 'completed';
  return {
    nzo_id: job.id,
    nzb_name: job.file,
    name: job.name,
    category: job.category,
    status: isComplete ? 'Completed' : 'Failed',
    bytes: job.bytes,
    storage: job.folder === undefined ? null : `${completeDir}/${job.category}/${job.folder}`,
    download_time: Math.round(job.took / 1000),
    fail_message: job.failure ?? '',
    nzb_blob_id: job.id,
    ...(isFork
      ? {
          completed: Math.floor((job.finished ?? 0) / 1000),
          indexer: null,
          providers: isComplete ? [{ ...PROVIDER, segments: 2 }] : null,
        }
      : {}),
  };
}

/** As the fork lists it: what was wrong stays there when it is so no more. */
export interface Warning {
  readonly type: 'WARNING';
  readonly text: string;
  /** Seconds since the epoch. */
  readonly time: number;
}

/** What the fork warns of when it holds a job for its provider, the newest last. */
export function warningsOf(
  { name, holds }: Pick<SandboxJob, 'name' | 'holds'>,
  provider: 'away' | 'refuses-login',
): readonly Warning[] {
  const refused = provider === 'refuses-login';
  const reason = refused
    ? 'Could not login to usenet host: 481 bad password'
    : 'Could not connect to usenet host. Check connection settings.';
  const time = Math.floor(Date.now() / 1000);
  return [
    ...(refused
      ? []
      : [`Error getting connection-lock for provider "${PROVIDER.host}". Reason: "${reason}"`]),
    `All providers exhausted. Last error from "${PROVIDER.host}". Status=${refused ? 'Auth' : 'Network'} Reason: "${reason}"`,
    `Provider connection issue for queue item "${name}" (attempt ${holds}/20); retrying in 10 seconds. Reason: "${reason}"`,
  ].map((text) => ({ type: 'WARNING', text, time }));
}
