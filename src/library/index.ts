export { type BrokenReleases, openBrokenReleases as openBroken } from './broken-releases.ts';
export { existingJobFinder } from './existing-jobs.ts';
export { openFailures, type StoredFailure as KeptFailure, storeFailure as keepFailure } from './failures.ts';
export {
  isSimilarRelease as isAlike,
  openLastPlayed as lastPlayed,
  type PlayedRelease,
  preferredCandidate as preferredNext,
} from './last-played.ts';
export {
  type NewPack as PackToRemember,
  openPackStore as packMemory,
  type PersistedPack as RememberedPack,
  packAsRelease as asRelease,
  packKey,
} from './pack-store.ts';
export { filmKey, isReleaseOf, ResumeKey, resumeKey } from './resume-key.ts';
export {
  type LastResumePoint as LeftFilm,
  MIN_RESUME_SECONDS as KEPT_FROM,
  openResumePoints as resumePoints,
} from './resume-points.ts';
