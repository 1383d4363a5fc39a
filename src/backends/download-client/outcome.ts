import { type Explanation, SlipstreamError } from '../../errors/index.ts';
import { quotedSuffix, sanitizeExternalText } from '../../io/external-text.ts';
import { ownValue } from '../../io/own-property.ts';
import { NAME } from './config.ts';
import type { PastJob } from './rpc-schema.ts';

const ANOTHER = 'Try another release.';
const INCOMPLETE = 'The release is no longer complete on your usenet provider, and cannot be repaired.';
const DISK_FULL = {
  what: `The disk of ${NAME} is full.`,
  next: `Make room where ${NAME} stores its downloads, then try again.`,
};
const OWN_TROUBLE = `Look at the log of ${NAME}.`;

/** What each outcome that is no success means for the person (protocols.md §4.4). */
const FAILURES: Readonly<Record<string, Explanation>> = {
  'WARNING/PASSWORD': { what: 'The release is protected by a password that nobody has.', next: ANOTHER },
  'WARNING/SPACE': DISK_FULL,
  'WARNING/DAMAGED': { what: 'The release is damaged.', next: ANOTHER },
  'WARNING/REPAIRABLE': {
    what: `The release is damaged, and ${NAME} is set not to repair.`,
    next: `Switch on ParRepair in the settings of ${NAME}, or try another release.`,
  },
  'WARNING/SKIPPED': {
    what: `${NAME} left the release unpacked.`,
    next: `Switch on Unpack in the settings of ${NAME}.`,
  },
  'FAILURE/PAR': { what: INCOMPLETE, next: ANOTHER },
  'FAILURE/HEALTH': { what: INCOMPLETE, next: `${ANOTHER} A newer one is best.` },
  'FAILURE/UNPACK': { what: 'The archive of the release cannot be unpacked.', next: ANOTHER },
  'FAILURE/MOVE': {
    what: `${NAME} could not move the finished files.`,
    next: `Check the rights of the folder DestDir of ${NAME}, and the space there.`,
  },
  'FAILURE/SCAN': { what: `${NAME} cannot read the NZB of the release.`, next: ANOTHER },
  'FAILURE/BAD': { what: `The release was marked as bad in ${NAME}.`, next: ANOTHER },
  'FAILURE/FETCH': { what: `${NAME} could not fetch the NZB.`, next: ANOTHER },
  'FAILURE/INTERNAL_ERROR': { what: `${NAME} has a problem of its own.`, next: OWN_TROUBLE },
  'DELETED/MANUAL': { what: `The download was deleted in ${NAME}.`, next: 'Start it again.' },
  'DELETED/DUPE': {
    what: `${NAME} put the release aside as a duplicate of another one.`,
    next: `Look at the queue and the history of ${NAME}.`,
  },
  'DELETED/COPY': {
    what: `${NAME} put the release aside: it has had exactly the same one before.`,
    next: `Remove the older one from the history of ${NAME}, then try again.`,
  },
  'DELETED/GOOD': {
    what: `${NAME} put the release aside: another one of it is marked as good.`,
    next: `Look at the history of ${NAME}.`,
  },
};

/** Those that lie in what was posted; the others in NZBGet's settings, its disk, or what somebody did there. */
const RELEASE_FAULTS: ReadonlySet<string> = new Set([
  'WARNING/PASSWORD',
  'WARNING/DAMAGED',
  'FAILURE/PAR',
  'FAILURE/HEALTH',
  'FAILURE/BAD',
]);

/** Two warnings leave the film whole, or nearly so: the file itself is looked at before it is played. */
const PLAYABLE_WARNINGS: ReadonlySet<string> = new Set(['WARNING/SCRIPT', 'WARNING/HEALTH']);

export const isPlayable = (status: string): boolean =>
  status.startsWith('SUCCESS/') || PLAYABLE_WARNINGS.has(status);

/** It is no failure of the post: NZBGet's check for duplicates did not let it in. */
export const isDuplicateRejected = (status: string): boolean => /^DELETED\/(?:DUPE|COPY|GOOD)$/.test(status);

/** Waits in the history to be loaded when the better one of its key fails. */
export const isBackup = (status: string): boolean => status === 'DELETED/DUPE';

/** The same of a job that was given a password. Only of some archives NZBGet tells a wrong one from damage. */
const WRONG_PASSWORD_FAILURES: typeof FAILURES = {
  'WARNING/PASSWORD': { what: 'The password that came with the release does not open it.', next: ANOTHER },
  'FAILURE/UNPACK': {
    what: 'The archive of the release cannot be unpacked: the password that came with it is wrong, or it is damaged.',
    next: ANOTHER,
  },
};

export function jobFailed({ status, hasPassword }: Pick<PastJob, 'status' | 'hasPassword'>): SlipstreamError {
  const words = sanitizeExternalText(status);
  const explanation = ownValue(hasPassword ? WRONG_PASSWORD_FAILURES : FAILURES, status) ??
    ownValue(FAILURES, status) ?? {
      what: `${NAME} could not get the release ready${quotedSuffix(words)}.`,
      next: ANOTHER,
    };
  return new SlipstreamError('JOB_FAILED', explanation, {
    detail: words === '' ? 'no status' : words,
    broken: RELEASE_FAULTS.has(status),
  });
}

/** With HealthCheck=pause, NZBGet stops a hopeless download and waits for the person. */
export const unrepairableError = (): SlipstreamError =>
  new SlipstreamError(
    'JOB_FAILED',
    { what: INCOMPLETE, next: ANOTHER },
    { detail: 'paused below its critical health', broken: true },
  );

export const jobLost = (): SlipstreamError =>
  new SlipstreamError('JOB_FAILED', {
    what: `${NAME} no longer knows the job: it was deleted there.`,
    next: 'Start it again.',
  });
