/** How much of a film is kept in memory, and where: data. All in bytes unless said otherwise. */
export interface AheadPolicy {
  /** For all sessions together. */
  readonly memory: number;
  /** For one session: what is ahead of its player, behind it, and the index region. */
  readonly buffer: number;
  /** Kept behind the player, for small seeks back. */
  readonly behind: number;
  /** Kept at the file's end, where Matroska has its cues and many an MP4 its index. */
  readonly index: number;
  /** A connection this far before a wanted byte may read on to it, when it comes there in so many milliseconds. */
  readonly skip: number;
  readonly skipTime: number;
  /** Read ahead for a request that is not the newest one. */
  readonly beside: number;
  /** Fetched before the player asks: at the file's start, and of the index region. */
  readonly warmHead: number;
  readonly warmIndex: number;
  /** Milliseconds that a player may take nothing until another request of its counts as the one that plays. */
  readonly patienceWithPlayer: number;
  /** Milliseconds that a request yields to a newer one: Kodi leaves the old one open when it seeks. */
  readonly yields: number;
  /**
   * Milliseconds after a read ahead has failed until it is tried again, when no player waits for it; doubled each time
   * up to the longest, as long as no byte comes: a film may be paused all night.
   */
  readonly rest: number;
  readonly longestRest: number;
}

const MIB = 1024 * 1024;

/**
 * Kodi reads about 20 MB ahead by itself, so that ours need only bridge what its buffer cannot: a server that comes
 * back, a hole that is looked into. 26 MiB ahead are 2 s of the densest film and 20 s of a usual one.
 */
export const AHEAD_POLICY: AheadPolicy = {
  memory: 64 * MIB,
  buffer: 32 * MIB,
  behind: 2 * MIB,
  index: 4 * MIB,
  skip: MIB,
  skipTime: 100,
  beside: MIB,
  warmHead: 2 * MIB,
  warmIndex: MIB / 2,
  patienceWithPlayer: 1_500,
  yields: 1_000,
  rest: 5_000,
  longestRest: 300_000,
};

/** Bytes that are read ahead of the player. */
export const bytesAhead = ({ buffer, behind, index }: AheadPolicy): number => buffer - behind - index;
