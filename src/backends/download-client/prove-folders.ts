import { SlipstreamError } from '../../errors/index.ts';
import type { Check } from '../../settings/index.ts';
import { NAME } from './config.ts';
import { isOurs } from './find-job.ts';
import { playableJobs } from './finished.ts';
import type { GuardedFiles } from './guarded-files.ts';
import { mapFolder, type Rule } from './paths/mapping.ts';
import { compareWithOwn } from './paths/own-folder.ts';
import type { NzbgetApi } from './rpc.ts';
import type { ConfigOption, PastJob } from './rpc-schema.ts';
import { categoriesOf } from './server-options.ts';

/** So many downloads are looked for, the newest first. */
const LAST_JOBS = 10;
/** Milliseconds for which nobody is expected to have moved or deleted what we have ordered. */
const FRESH = 3_600_000;
const MINUTE = 60_000;

interface Folders {
  readonly api: NzbgetApi;
  readonly files: GuardedFiles;
  readonly rules: readonly Rule[];
  readonly options: readonly ConfigOption[];
}

interface Looked {
  readonly job: PastJob;
  readonly rule: Rule;
  readonly isThere: boolean;
}

/**
 * A folder that opens may still be another one. It is proven by a download that lies in it, or by NZBGet's own folder on
 * this device with the same in it. That nothing lies there proves little: Sonarr and Radarr move what they have ordered,
 * people delete what they have seen.
 * @throws INVALID_REQUEST when what NZBGet has just finished for us is not there
 */
export async function proveFolders(
  folders: Folders,
  signal: AbortSignal,
): Promise<Pick<Check, 'found' | 'unproven'>> {
  const looked = await lookForLast(folders, signal);
  const lost = looked.find((each) => isLost(each, looked));
  if (lost !== undefined) throw notThere(lost);
  const there = looked.find(({ isThere }) => isThere);
  if (there !== undefined) return { found: `${nameOf(there.job)} is there` };
  const own = await compareAll(folders, signal);
  const same = own.find(({ outcome }) => outcome === 'same');
  if (same !== undefined) return { found: `it holds the same as ${same.rule.text.from} on this device` };
  const other = own.find(({ outcome }) => outcome === 'other');
  return {
    unproven: [whyUnproven(looked), ...(other === undefined ? [] : [isAnother(other.rule)])].join('; '),
  };
}

async function lookForLast({ api, files, rules }: Folders, signal: AbortSignal): Promise<readonly Looked[]> {
  const last = (await playableJobs(api, signal)).slice(0, LAST_JOBS);
  const looked = await Promise.all(
    last.map(async (job): Promise<Looked[]> => {
      const mapped = mapFolder(job.folder, rules);
      if (mapped === undefined) return [];
      const isThere = (await files.list(mapped.path, signal)) !== undefined;
      return [{ job, rule: mapped.rule, isThere }];
    }),
  );
  return looked.flat();
}

/** Ours, finished just now, and nothing else that should be in the same folder is there either. */
const isLost = ({ job, rule, isThere }: Looked, looked: readonly Looked[]): boolean =>
  !isThere &&
  isOurs(job) &&
  Date.now() - job.finished < FRESH &&
  !looked.some((other) => other.rule === rule && other.isThere);

const compareAll = ({ files, rules, options }: Folders, signal: AbortSignal) => {
  const categories = categoriesOf(options).map(({ name }) => name);
  return Promise.all(
    rules.map(async (rule) => ({ rule, outcome: await compareWithOwn(rule, { files, categories, signal }) })),
  );
};

const nameOf = ({ names }: PastJob) => names[0] ?? '';

const notThere = ({ job, rule }: Looked): SlipstreamError =>
  new SlipstreamError('INVALID_REQUEST', {
    what: `${NAME} has finished ${nameOf(job)} ${ago(job)}, and it is not in ${rule.to.path}.`,
    next: `Enter how the folder that ${NAME} calls ${rule.text.from} is opened from here.`,
  });

function ago({ finished }: PastJob): string {
  const minutes = Math.floor((Date.now() - finished) / MINUTE);
  if (minutes < 1) return 'just now';
  return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
}

const whyUnproven = ({ length }: readonly Looked[]): string =>
  length === 0
    ? `${NAME} has finished nothing yet that could be looked for`
    : `${length === 1 ? 'the last download is' : `the last ${length} downloads are`} not there: moved or deleted, or it is another folder`;

const isAnother = ({ text: { from }, to }: Rule): string =>
  `the folder ${from} of this device, as ${NAME} calls it, is another one than ${to.path}`;
