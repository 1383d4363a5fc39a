import { createCipheriv } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isVideo } from '../../src/job-files/files.ts';
import { hasSyncs, VIDEO_EXTENSIONS } from '../../src/media/mime.ts';
import { beginsAsVideo } from '../../src/media/video-start.ts';
import { HEAD, HEADS, noise } from './heads.ts';

describe('a video', () => {
  const heads = VIDEO_EXTENSIONS.flatMap((ending) =>
    Object.entries(HEADS[ending]).map(([kind, head]) => [ending, kind, head] as const),
  );

  it.each(VIDEO_EXTENSIONS)('has an ending of which we know how it begins: %s', (ending) => {
    expect(isVideo({ path: [`Sintel.${ending}`] })).toBe(true);
    expect(Object.keys(HEADS[ending]).length).toBeGreaterThan(0);
  });
  it.each(heads)('begins as one: %s, %s', (_ending, _kind, head) => {
    expect(head).toHaveLength(HEAD);
    expect(beginsAsVideo(head)).toBe(true);
  });
  it('may be an image of a disc', () => {
    const image = noise(7);
    image.fill(0, 0, 32_768);
    image.set(Buffer.from('\x01CD001\x01', 'latin1'), 32_768);
    expect(beginsAsVideo(image)).toBe(true);
  });
  it('is what is too short to tell', () => {
    expect(beginsAsVideo(Uint8Array.of(7))).toBe(true);
    expect(beginsAsVideo(new Uint8Array())).toBe(true);
  });
});

describe('no video', () => {
  it('is noise, whatever it is', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const head = noise(seed);
        // One in 29,000 has three syncs in their distance by accident.
        fc.pre(!hasAccidentalSyncs(head));
        expect(beginsAsVideo(head)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it.each(VIDEO_EXTENSIONS)('is an encrypted one: %s', (ending) => {
    for (const head of Object.values(HEADS[ending])) {
      const cipher = createCipheriv('aes-256-cbc', Buffer.alloc(32, ending), Buffer.alloc(16, 'sandbox'));
      expect(beginsAsVideo(cipher.update(head))).toBe(false);
    }
  });

  it.each(VIDEO_EXTENSIONS)('is one whose first bytes are lost, with zeros in their place: %s', (ending) => {
    expect(beginsAsVideo(new Uint8Array(HEAD))).toBe(false);
    for (const head of Object.values(HEADS[ending])) {
      const lost = head.map((byte, at) => (at < 65_000 ? 0 : byte));
      expect(beginsAsVideo(lost)).toBe(false);
    }
  });

  it.each([
    ['text', Buffer.from('This release was packed with care. '.repeat(2000))],
    ['one start code', withBytes([0, 0, 1, 0xba], 500)],
    ['boxes further on', withBytes([0, 0, 0, 8, ...Buffer.from('moov')], 1)],
    ['two syncs', withBytes([0x47], 0, 188)],
    ['a box too small to be one', withBytes([0, 0, 0, 4, ...Buffer.from('free')], 0)],
    ['zeros and then a film', Buffer.concat([new Uint8Array(200), HEADS.mpg['raw video']!])],
  ])('is %s', (_what, head) => {
    expect(beginsAsVideo(head)).toBe(false);
  });

  it('is taken for one by accident once in 29,000 times, for three syncs in their distance', () => {
    const bytes = noise(29, 4_000_000);
    const length = 3 * 204;
    let taken = 0;
    for (let at = 0; at + length <= bytes.length; at += 24)
      if (hasAccidentalSyncs(bytes.subarray(at, at + length))) taken++;
    expect(taken).toBeLessThan((4_000_000 / 24 / 29_000) * 4);
  });
});

const hasAccidentalSyncs = (head: Uint8Array): boolean =>
  [188, 192, 204].some((packet) => hasSyncs(head, { packet, count: 3, within: packet }));

/** Noise with these bytes there, once or at such distances from it. */
function withBytes(bytes: readonly number[], ...places: readonly number[]): Uint8Array {
  const head = noise(11);
  for (const at of places) head.set(bytes, at);
  return head;
}
