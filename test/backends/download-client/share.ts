import { stat } from 'node:fs/promises';
import type { HostFiles } from '../../../src/host/port.ts';
import { localFiles } from '../../../src/host/terminal/files.ts';
import { unlessAborted } from '../../../src/io/wait.ts';

/** A folder as a media centre opens it, with what may go wrong there. */
export interface Share {
  readonly files: HostFiles;
  /** Its server is away: nothing opens. */
  away: boolean;
  /** What lies there, but not before so many listings. */
  hiddenFor: number;
  /** Listings name the files, and none of them opens. */
  unreadable: boolean;
  /** Stretches of every file, as shares of its size, that cannot be read. */
  holes: { readonly from: number; readonly to: number } | undefined;
  /** The paths that were listed and read so far. */
  readonly touched: string[];
  /** How many reads have met what `misbehave` was told. */
  hits: number;
  /** Reads do not open, or hang. `times`: so many of them. */
  misbehave(how: string | number, times?: number): void;
  heal(): void;
  bytesOf(path: string): Promise<number | undefined>;
}

const HANGING: readonly (string | number)[] = ['hang', 'stall', 'lost-by-silence'];

export function sharedFolder(): Share {
  let faults: { readonly hangs: boolean; left: number }[] = [];
  const share: Share = {
    away: false,
    hiddenFor: 0,
    unreadable: false,
    holes: undefined,
    touched: [],
    hits: 0,
    files: {
      list: async (folder, signal) => {
        share.touched.push(folder);
        if (share.away || share.hiddenFor-- > 0) return undefined;
        return await localFiles.list(folder, signal);
      },
      read: async (path, range, signal) => {
        share.touched.push(path);
        const fault = faults.find(({ left }) => left > 0);
        if (fault !== undefined) {
          fault.left--;
          share.hits++;
          if (fault.hangs) return await unlessAborted(new Promise<never>(() => undefined), signal);
        }
        if (fault !== undefined || share.away || share.unreadable) return undefined;
        const bytes = await localFiles.read(path, range, signal);
        const size = (await share.bytesOf(path)) ?? 0;
        return bytes?.subarray(0, untilHole(share.holes, range, size));
      },
    },
    misbehave: (how, times = Infinity) => {
      faults.push({ hangs: HANGING.includes(how), left: times });
    },
    heal: () => {
      faults = [];
      Object.assign(share, { away: false, hiddenFor: 0, unreadable: false, holes: undefined });
    },
    bytesOf: async (path) => (await stat(path).catch(() => undefined))?.size,
  };
  return share;
}

/** How many bytes of the range come before the first that cannot be read. */
function untilHole(
  holes: Share['holes'],
  { from, length }: { readonly from: number; readonly length: number },
  size: number,
): number {
  if (holes === undefined || from + length <= holes.from * size || from >= holes.to * size) return length;
  return Math.max(0, Math.floor(holes.from * size) - from);
}
