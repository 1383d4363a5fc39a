/** How much of a film is kept in memory, and where: data. All in bytes unless said otherwise. */
export interface AheadPolicy {
  /** For all sessions together. */
  readonly memory: number;
  /** For one session: what is ahead of its player, behind it, and the index region. */
  readonly buffer: number;
  /** Kept behind the player, for small seeks back: while it takes all that comes. */
  readonly behind: number;
  /** The same as a share of the buffer, once the player takes no more than it plays. */
  readonly behindShare: number;
  /** Milliseconds without a wait and with a full buffer until that is so. */
  readonly steadyAfter: number;
  /** Milliseconds from a player's look into the index until it asks for the place that it seeks to: Kodi on a slow box. */
  readonly seekTakes: number;
  /** Seconds of the player's own rate that are read ahead while another film is being opened. */
  readonly restrained: number;
  /** Kept at the file's end, where Matroska has its cues and many an MP4 its index. */
  readonly index: number;
  /** A connection this far before a wanted byte may read on to it, when it comes there in so many milliseconds. */
  readonly skip: number;
  readonly skipTime: number;
  /** Read ahead for a request that is not the newest one. */
  readonly beside: number;
  /** Read before the player asks, at the file's start. */
  readonly unasked: number;
  /** Fetched of the file's end as its index, at the least: Kodi's file cache never seeks closer to the end than that. */
  readonly indexLeast: number;
  /** Taken by the player until what is dear at the server may be looked at. */
  readonly settled: number;
  /** Milliseconds that a player may take nothing until another request of its counts as the one that plays. */
  readonly patienceWithPlayer: number;
  /** Milliseconds that the reading that plays yields to a look into the file's end that brings nothing. */
  readonly yields: number;
  /** Milliseconds that an older request waits beside a newer one that is being served, until it gets a turn. */
  readonly turn: number;
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
  behindShare: 0.75,
  steadyAfter: 5_000,
  seekTakes: 6_000,
  restrained: 10,
  index: 4 * MIB,
  skip: MIB,
  skipTime: 100,
  beside: MIB,
  unasked: 32 * MIB,
  indexLeast: MIB / 8,
  settled: 8_000_000,
  patienceWithPlayer: 1_500,
  yields: 1_000,
  turn: 4_000,
  rest: 5_000,
  longestRest: 300_000,
};

/** Bytes that are read ahead of a player behind which so many are kept. */
export const bytesAhead = ({ buffer, index, behind }: AheadPolicy, kept = behind): number =>
  Math.max(BLOCK, buffer - kept - index);

/** Bytes that are kept behind a player that takes no more than it plays, at the most. */
export const mostBehind = ({ buffer, index, behind, behindShare }: AheadPolicy): number =>
  Math.max(behind, Math.min(Math.floor(buffer * behindShare), buffer - index - LEAST_AHEAD));

/** The least that is read ahead, and the same beside what is kept behind: a lane goes on only for more than a block. */
const BLOCK = MIB;
const LEAST_AHEAD = 4 * MIB;
