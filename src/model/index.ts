export type { Job, JobProgress, LocalStream, Playable } from './playback.ts';
export {
  type Candidate,
  type Claims,
  type Quality,
  RESOLUTIONS,
  type Release,
  type Resolution,
} from './release.ts';
export type { EpisodeNumber, MediaIds, MediaRequest } from './request.ts';
