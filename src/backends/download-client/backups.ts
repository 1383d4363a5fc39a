import type { Logger } from '../../log/index.ts';
import type { Job } from '../../model/index.ts';
import type { Nzb } from '../backend.ts';
import { backupName, belongsTo, dupeKeyOf, isOwnName } from './find-job.ts';
import { isBackup, isPlayable } from './outcome.ts';
import { deleteAll } from './remove.ts';
import type { NzbgetApi } from './rpc.ts';
import { submitJob } from './submit.ts';
import type { NzbgetTimings } from './timings.ts';

/** The job's own score; backups have lower ones, in their order. */
export const OWN_SCORE = 100;

interface BackupPlan {
  readonly nzbs: readonly Nzb[];
  readonly job: Job;
  readonly priority: number;
}

/**
 * Lets further posts of the same release wait in NZBGet, so that it takes the next one by itself when the job fails.
 * @returns how many wait now. @throws as Backend.submit
 */
export async function addBackups(
  api: NzbgetApi,
  { nzbs, job, priority }: BackupPlan,
  context: { readonly signal: AbortSignal; readonly times: NzbgetTimings; readonly log: Logger },
): Promise<number> {
  const { signal, log } = context;
  if (nzbs.length === 0 || !(await canHoldBackups(api, job, signal))) return 0;
  for (const [index, { bytes, release }] of nzbs.entries()) {
    const number = index + 1;
    const name = backupName(job.name, number);
    const dupe = { dupeKey: dupeKeyOf(job.name), dupeScore: OWN_SCORE - number, dupeMode: 'SCORE' as const };
    const { password } = release;
    await submitJob(api, { bytes, name, category: job.category, priority, ...dupe, password }, context);
  }
  const past = (await api.history(signal)).filter(({ names }) => belongsTo(job.name)(names));
  // The same articles from another indexer are no backup, and would only stand in the history.
  const useless = past.filter(({ status }) => /^DELETED\/(?:COPY|GOOD)$/.test(status)).map(({ id }) => id);
  if (useless.length > 0) await api.edit('HistoryFinalDelete', useless, signal);
  const waiting = past.filter(({ status }) => isBackup(status)).length;
  log.info(`${api.name}: ${waiting} of ${nzbs.length} further posts wait as backups`);
  return waiting;
}

/** As Backend.dropBackups: of everything under the job's name, only what plays is kept. @throws Refused */
export async function dropBackups(api: NzbgetApi, jobName: string, signal: AbortSignal): Promise<void> {
  const past = (await api.history(signal)).filter(({ names }) => belongsTo(jobName)(names));
  const useless = past.filter(({ status }) => !isPlayable(status));
  const refusal = await deleteAll(api, { queued: [], past: useless }, signal);
  if (refusal !== undefined) throw refusal;
}

/**
 * Whether NZBGet would let a backup wait: it checks for duplicates, and counts the job, which is still under way, among
 * them. Anything else would be downloaded beside it.
 */
async function canHoldBackups(api: NzbgetApi, job: Job, signal: AbortSignal): Promise<boolean> {
  const own = (await api.groups(signal)).find(({ names }) => isOwnName(job.name, names));
  if (own?.dupeMode !== 'SCORE') return false;
  const options = await api.config(signal);
  return options.find(({ name }) => name === 'DupeCheck')?.value.toLowerCase() !== 'no';
}
