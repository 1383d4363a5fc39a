import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Quality, UNKNOWN_QUALITY } from '../model/index.ts';
import type { ReleaseNameParser } from '../release/index.ts';

/** Reads names in slices, so that ten thousand of one source hold up neither the timers nor the answers of the others. */
export interface Names {
  /** Reads each of them, once in all. Rejects with the signal's reason when it aborts. */
  read(names: readonly string[], signal: AbortSignal): Promise<void>;
  /** What a name tells that has been read; any other tells nothing. */
  readonly qualityOf: (name: string) => Quality;
}

/** Milliseconds between two looks at what else there is to do. */
const SLICE = 8;

/** Starts to load and warm the parser, while the sources think. */
export function openNames(load: () => Promise<ReleaseNameParser>): Names {
  const warmed = loadAndWarm(load);
  // Whoever reads a name is told.
  warmed.catch(() => undefined);
  const known = new Map<string, Quality>();
  const readSlice = (names: string[], parse: ReleaseNameParser) => {
    const end = performance.now() + SLICE;
    while (performance.now() < end) {
      const name = names.pop();
      if (name === undefined) break;
      known.set(name, parse(name));
    }
  };
  return {
    qualityOf: (name) => known.get(name) ?? UNKNOWN_QUALITY,
    read: async (names, signal) => {
      const parse = await warmed;
      const left = [...new Set(names)].filter((name) => !known.has(name));
      while (left.length > 0) {
        signal.throwIfAborted();
        readSlice(left, parse);
        await nextTurn();
      }
    },
  };
}

/** Of open films. The first names of a process take the longest: patterns are compiled when they are first used. */
const WARMING = [
  'Big.Buck.Bunny.2008.2160p.UHD.BluRay.REMUX.DV.HDR10.TrueHD.7.1.Atmos.HEVC-INV',
  'Caminandes.S01E02.Gran.Dillama.1080p.WEB-DL.DDP5.1.H.264-INV',
  '[INV] Caminandes - 03 (1080p) [0123ABCD].mkv',
];

async function loadAndWarm(load: () => Promise<ReleaseNameParser>): Promise<ReleaseNameParser> {
  // The first queries leave before the loading holds them up.
  await nextTurn();
  const parse = await load();
  for (const name of WARMING) {
    await nextTurn();
    parse(name);
  }
  return parse;
}
