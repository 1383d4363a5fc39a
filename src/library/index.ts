export { type BrokenReleases, openBrokenReleases } from './broken-releases.ts';
export { existingJobFinder } from './existing-jobs.ts';
export { openFailures, type StoredFailure, storeFailure } from './failures.ts';
export {
  isSimilarRelease,
  openLastPlayed,
  type PlayedRelease,
  preferredCandidate,
} from './last-played.ts';
export {
  type NewPack,
  openPackStore,
  type PersistedPack,
  packAsRelease,
  packKey,
} from './pack-store.ts';
export { filmKey, isReleaseOf, ResumeKey, resumeKey } from './resume-key.ts';
export {
  type LastResumePoint,
  MIN_RESUME_SECONDS,
  openResumePoints,
} from './resume-points.ts';
export { openThroughputStore } from './throughput.ts';
