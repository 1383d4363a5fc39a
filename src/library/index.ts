export { alreadyThere } from './already-there.ts';
export { lastPlayed, type PlayedRelease, preferredNext } from './last-played.ts';
export { asRelease, type PackToRemember, packKey, packMemory, type RememberedPack } from './packs.ts';
export { ResumeKey, resumeKey, resumePoints } from './resume-points.ts';
