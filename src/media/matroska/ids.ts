// The elements of Matroska that matter here, by their ids (RFC 9559 §5), and which of them stand in which.

export const SEGMENT = 0x18538067;
export const INFO = 0x1549a966;
export const TRACKS = 0x1654ae6b;
export const CLUSTER = 0x1f43b675;
export const TIMESTAMP = 0xe7;
export const SIMPLE_BLOCK = 0xa3;
export const BLOCK_GROUP = 0xa0;
export const BLOCK = 0xa1;
export const CUES = 0x1c53bb6b;
export const CUE_POINT = 0xbb;
/** May stand everywhere (RFC 8794 §11.3). */
export const VOID = 0xec;
const CRC_32 = 0xbf;

export const SEEK_HEAD = 0x114d9b74;
export const SEEK = 0x4dbb;
export const SEEK_ID = 0x53ab;
export const SEEK_POSITION = 0x53ac;
const CHAPTERS = 0x1043a770;
const TAGS = 0x1254c367;
const ATTACHMENTS = 0x1941a469;

const TOP_LEVEL: ReadonlySet<number> = new Set([
  ...[SEEK_HEAD, INFO, TRACKS, CHAPTERS, CLUSTER, CUES, ATTACHMENTS, TAGS],
]);

/** Beside those above: Position, PrevSize, and the obsolete SilentTracks and EncryptedBlock. */
const IN_CLUSTER: ReadonlySet<number> = new Set([
  TIMESTAMP,
  SIMPLE_BLOCK,
  BLOCK_GROUP,
  0xa7,
  0xab,
  0x5854,
  0xaf,
]);

/** Beside the top level: Seek, BlockAdditions, BlockMore, CueTrackPositions, CueReference, the parts of Chapters, Tags. */
const MASTERS: ReadonlySet<number> = new Set([
  ...[...TOP_LEVEL, SEGMENT, BLOCK_GROUP, CUE_POINT],
  ...[SEEK, 0x75a1, 0xa6, 0xb7, 0xdb, 0x61a7, 0x45b9, 0xb6, 0x8f, 0x80, 0x7373, 0x63c0, 0x67c8],
]);

/** Whether it is a child of the Segment, which also ends a Cluster of unknown size (RFC 8794 §6.2). */
export const isTopLevel = (id: number) => TOP_LEVEL.has(id);

/** The id of the one child of the Segment that begins with the given bytes. */
export function topLevelId(start: Buffer): Buffer | undefined {
  const ids = [...TOP_LEVEL].map((id) => Buffer.from(id.toString(16), 'hex'));
  return ids.find((id) => id.subarray(0, start.length).equals(start));
}

/** Whether it holds elements. Ids of which nothing is known hold bytes. */
export const isMaster = (id: number) => MASTERS.has(id);

export const isBlock = (id: number) => id === SIMPLE_BLOCK || id === BLOCK;

/** Whether an element may stand in another; outside of the Segment and its Clusters any may. */
export function belongs(id: number, parent: number): boolean {
  if (id === VOID || id === CRC_32) return true;
  if (parent === SEGMENT) return isTopLevel(id);
  return parent === CLUSTER ? IN_CLUSTER.has(id) : !isTopLevel(id);
}
