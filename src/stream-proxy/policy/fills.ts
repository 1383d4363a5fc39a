/** When lost bytes may be replaced, and how they are looked for: data. All in bytes unless said otherwise. */
export interface FillPolicy {
  /** The longest hole, all holes of a session together, and as a share of its file. */
  readonly hole: number;
  readonly total: number;
  readonly share: number;
  /** Holes of a session. */
  readonly count: number;
  /** Where a readable byte is looked for behind a lost one; the last step is repeated. */
  readonly steps: readonly number[];
  /** Milliseconds for one look. */
  readonly look: number;
  /** Looks at a time. */
  readonly looksAtOnce: number;
  /** Milliseconds for all of it. */
  readonly patience: number;
  /** Milliseconds until a place that could not be filled is looked into again. */
  readonly rest: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * A usenet article holds 500 to 750 KB of a file, rarely less than 400. Steps below that cannot jump over a readable
 * one between two lost ones. More than 2 % is no damage but another film.
 */
export const FILL_POLICY: FillPolicy = {
  hole: 16 * MIB,
  total: 64 * MIB,
  share: 0.02,
  count: 64,
  steps: [64 * KIB, 128 * KIB, 128 * KIB, 320 * KIB],
  look: 5_000,
  looksAtOnce: 3,
  patience: 30_000,
  rest: 30_000,
};

export interface FilledSoFar {
  readonly bytes: number;
  readonly count: number;
}

/** How long a hole may be that begins now; 0: none may. Pure. */
export function holeAllowed(policy: FillPolicy, filled: FilledSoFar, size: number): number {
  if (filled.count >= policy.count) return 0;
  const left = Math.min(policy.total, Math.floor(size * policy.share)) - filled.bytes;
  return Math.max(0, Math.min(policy.hole, left));
}
