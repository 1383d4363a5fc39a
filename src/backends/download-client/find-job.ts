import type { NzbgetApi } from './rpc.ts';
import type { Group, PastJob } from './rpc-schema.ts';

/** Every place where a job and its backups stand. */
export interface FoundJobs {
  readonly queued: readonly Group[];
  readonly past: readonly PastJob[];
}

/** Behind a job's unique name: the names of its backups. */
const BACKUP = /^\.backup-\d{1,2}$/;

export const backupName = (jobName: string, number: number): string => `${jobName}.backup-${number}`;

/** The key under which NZBGet keeps a job and its backups together, and nobody else's. */
export const dupeKeyOf = (jobName: string): string => `${DUPE_KEY_PREFIX}${jobName}`;

const DUPE_KEY_PREFIX = 'slipstream ';

/** Whether we have handed it over: a job of whatever play, or one of its backups. */
export const isOurs = ({ dupeKey }: Pick<PastJob, 'dupeKey'>): boolean => dupeKey.startsWith(DUPE_KEY_PREFIX);

/**
 * Whether these are names of the job itself, or of one of its backups. The unique name alone decides: NZBGet's ids are
 * small numbers that begin anew when its queue is lost, so one from an old ledger may belong to a stranger.
 */
export function belongsTo(jobName: string): (names: readonly string[]) => boolean {
  const wanted = jobName.normalize('NFC');
  return (names) =>
    names.some((name) => {
      const plain = name.normalize('NFC');
      return plain === wanted || (plain.startsWith(wanted) && BACKUP.test(plain.slice(wanted.length)));
    });
}

export const isOwnName = (jobName: string, names: readonly string[]): boolean =>
  names.some((name) => name.normalize('NFC') === jobName.normalize('NFC'));

/** The queue is asked first: a job only moves from there to the history. */
export async function findJob(api: NzbgetApi, jobName: string, signal: AbortSignal): Promise<FoundJobs> {
  const isOurs = belongsTo(jobName);
  const queued = (await api.groups(signal)).filter(({ names }) => isOurs(names));
  const past = (await api.history(signal)).filter(({ names }) => isOurs(names));
  return { queued, past };
}
