import { describe, expect, it } from 'vitest';
import { mp4Clip } from '../../../sandbox/index.ts';
import { type File, inMemory, plan, wholeFill } from '../holes.ts';

const MP4 = 'video/mp4';
const GIB = 1024 ** 3;

const clips = [60_000_001, 5 * GIB + 3].flatMap((size) => [
  mp4Clip({ name: `${size}-front.mp4`, seconds: 90, size, index: 'front' }),
  mp4Clip({ name: `${size}-tail.mp4`, seconds: 90, size, index: 'tail' }),
]);

/** Where the media data begins and ends, as the clip's muxer says it. */
function media(file: File): { data: number; end: number } {
  const head = Buffer.from(file.read(0, 200_000));
  const at = head.indexOf('mdat') - 4;
  const short = head.readUInt32BE(at);
  const wide = short === 1;
  const size = wide ? Number(head.readBigUInt64BE(at + 8)) : short;
  return { data: at + (wide ? 16 : 8), end: at + size };
}

describe.each(clips)('a hole in $name', (clip) => {
  const { data, end } = media(clip);

  it.each([
    ['in the middle of the media', data + 10_000_000, 716_800],
    ['at the very start of the media', data, 1],
    ['up to the very end of the media', Math.min(end, clip.size - 1) - 1000, 1000],
  ])('%s is zeros', async (_name, first, length) => {
    const fill = await plan(MP4, clip, { first, last: first + length - 1 });
    if ('refused' in fill) throw new Error(fill.refused);
    expect(wholeFill(fill).every((byte) => byte === 0)).toBe(true);
    expect(fill).toMatchObject({ first, last: first + length - 1 });
  });

  it.each([
    ['in the first box', 12, 4],
    ['that takes the last byte of the header of the media', data - 1, 1000],
  ])('%s is refused', async (_name, first, length) => {
    expect(await plan(MP4, clip, { first, last: first + length - 1 })).toHaveProperty('refused');
  });
});

it.each(clips.filter(({ name }) => name.endsWith('-tail.mp4')))(
  'a hole in the index after the media of $name, or that reaches into it, is refused',
  async (clip) => {
    const { end } = media(clip);
    expect(await plan(MP4, clip, { first: end - 1000, last: end })).toHaveProperty('refused');
    expect(await plan(MP4, clip, { first: end + 100, last: end + 200 })).toHaveProperty('refused');
  },
);

describe('boxes', () => {
  const box = (type: string, size: number, length = size) => {
    const bytes = Buffer.alloc(length);
    bytes.writeUInt32BE(size);
    bytes.write(type, 4, 'latin1');
    return bytes;
  };
  const hole = { first: 1000, last: 1999 };

  it('that reach to the end of the file by a size of 0 are known', async () => {
    const file = inMemory(Buffer.concat([box('ftyp', 24), box('mdat', 0, 5000)]));
    expect(await plan(MP4, file, hole)).toHaveProperty('pattern');
  });

  it.each([
    ['smaller than their header', Buffer.concat([box('ftyp', 24), box('free', 4, 5000)])],
    ['larger than the file', box('mdat', 9000, 5000)],
    ['without a name', Buffer.alloc(5000)],
    ['without end', Buffer.concat(Array.from({ length: 700 }, () => box('free', 8)))],
  ])('%s lead nowhere', async (_name, bytes) => {
    const at = { first: bytes.length - 100, last: bytes.length - 50 };
    const reads = { count: 0, bytes: 0 };
    expect(await plan(MP4, inMemory(bytes), at, reads)).toHaveProperty('refused');
    expect(reads.count).toBeLessThanOrEqual(256);
  });
});
