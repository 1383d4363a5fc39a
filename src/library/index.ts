export { type AlreadyThere, alreadyThere } from './already-there.ts';
export { type LastPlayed, lastPlayed, type PlayedRelease, preferredNext } from './last-played.ts';
export {
  asRelease,
  type PackMemory,
  type PackToRemember,
  packKey,
  packMemory,
  type RememberedPack,
} from './packs.ts';
export { ResumeKey, type ResumePoint, type ResumePoints, resumeKey, resumePoints } from './resume-points.ts';
