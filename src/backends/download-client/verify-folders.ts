import type { Check } from '../../diagnosis/check.ts';
import { SlipstreamError } from '../../errors/index.ts';
import { NAME } from './config.ts';
import { isOurs } from './find-job.ts';
import { playableJobs } from './finished.ts';
import type { GuardedFiles } from './guarded-files.ts';
import { mapFolder, type PathRule } from './paths/mapping.ts';
import { compareWithLocal, type FolderComparison } from './paths/own-folder.ts';
import type { NzbgetApi } from './rpc.ts';
import type { ConfigOption, PastJob } from './rpc-schema.ts';
import { categoriesOf } from './server-options.ts';

/** So many downloads are looked for, the newest first. */
const JOBS_CHECKED = 10;
/** Milliseconds for which nobody is expected to have moved or deleted what we have ordered. */
const FRESH_MS = 3_600_000;
const MINUTE = 60_000;

interface Folders {
  readonly api: NzbgetApi;
  readonly files: GuardedFiles;
  readonly rules: readonly PathRule[];
  readonly options: readonly ConfigOption[];
}

interface CheckedJob {
  readonly job: PastJob;
  readonly rule: PathRule;
  readonly isFound: boolean;
}

/** What speaks for a rule, or why nothing does yet. */
interface FolderVerdict {
  readonly rule: PathRule;
  readonly proof?: string;
  readonly reason?: string;
}

/**
 * A folder that opens may still be another one. Each rule is proven by a download that lies where it says, or by NZBGet's
 * own folder on this device with the same in it. That nothing lies there proves little: Sonarr and Radarr move what they
 * have ordered, people delete what they have seen.
 * @throws INVALID_REQUEST when what NZBGet has just finished for us is not there
 */
export async function verifyFolders(
  folders: Folders,
  signal: AbortSignal,
): Promise<Pick<Check, 'found' | 'unproven'>> {
  const looked = await checkLatestJobs(folders, signal);
  const lost = looked.find((each) => isLost(each, looked));
  if (lost !== undefined) throw missingText(lost, await compareWithOwnFolder(lost.rule, folders, signal));
  const verdicts = await Promise.all(folders.rules.map((rule) => verifyRule(rule, looked, folders, signal)));
  const unproven = verdicts.filter(({ proof }) => proof === undefined);
  return unproven.length === 0
    ? { found: unique(verdicts.map(({ proof = '' }) => proof)).join('; ') }
    : { unproven: unprovenText(unproven, verdicts) };
}

async function verifyRule(
  rule: PathRule,
  looked: readonly CheckedJob[],
  folders: Folders,
  signal: AbortSignal,
): Promise<FolderVerdict> {
  const own = looked.filter((each) => each.rule === rule);
  const there = own.find(({ isFound: isThere }) => isThere);
  if (there !== undefined) return { rule, proof: `${nameOf(there.job)} is there` };
  const outcome = await compareWithOwnFolder(rule, folders, signal);
  if (outcome === 'same') return { rule, proof: `it holds the same as ${rule.text.from} on this device` };
  return {
    rule,
    reason: [unprovenReason(own), ...(outcome === 'other' ? [isAnother(rule)] : [])].join('; '),
  };
}

/** Of several folders each is named, unless the same is true of all; where there is only one, the person knows which. */
function unprovenText(unproven: readonly FolderVerdict[], all: readonly FolderVerdict[]): string {
  const reasons = unique(unproven.map(({ reason = '' }) => reason));
  if (unproven.length === all.length && reasons.length === 1) return reasons.join();
  return unproven.map(({ rule, reason }) => `${rule.text.from}: ${reason}`).join('; ');
}

async function checkLatestJobs(
  { api, files, rules }: Folders,
  signal: AbortSignal,
): Promise<readonly CheckedJob[]> {
  const last = (await playableJobs(api, signal)).slice(0, JOBS_CHECKED);
  const looked = await Promise.all(
    last.map(async (job): Promise<CheckedJob[]> => {
      const mapped = mapFolder(job.folder, rules);
      if (mapped === undefined) return [];
      const isThere = (await files.list(mapped.path, signal)) !== undefined;
      return [{ job, rule: mapped.rule, isFound: isThere }];
    }),
  );
  return looked.flat();
}

/** Ours, finished just now, and nothing else that should be in the same folder is there either. */
const isLost = ({ job, rule, isFound: isThere }: CheckedJob, looked: readonly CheckedJob[]): boolean =>
  !isThere &&
  isOurs(job) &&
  Date.now() - job.finished < FRESH_MS &&
  !looked.some((other) => other.rule === rule && other.isFound);

function compareWithOwnFolder(
  rule: PathRule,
  { files, options }: Folders,
  signal: AbortSignal,
): Promise<FolderComparison> {
  const categories = categoriesOf(options).map(({ name }) => name);
  return compareWithLocal(rule, { files, categories, signal });
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

const nameOf = ({ names }: PastJob) => names[0] ?? '';

function missingText({ job, rule }: CheckedJob, own: FolderComparison): SlipstreamError {
  const why = own === 'other' ? `: ${isAnother(rule)}` : '';
  return new SlipstreamError('INVALID_REQUEST', {
    what: `${NAME} has finished ${nameOf(job)} ${ageText(job)}, and it is not in ${rule.to.path}${why}.`,
    next: `Enter how the folder that ${NAME} calls ${rule.text.from} is opened from here.`,
  });
}

function ageText({ finished }: PastJob): string {
  const minutes = Math.floor((Date.now() - finished) / MINUTE);
  if (minutes < 1) return 'just now';
  return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
}

const unprovenReason = ({ length }: readonly CheckedJob[]): string =>
  length === 0
    ? `${NAME} has finished nothing yet that could be looked for`
    : `${length === 1 ? 'the last download is' : `the last ${length} downloads are`} not there: moved or deleted, or it is another folder`;

const isAnother = ({ text: { from }, to }: PathRule): string =>
  `the folder ${from} of this device, as ${NAME} calls it, is another one than ${to.path}`;
