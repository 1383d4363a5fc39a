import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fillBytes } from '../../src/media/fill-bytes.ts';
import type { Fill } from '../../src/media/fill-types.ts';
import { wholeFill } from './holes.ts';

const fills: fc.Arbitrary<Fill> = fc
  .record({
    first: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 2 ** 32 - 50, max: 2 ** 33 })),
    length: fc.integer({ min: 1, max: 700 }),
    pattern: fc.uint8Array({ minLength: 1, maxLength: 200 }),
    pieces: fc.array(fc.record({ gap: fc.nat(60), bytes: fc.uint8Array({ minLength: 1, maxLength: 20 }) })),
  })
  .map(({ first, length, pattern, pieces }) => {
    let next = first;
    const placed = pieces.map(({ gap, bytes }) => {
      const at = next + gap;
      next = at + bytes.length;
      return { at, bytes };
    });
    const last = first + length - 1;
    const inside = placed.filter(({ at, bytes }) => at + bytes.length - 1 <= last);
    return { first, last, how: 'a test', pattern, pieces: inside };
  });

/** The rule of fill-bytes.ts, a byte at a time. */
function byteAt({ first, pattern, pieces }: Fill, position: number): number | undefined {
  const piece = pieces.find(({ at, bytes }) => at <= position && position < at + bytes.length);
  return piece === undefined
    ? pattern[(position - first) % pattern.length]
    : piece.bytes[position - piece.at];
}

it('writes each byte by the rule', () => {
  fc.assert(
    fc.property(fills, (fill) => {
      const bytes = wholeFill(fill);
      expect([...bytes]).toEqual(Array.from(bytes, (_, i) => byteAt(fill, fill.first + i)));
    }),
  );
});

it('writes the same bytes into any part', () => {
  fc.assert(
    fc.property(fills, fc.nat(), fc.nat(), (fill, from, length) => {
      const whole = wholeFill(fill);
      const start = from % whole.length;
      const end = start + (length % (whole.length - start + 1));
      const part = new Uint8Array(end - start);
      fillBytes(fill, fill.first + start, part);
      expect(part).toEqual(whole.slice(start, end));
    }),
  );
});

it('refuses bytes that are not in the hole', () => {
  const fill: Fill = { first: 10, last: 19, how: '', pattern: new Uint8Array(1), pieces: [] };
  expect(() => {
    fillBytes(fill, 9, new Uint8Array(2));
  }).toThrow(RangeError);
  expect(() => {
    fillBytes(fill, 19, new Uint8Array(2));
  }).toThrow(RangeError);
});
