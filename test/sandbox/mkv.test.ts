import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Clip, mkvClip } from '../../sandbox/index.ts';
import { children, type Ebml, elementAt, payload, unsigned } from './support/ebml.ts';

const GIB = 1024 ** 3;

describe.each([
  { seconds: 20, size: 20_000_003 },
  { seconds: 37, size: 250_000_000 },
  { seconds: 600, size: 5 * GIB + 7 },
  { seconds: 20, size: 20_000_003, filled: true },
])('a Matroska clip of $seconds s and $size bytes, filled: $filled', ({ seconds, size, filled = false }) => {
  const clip = mkvClip({ name: 'Sintel.2010.mkv', seconds, size, filled });
  const header = elementAt(clip, 0);
  const segment = elementAt(clip, header.end);
  const top = children(clip, segment);

  it('is covered by its elements from the first byte to the last', () => {
    expect(header.id).toBe(0x1a45dfa3);
    expect(segment.id).toBe(0x18538067);
    expect(segment.end).toBe(size);
    expect(top.at(-1)?.end).toBe(size);
    expect(top.at(-1)?.id).toBe(0x1c53bb6b);
  });

  it('tells its duration', () => {
    const info = only(top, 0x1549a966);
    const scale = unsigned(clip, only(children(clip, info), 0x2ad7b1));
    const duration = Buffer.from(payload(clip, only(children(clip, info), 0x4489))).readDoubleBE();
    expect((duration * scale) / 1e9).toBe(seconds);
  });

  it('has a seek head that points at what it names', () => {
    const seeks = children(clip, only(top, 0x114d9b74)).map((seek) => children(clip, seek));
    expect(seeks).toHaveLength(3);
    for (const parts of seeks) {
      const id = unsigned(clip, only(parts, 0x53ab));
      const position = unsigned(clip, only(parts, 0x53ac));
      expect(elementAt(clip, segment.data + position).id).toBe(id);
    }
  });

  it('has a cue per second, each at a cluster of that time', () => {
    const points = children(clip, only(top, 0x1c53bb6b)).map((point) => children(clip, point));
    const times = Array.from({ length: seconds }, (_, n) => n * 1000);
    expect(points.map((parts) => unsigned(clip, only(parts, 0xb3)))).toEqual(times);
    const clusters = points.map((parts) => {
      const position = unsigned(clip, only(children(clip, only(parts, 0xb7)), 0xf1));
      return elementAt(clip, segment.data + position);
    });
    expect(clusters.filter((cluster) => cluster.id !== 0x1f43b675)).toEqual([]);
    expect(clusters.map((cluster) => unsigned(clip, elementAt(clip, cluster.data)))).toEqual(times);
    expect(clusters.filter((cluster) => elementAt(clip, cluster.data).id !== 0xe7)).toEqual([]);
  });

  it('has clusters of 24 pictures, the first a key frame, with times in order', () => {
    const clusters = top.filter((element) => element.id === 0x1f43b675);
    for (const cluster of clusters.slice(0, 9)) {
      const blocks = children(clip, cluster)
        .filter((element) => element.id === 0xa3)
        .map((block) => Buffer.from(payload(clip, block)));
      const pictures = blocks.filter((block) => block[0] === 0x81);
      expect(pictures).toHaveLength(24);
      expect(pictures.map((block) => block[3] === 0x80)).toEqual([true, ...Array<boolean>(23).fill(false)]);
      const times = blocks.map((block) => block.readInt16BE(1));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.every((time) => time >= 0 && time < 1000)).toBe(true);
    }
  });
});

describe('the bytes of a clip', () => {
  it.each([false, true])('are the same however they are cut, filled: %s', (filled) => {
    const clip = mkvClip({ name: 'Spring.mkv', seconds: 9, size: 1_200_001, filled });
    const whole = clip.read(0, clip.size);
    const offset = fc.integer({ min: 0, max: clip.size });
    fc.assert(
      fc.property(offset, offset, (a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        return Buffer.compare(clip.read(start, end), whole.subarray(start, end)) === 0;
      }),
    );
  });

  it('are the same at every cut of a few bytes around a padding block', () => {
    const clip = mkvClip({ name: 'Spring.mkv', seconds: 9, size: 1_200_001 });
    const whole = clip.read(0, clip.size);
    for (let start = 126_960; start < 126_995; start++)
      for (let length = 0; length < 20; length++)
        expect(clip.read(start, start + length)).toEqual(whole.slice(start, start + length));
  });

  it('differ from file to file and from place to place', () => {
    const read = (clip: Clip, at: number) => Buffer.from(clip.read(at, at + 64 * 1024)).toString('latin1');
    const one = mkvClip({ name: 'Sintel.mkv', seconds: 10, size: 50_000_000 });
    const other = mkvClip({ name: 'Spring.mkv', seconds: 10, size: 50_000_000 });
    expect(read(one, 3_000_000)).not.toBe(read(other, 3_000_000));
    expect(read(one, 3_000_000)).not.toBe(read(one, 3_000_000 + 4096 * 100));
  });

  it('cannot be asked for beyond the end', () => {
    const clip = mkvClip({ name: 'Spring.mkv', seconds: 9, size: 1_200_001 });
    expect(() => clip.read(0, clip.size + 1)).toThrow(RangeError);
    expect(() => clip.read(-1, 5)).toThrow(RangeError);
  });

  it('cannot be fewer than the pictures need', () => {
    expect(() => mkvClip({ name: 'Spring.mkv', seconds: 60, size: 100_000 })).toThrow(RangeError);
  });
});

function only(elements: readonly Ebml[], id: number): Ebml {
  const [found, another] = elements.filter((element) => element.id === id);
  if (found === undefined || another !== undefined) throw new Error(`Not exactly one ${id.toString(16)}.`);
  return found;
}
