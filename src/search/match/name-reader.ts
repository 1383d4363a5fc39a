import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Quality, UNKNOWN_QUALITY } from '../../model/index.ts';
import type { ReleaseNameParser } from '../../release/index.ts';

/** Reads names in slices, so that ten thousand of one source hold up neither the timers nor the answers of the others. */
export interface NameReader {
  /** Loads the parser, while the sources think; reading does so at the latest. */
  readonly preload: () => void;
  /** Reads each of them, once in all. Rejects with the signal's reason when it aborts. */
  read(names: readonly string[], signal: AbortSignal): Promise<void>;
  /** What a name tells that has been read; any other tells nothing. */
  readonly qualityOf: (name: string) => Quality;
}

/** Milliseconds between two looks at what else there is to do. */
const SLICE_MS = 8;

export function openNameReader(load: () => Promise<ReleaseNameParser>): NameReader {
  let loading: Promise<ReleaseNameParser> | undefined;
  const parser = () => (loading ??= loadAndWarm(load));
  const qualities = new Map<string, Quality>();
  const readSlice = (names: string[], parse: ReleaseNameParser) => {
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) {
      const name = names.pop();
      if (name === undefined) break;
      qualities.set(name, parse(name));
    }
  };
  return {
    preload: () => {
      // Whoever reads a name is told of its failure.
      parser().catch(() => undefined);
    },
    qualityOf: (name) => qualities.get(name) ?? UNKNOWN_QUALITY,
    read: async (names, signal) => {
      const parse = await parser();
      const unread = [...new Set(names)].filter((name) => !qualities.has(name));
      while (unread.length > 0) {
        signal.throwIfAborted();
        readSlice(unread, parse);
        await nextTurn();
      }
    },
  };
}

/** Of open films. The first names of a process take the longest: patterns are compiled when they are first used. */
const WARM_UP_NAMES = [
  'Big.Buck.Bunny.2008.2160p.UHD.BluRay.REMUX.DV.HDR10.TrueHD.7.1.Atmos.HEVC-INV',
  'Caminandes.S01E02.Gran.Dillama.1080p.WEB-DL.DDP5.1.H.264-INV',
  '[INV] Caminandes - 03 (1080p) [0123ABCD].mkv',
];

async function loadAndWarm(load: () => Promise<ReleaseNameParser>): Promise<ReleaseNameParser> {
  // What was begun in this turn, such as a query, leaves before the loading holds it up.
  await nextTurn();
  const parse = await load();
  for (const name of WARM_UP_NAMES) {
    await nextTurn();
    parse(name);
  }
  return parse;
}
