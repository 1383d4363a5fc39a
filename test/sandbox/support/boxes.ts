import type { Clip } from '../../../sandbox/index.ts';

/** A reader of MP4 for the tests, written after ISO/IEC 14496-12 and sharing nothing with the sandbox's writer. */
export interface Box {
  readonly type: string;
  /** Offset of the content. */
  readonly data: number;
  readonly end: number;
}

export function boxes(clip: Clip, from = 0, to = clip.size): Box[] {
  const found: Box[] = [];
  for (let at = from; at < to; at = found.at(-1)!.end) {
    const head = Buffer.from(clip.read(at, Math.min(at + 16, clip.size)));
    const size = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    const wide = size === 1;
    const length = wide ? Number(head.readBigUInt64BE(8)) : size;
    found.push({ type, data: at + (wide ? 16 : 8), end: at + length });
  }
  return found;
}

/** The box at a path such as "moov/trak/mdia"; where several fit, the nth. */
export function box(clip: Clip, path: string, nth = 0): Box {
  let inside: Box = { type: '', data: 0, end: clip.size };
  for (const type of path.split('/')) {
    const fitting = boxes(clip, inside.data, inside.end).filter((each) => each.type === type);
    inside = (fitting.length > 1 ? fitting[nth] : fitting[0])!;
  }
  return inside;
}

export function content(clip: Clip, { data, end }: Box): Buffer {
  return Buffer.from(clip.read(data, end));
}

export interface Sample {
  readonly offset: number;
  readonly size: number;
}

/** Every sample of a track, in order, out of stsz, stsc and stco or co64. */
export function samples(clip: Clip, track: number): Sample[] {
  const table = box(clip, 'moov/trak/mdia/minf/stbl', track);
  const inner = (type: string) => boxes(clip, table.data, table.end).find((each) => each.type === type);
  const sizes = numbers(content(clip, inner('stsz')!), 8, 4);
  const runs = numbers(content(clip, inner('stsc')!), 4, 4);
  const wide = inner('co64');
  const offsets =
    wide === undefined ? numbers(content(clip, inner('stco')!), 4, 4) : numbers(content(clip, wide), 4, 8);
  const found: Sample[] = [];
  for (const [chunk, start] of offsets.entries()) {
    let run = 0;
    while (runs[run + 3] !== undefined && runs[run + 3]! <= chunk + 1) run += 3;
    for (let n = 0, at = start; n < runs[run + 1]!; n++) {
      const size = sizes[found.length]!;
      found.push({ offset: at, size });
      at += size;
    }
  }
  return found;
}

/** A table whose count of rows stands before it; returns all numbers of all rows. */
function numbers(bytes: Buffer, countAt: number, width: 4 | 8): number[] {
  const found: number[] = [];
  for (let at = countAt + 4; at + width <= bytes.length; at += width)
    found.push(width === 4 ? bytes.readUInt32BE(at) : Number(bytes.readBigUInt64BE(at)));
  return found;
}
