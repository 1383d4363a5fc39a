export { haveSameIds, ID_KINDS, type IdKind } from './ids.ts';
export { indexerLabel } from './indexer.ts';
export type {
  Job,
  JobProgress,
  LocalStream,
  OpenFile,
  Opening,
  Playable,
  RemoteFile,
  Serving,
  SubtitleFile,
} from './playback.ts';
export {
  AUDIO_FORMATS,
  type AudioFormat,
  CODECS,
  type Codec,
  HDR_FORMATS,
  type HdrFormat,
  type Quality,
  RELEASE_SOURCES,
  RESOLUTIONS,
  type ReleaseSource as Source,
  type Resolution,
  UNKNOWN_QUALITY,
} from './quality.ts';
export type { Candidate, Claims, DirectService, IndexerManager, Link, Posting, Release } from './release.ts';
export type { EpisodeNumber, MediaIds, MediaRequest } from './request.ts';
