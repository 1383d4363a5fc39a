export { alreadyThere } from './already-there.ts';
export { type BrokenReleases, openBroken } from './broken.ts';
export { isAlike, lastPlayed, type PlayedRelease, preferredNext } from './last-played.ts';
export { asRelease, type PackToRemember, packKey, packMemory, type RememberedPack } from './packs.ts';
export { ResumeKey, resumeKey, resumePoints } from './resume-points.ts';
