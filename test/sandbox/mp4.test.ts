import { describe, expect, it } from 'vitest';
import { mp4Clip } from '../../sandbox/index.ts';
import { box, boxes, content, samples } from './support/boxes.ts';

const GIB = 1024 ** 3;

describe.each([
  { index: 'front', seconds: 20, size: 20_000_003 },
  { index: 'tail', seconds: 20, size: 20_000_003 },
  { index: 'front', seconds: 120, size: 5 * GIB + 1 },
  { index: 'tail', seconds: 120, size: 5 * GIB + 1 },
  { index: 'tail', seconds: 60, size: 4 * GIB },
  { index: 'tail', seconds: 60, size: 4 * GIB - 1 },
] as const)('an MP4 clip of $size bytes with its index at the $index', ({ index, seconds, size }) => {
  const clip = mp4Clip({ name: 'Sintel.2010.mp4', seconds, size, index });
  const mdat = box(clip, 'mdat');

  it('consists of three boxes that end with the file', () => {
    const order = index === 'front' ? ['ftyp', 'moov', 'mdat'] : ['ftyp', 'mdat', 'moov'];
    expect(boxes(clip).map((each) => each.type)).toEqual(order);
    expect(boxes(clip).at(-1)?.end).toBe(size);
  });

  it('tells its duration', () => {
    const mvhd = content(clip, box(clip, 'moov/mvhd'));
    expect(mvhd.readUInt32BE(16) / mvhd.readUInt32BE(12)).toBe(seconds);
  });

  it('has all its samples within the media box, without overlap', () => {
    const all = [...samples(clip, 0), ...samples(clip, 1)].toSorted((a, b) => a.offset - b.offset);
    let last = mdat.data;
    for (const { offset, size: length } of all) {
      expect(offset).toBeGreaterThanOrEqual(last);
      last = offset + length;
    }
    expect(last).toBeLessThanOrEqual(mdat.end);
  });

  it('has pictures that are chains of NAL units, and as many as its duration wants', () => {
    const pictures = samples(clip, 0);
    expect(pictures).toHaveLength(seconds * 24);
    for (const { offset, size: length } of pictures.slice(-48)) {
      const bytes = Buffer.from(clip.read(offset, offset + length));
      let at = 0;
      while (at < bytes.length) at += 4 + bytes.readUInt32BE(at);
      expect(at).toBe(bytes.length);
    }
  });

  it('has 64-bit offsets exactly where 32 bits do not suffice', () => {
    const table = box(clip, 'moov/trak/mdia/minf/stbl');
    const types = boxes(clip, table.data, table.end).map((each) => each.type);
    expect(types.includes('co64')).toBe(size > 2 ** 32 - 1);
  });
});

it('refuses a size that the pictures do not fit in', () => {
  expect(() => mp4Clip({ name: 'Spring.mp4', seconds: 60, size: 100_000, index: 'tail' })).toThrow(
    RangeError,
  );
});
