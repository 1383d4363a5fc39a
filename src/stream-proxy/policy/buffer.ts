/** How much of a film is kept in memory, and where: data. All in bytes unless said otherwise. */
export interface BufferPolicy {
  /** For all sessions together. */
  readonly totalMemory: number;
  /** For one session: what is ahead of its player, behind it, and the index region. */
  readonly sessionMemory: number;
  /** Kept behind the player, for small seeks back: while it takes all that comes. */
  readonly backBuffer: number;
  /** The same as a share of the buffer, once the player takes no more than it plays. */
  readonly backBufferShare: number;
  /** Milliseconds without a wait and with a full buffer until that is so. */
  readonly steadyAfter: number;
  /** Milliseconds from a player's look into the index until it asks for the place that it seeks to: Kodi on a slow box. */
  readonly maxSeekDelay: number;
  /** Seconds of the player's own rate that are read ahead while another film is being opened. */
  readonly throttledSeconds: number;
  /** Kept at the file's end, where Matroska has its cues and many an MP4 its index. */
  readonly indexBytes: number;
  /** A connection this far before a wanted byte may read on to it, when it comes there in so many milliseconds. */
  readonly skipBytes: number;
  readonly skipTime: number;
  /** Read ahead for a request that is not the newest one. */
  readonly secondaryReadAhead: number;
  /** Read before the player asks, at the file's start. */
  readonly prefetchBytes: number;
  /** Fetched of the file's end as its index, at the least: Kodi's file cache never seeks closer to the end than that. */
  readonly minIndexBytes: number;
  /** Taken by the player until what is dear at the server may be looked at. */
  readonly settledAfterBytes: number;
  /** Milliseconds that a player may take nothing until another request of its counts as the one that plays. */
  readonly idlePlayerTimeout: number;
  /** Milliseconds that the reading that plays yields to a look into the file's end that brings nothing. */
  readonly maxYield: number;
  /** Milliseconds that an older request waits beside a newer one that is being served, until it gets a turn. */
  readonly starvedAfter: number;
  /**
   * Milliseconds after a read ahead has failed until it is tried again, when no player waits for it; doubled each time
   * up to the longest, as long as no byte comes: a film may be paused all night.
   */
  readonly cooldown: number;
  readonly maxCooldown: number;
}

const MIB = 1024 * 1024;

/**
 * Kodi reads about 20 MB ahead by itself, so that ours need only bridge what its buffer cannot: a server that comes
 * back, a hole that is looked into. 26 MiB ahead are 2 s of the densest film and 20 s of a usual one.
 */
export const BUFFER_POLICY: BufferPolicy = {
  totalMemory: 64 * MIB,
  sessionMemory: 32 * MIB,
  backBuffer: 2 * MIB,
  backBufferShare: 0.75,
  steadyAfter: 5_000,
  maxSeekDelay: 6_000,
  throttledSeconds: 10,
  indexBytes: 4 * MIB,
  skipBytes: MIB,
  skipTime: 100,
  secondaryReadAhead: MIB,
  prefetchBytes: 32 * MIB,
  minIndexBytes: MIB / 8,
  settledAfterBytes: 8_000_000,
  idlePlayerTimeout: 1_500,
  maxYield: 1_000,
  starvedAfter: 4_000,
  cooldown: 5_000,
  maxCooldown: 300_000,
};

/** Bytes that are read ahead of a player behind which so many are kept. */
export const readAheadBytes = (
  { sessionMemory: buffer, indexBytes: index, backBuffer: behind }: BufferPolicy,
  kept = behind,
): number => Math.max(BLOCK, buffer - kept - index);

/** Bytes that are kept behind a player that takes no more than it plays, at the most. */
export const maxBackBuffer = ({
  sessionMemory: buffer,
  indexBytes: index,
  backBuffer: behind,
  backBufferShare: behindShare,
}: BufferPolicy): number =>
  Math.max(behind, Math.min(Math.floor(buffer * behindShare), buffer - index - MIN_READ_AHEAD));

/** The least that is read ahead, and the same beside what is kept behind: a transfer goes on only for more than a block. */
const BLOCK = MIB;
const MIN_READ_AHEAD = 4 * MIB;
