import { describe, expect, it } from 'vitest';
import { mkvClip, mp4Clip } from '../../sandbox/clips/index.ts';
import type { Hole } from '../../src/media/fill-types.ts';
import { firstElementFinder } from '../../src/media/first-element.ts';
import { around, type File, inMemory, type Reads } from './holes.ts';
import { elementsOf } from './matroska/film.ts';
import { silentMatroska, silentMp4 } from './silent.ts';

const MKV = 'video/x-matroska';
const MP4 = 'video/mp4';

/** The file with zeros in a hole. */
const zeroed = (file: File, hole: Hole): File => ({
  size: file.size,
  read: (start, end) => {
    const bytes = Buffer.from(file.read(start, end));
    const [from, to] = [Math.max(hole.first, start), Math.min(hole.last + 1, end)];
    if (from < to) bytes.fill(0, from - start, to - start);
    return bytes;
  },
});

const begin = async (mime: string, file: File, run: Hole, reads?: Reads) => {
  const of = firstElementFinder(mime);
  if (of === undefined) throw new Error(mime);
  return of(run, around(file, [], reads), new AbortController().signal);
};

/** Every row of zeros of at least so many bytes. */
function rowsOf(bytes: Buffer, least: number): Hole[] {
  const rows: Hole[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const first = at;
    while (at < bytes.length && bytes[at] === 0) at++;
    if (at - first >= least) rows.push({ first, last: at - 1 });
  }
  return rows;
}

it.each([
  [MKV, silentMatroska()],
  [MP4, silentMp4()],
])('silence that nothing compresses begins nothing: %s', async (mime, bytes) => {
  const rows = rowsOf(bytes, 65_536);
  expect(rows.length).toBeGreaterThanOrEqual(10);
  for (const row of rows) expect(await begin(mime, inMemory(bytes), row)).toBeUndefined();
});

describe('in Matroska, the first element that must begin in a row of zeros is found', () => {
  const film = mkvClip({ name: 'Sintel.mkv', seconds: 40, size: 40_000_000 });
  const bytes = Buffer.from(film.read(0, 3_000_000));

  it('wherever the row begins', async () => {
    const nodes = elementsOf(Buffer.from(film.read(0, film.size))).filter(({ start }) => start > 1_100_000);
    for (const offset of [0, 1, 5, 8, 30, 5_000]) {
      const node = nodes.find(({ start, end }) => end - start > 6_000) ?? nodes[0];
      if (node === undefined) throw new Error('no element');
      const run = { first: node.start + offset, last: node.start + offset + 1_500_000 };
      const at = await begin(MKV, zeroed(film, run), run);
      expect(at).toBeGreaterThanOrEqual(run.first);
      expect(at).toBeLessThanOrEqual(node.end);
    }
  });

  it('and none in a row inside of one element, though its size ends in zeros', async () => {
    const void64k = Buffer.concat([Buffer.from('ec0800000000010000', 'hex'), Buffer.alloc(65_536)]);
    void64k[1] = 0x01;
    const head = bytes.subarray(0, bytes.indexOf(Buffer.from('1f43b675', 'hex')));
    const file = Buffer.concat([head, void64k, bytes.subarray(head.length)]);
    const [row] = rowsOf(file, 65_536);
    expect(row?.first).toBe(head.length + 7);
    expect(await begin(MKV, inMemory(file), row ?? { first: 0, last: 0 })).toBeUndefined();
  });
});

describe('in MP4, a row of zeros is no sample', () => {
  const film = silentMp4();
  const media = film.indexOf('mdat') + 4;
  const second = 222_000;

  it('where it covers the start of a picture', async () => {
    const run = { first: media + 100_000, last: media + second + 70_000 };
    expect(await begin(MP4, zeroed(inMemory(film), run), run)).toBe(media + second);
  });

  it('and may be the silence up to it', async () => {
    const run = { first: media + 100_000, last: media + second - 1 };
    expect(await begin(MP4, zeroed(inMemory(film), run), run)).toBeUndefined();
  });

  it('where it covers a sample inside of a chunk', async () => {
    const size = 60_000_000;
    const clip = mp4Clip({ name: 'Sintel.mp4', seconds: 20, size, index: 'front' });
    const head = Buffer.from(clip.read(0, 100_000));
    const chunk = head.indexOf('mdat') + 4;
    const run = { first: chunk + 10, last: chunk + 70_000 };
    const at = await begin(MP4, zeroed(clip, run), run);
    expect(at).toBeGreaterThan(run.first);
    expect(at).toBeLessThan(run.last);
  });

  it.each(['front', 'tail'] as const)('and no box: index at the %s', async (index) => {
    const clip = mp4Clip({ name: 'Sintel.mp4', seconds: 4000, size: 200_000_000, index });
    const all = Buffer.from(clip.read(0, clip.size));
    const moov = all.indexOf('moov') - 4;
    const run = { first: moov + 20_000, last: moov + 120_000 };
    expect(await begin(MP4, zeroed(clip, run), run)).toBeGreaterThanOrEqual(run.first);
    if (index === 'front') return;
    const before = { first: moov - 100_000, last: moov + 1_000 };
    // Without the index nothing speaks for the zeros before it.
    expect(await begin(MP4, zeroed(clip, before), before)).toBe(before.first);
  });

  it('and the tables of a long film are read piece by piece', async () => {
    const clip = mp4Clip({ name: 'Sintel.mp4', seconds: 9000, size: 4_000_000_000, index: 'tail' });
    const reads = { count: 0, bytes: 0 };
    const run = { first: 2_000_000_000, last: 2_000_700_000 };
    expect(await begin(MP4, zeroed(clip, run), run, reads)).toBeTypeOf('number');
    expect(reads.bytes).toBeLessThan(16_000_000);
    expect(reads.bytes / reads.count).toBeLessThanOrEqual(65_536);
  });
});
