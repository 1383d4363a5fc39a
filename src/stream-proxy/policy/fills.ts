/** When lost bytes may be replaced, and how they are looked for: data. All in bytes unless said otherwise. */
export interface FillPolicy {
  /** The longest hole, all holes of a session together, and as a share of its file. */
  readonly maxHole: number;
  readonly maxTotal: number;
  readonly maxShare: number;
  /** Holes of a session. */
  readonly maxHoles: number;
  /** Where a readable byte is looked for behind a lost one; the last step is repeated. */
  readonly searchSteps: readonly number[];
  /** Milliseconds for one look. */
  readonly probeTimeout: number;
  /** Looks at a time. */
  readonly maxProbes: number;
  /** Milliseconds until a place counts as lost, or a file as gone: a 404 of a moment has passed by then. */
  readonly confirmAfter: number;
  /** Milliseconds for all of it. */
  readonly totalTimeout: number;
  /** Milliseconds until a place that could not be filled is looked into again, unless it is lost for good. */
  readonly cooldown: number;
  /** The usual sizes of articles, decoded, in the order in which they are tried. */
  readonly articleSizes: readonly number[];
  /** A row of zeros of this length may stand in place of lost bytes, at servers that fill. */
  readonly minZeroRun: number;
  /** Milliseconds for which bytes that came prove that the server still serves the file. */
  readonly freshFor: number;
  /** Milliseconds between two looks at a place that is late, or at a server that has trouble. */
  readonly recheckInterval: number;
  /** Milliseconds of a server's trouble until it is told, and until it is waited for no longer. */
  readonly reportAfter: number;
  readonly giveUpAfter: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * A usenet article holds 500 to 750 KB of a file, rarely less than 400. Steps below that cannot jump over a readable
 * one between two lost ones, but for the short last one of a volume (holes/hole-extent.ts). More than 2 % is no damage but
 * another film.
 */
export const FILL_POLICY: FillPolicy = {
  maxHole: 16 * MIB,
  maxTotal: 64 * MIB,
  maxShare: 0.02,
  maxHoles: 64,
  searchSteps: [64 * KIB, 128 * KIB, 128 * KIB, 320 * KIB],
  probeTimeout: 5_000,
  maxProbes: 3,
  confirmAfter: 750,
  totalTimeout: 30_000,
  cooldown: 30_000,
  articleSizes: [716_800, 768_000, 640_000, 512_000, 384_000],
  minZeroRun: 64 * KIB,
  freshFor: 5_000,
  recheckInterval: 1_000,
  reportAfter: 5_000,
  giveUpAfter: 30_000,
};

/**
 * The sizes of articles to be tried: with a hint, which is encoded or decoded, the usual one nearest below it. An NZB
 * that tells less than any usual size is a post of another kind. Pure.
 *
 * @param encoded Bytes of most articles as the NZB gives them; undefined when nobody knows.
 */
export function articleSizesToTry(
  { articleSizes: articles }: FillPolicy,
  encoded: number | undefined,
): readonly number[] {
  if (encoded === undefined) return articles;
  const below = articles.filter((size) => size <= encoded);
  return below.length === 0 ? articles : [Math.max(...below)];
}

export interface FillTotals {
  readonly bytes: number;
  readonly count: number;
}

/** How long a hole may be that begins now; 0: none may. Pure. */
export function maxHoleNow(policy: FillPolicy, filled: FillTotals, size: number): number {
  if (filled.count >= policy.maxHoles) return 0;
  const left = Math.min(policy.maxTotal, Math.floor(size * policy.maxShare)) - filled.bytes;
  return Math.max(0, Math.min(policy.maxHole, left));
}
