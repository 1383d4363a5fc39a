export { existingJobFinder } from './already-there.ts';
export { type BrokenReleases, openBroken } from './broken.ts';
export { type KeptFailure, keepFailure, openFailures } from './failures.ts';
export { isAlike, lastPlayed, type PlayedRelease, preferredNext } from './last-played.ts';
export { asRelease, type PackToRemember, packKey, packMemory, type RememberedPack } from './packs.ts';
export { filmKey, isReleaseOf, ResumeKey, resumeKey } from './resume-key.ts';
export { KEPT_FROM, type LeftFilm, resumePoints } from './resume-points.ts';
