import type { Faults } from '../faults.ts';
import { disallowedFailure } from './altmount-names.ts';
import { isProviderAway, type JobAttempt } from './outcome.ts';

const NOT_PROCESSED = 'no files were successfully processed (all files failed validation)';
/** It says the same of a dead post, of a provider that is away and of a login that is refused. */
const NOTHING_FOUND =
  'fast-fail segment check failed: no regular files were successfully processed (all files failed validation)';
const NO_PROVIDER = 'no NNTP providers configured - item will be retried when providers are added';
const NO_NZB =
  'failed to parse NZB file: unable to parse NZB file: expected element type <nzb> but have <html>';
const NO_SIZE = 'NZB validation failed: invalid NZB: total size is zero';

/** What a job fails of at AltMount, in its words (protocols.md §2.10); undefined: it completes. */
export function altmountFailureOf(attempt: JobAttempt, jobName: string, faults: Faults): string | undefined {
  const { nzb, release } = attempt;
  if (faults.provider === 'none') return NO_PROVIDER;
  if (isProviderAway(faults)) return NOTHING_FOUND;
  if (nzb.firstId === undefined) return NO_NZB;
  if (release === undefined || release.health === 'dead') return NOTHING_FOUND;
  const unfit = archiveFailure(attempt);
  if (unfit !== undefined) return unfit;
  if (release.archive === undefined && release.lost?.includes(-1) === true) return NO_SIZE;
  return release.archive === undefined ? disallowedFailure(attempt, jobName) : undefined;
}

/** One whose contents alone are encrypted is completed, and serves them as they are. */
function archiveFailure({ release, password }: JobAttempt): string | undefined {
  const { archive, videos = [] } = release ?? {};
  if (archive === undefined) return undefined;
  if (archive.lacksVolume !== undefined) return NOT_PROCESSED;
  const [first] = videos;
  if (archive.compressed === true)
    return `compressed files are not supported: ${first?.path ?? ''} (uses rar5.0 compression)`;
  if (archive.password === undefined || archive.password === password) return undefined;
  if (archive.kind === '7z') return NOT_PROCESSED;
  return archive.hidesNames === undefined
    ? undefined
    : `failed to iterate RAR archive "${archive.hidesNames}": rardecode: archive encrypted, password required`;
}
