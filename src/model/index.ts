export type { Job, JobProgress, LocalStream, Playable } from './playback.ts';
export {
  type Candidate,
  type Claims,
  type Quality,
  type Release,
  RESOLUTIONS,
  type Resolution,
} from './release.ts';
export type { EpisodeNumber, MediaIds, MediaRequest } from './request.ts';
