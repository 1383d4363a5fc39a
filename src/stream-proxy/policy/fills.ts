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
  /** Milliseconds until a place counts as lost, or a file as gone: a 404 of a moment has passed by then. */
  readonly confirm: number;
  /** Milliseconds for all of it. */
  readonly patience: number;
  /** Milliseconds until a place that could not be filled is looked into again, unless it is lost for good. */
  readonly rest: number;
  /** The usual sizes of articles, decoded, in the order in which they are tried. */
  readonly articles: readonly number[];
  /** A row of zeros of this length may stand in place of lost bytes, at servers that fill. */
  readonly zeros: number;
  /** Milliseconds for which bytes that came prove that the server still serves the file. */
  readonly fresh: number;
  /** Milliseconds between two looks at a place that is late, or at a server that has trouble. */
  readonly again: number;
  /** Milliseconds of a server's trouble until it is told, and until it is waited for no longer. */
  readonly told: number;
  readonly troubled: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * A usenet article holds 500 to 750 KB of a file, rarely less than 400. Steps below that cannot jump over a readable
 * one between two lost ones, but for the short last one of a volume (holes/reach.ts). More than 2 % is no damage but
 * another film.
 */
export const FILL_POLICY: FillPolicy = {
  hole: 16 * MIB,
  total: 64 * MIB,
  share: 0.02,
  count: 64,
  steps: [64 * KIB, 128 * KIB, 128 * KIB, 320 * KIB],
  look: 5_000,
  looksAtOnce: 3,
  confirm: 750,
  patience: 30_000,
  rest: 30_000,
  articles: [716_800, 768_000, 640_000, 512_000, 384_000],
  zeros: 64 * KIB,
  fresh: 5_000,
  again: 1_000,
  told: 5_000,
  troubled: 30_000,
};

/**
 * The sizes of articles to be tried: with a hint, which is encoded or decoded, the usual one nearest below it. An NZB
 * that tells less than any usual size is a post of another kind. Pure.
 *
 * @param encoded Bytes of most articles as the NZB gives them; undefined when nobody knows.
 */
export function articleSizes({ articles }: FillPolicy, encoded: number | undefined): readonly number[] {
  if (encoded === undefined) return articles;
  const below = articles.filter((size) => size <= encoded);
  return below.length === 0 ? articles : [Math.max(...below)];
}

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
