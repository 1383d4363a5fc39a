import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentRange, parseContentRange, parseRange, rangeLength } from '../../src/stream-proxy/range.ts';

const MAX = Number.MAX_SAFE_INTEGER;
const SIZES = [0, 1, 2, 65_535, 65_536, 65_537, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, MAX];
const POSITIONS = [...new Set([...SIZES, ...SIZES.map((n) => Math.max(0, n - 1)), 3, 2 ** 53])];

/** The RFC's rules once more, in exact arithmetic and by cases. */
function expected(first: bigint | undefined, last: bigint | undefined, fileSize: number) {
  const size = BigInt(fileSize);
  if (first === undefined) {
    const length = last ?? 0n;
    if (length === 0n || size === 0n) return { kind: 'unsatisfiable' };
    return part(length >= size ? 0n : size - length, size - 1n);
  }
  if (last !== undefined && last < first) return { kind: 'whole' };
  if (first >= size) return { kind: 'unsatisfiable' };
  return part(first, last === undefined || last >= size ? size - 1n : last);
}

const part = (first: bigint, last: bigint) => ({
  kind: 'part',
  range: { first: Number(first), last: Number(last) },
});

describe('parseRange', () => {
  it('is right at every boundary', () => {
    for (const size of SIZES)
      for (const first of POSITIONS) {
        expect(parseRange(`bytes=${first}-`, size)).toEqual(expected(BigInt(first), undefined, size));
        expect(parseRange(`bytes=-${first}`, size)).toEqual(expected(undefined, BigInt(first), size));
        for (const last of POSITIONS)
          expect(parseRange(`bytes=${first}-${last}`, size)).toEqual(
            expected(BigInt(first), BigInt(last), size),
          );
      }
  });

  it('is right for any numbers', () => {
    const number = fc.oneof(fc.bigInt(0n, 100n), fc.bigInt(0n, 2n ** 60n));
    const size = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: MAX }));
    fc.assert(
      fc.property(number, fc.option(number, { nil: undefined }), size, (first, last, bytes) => {
        expect(parseRange(`bytes=${first}-${last ?? ''}`, bytes)).toEqual(expected(first, last, bytes));
      }),
    );
  });

  it('gives only what lies in the file, whatever the header says', () => {
    const odd = fc.string({ unit: fc.constantFrom(...Array.from('bytes=-, 0123456789\tx')), maxLength: 30 });
    fc.assert(
      fc.property(
        fc.oneof(
          odd,
          odd.map((text) => `bytes=${text}`),
        ),
        fc.nat(1000),
        (header, size) => {
          const choice = parseRange(header, size);
          if (choice.kind !== 'part') return;
          expect(choice.range.first).toBeGreaterThanOrEqual(0);
          expect(choice.range.last).toBeLessThan(size);
          expect(rangeLength(choice.range)).toBeGreaterThan(0);
        },
      ),
    );
  });

  it.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=,',
    'bytes=-',
    'bytes=--1',
    'bytes=1',
    'bytes=1-2-3',
    'bytes=+1-2',
    'bytes=1.0-2',
    'bytes=0x1-2',
    'bytes=1 -2',
    'bytes 1-2',
    'bytes:1-2',
    'items=1-2',
    'bytes=1-2,4-5',
    'bytes=1-2, bytes=4-5',
    'bytes=9007199254740993-9007199254740992',
    `bytes=${'1'.repeat(41)}-`,
  ])('ignores %s', (header) => {
    expect(parseRange(header, 100)).toEqual({ kind: 'whole' });
  });

  it.each(['BYTES=1-2', 'bytes=1-2,', 'bytes= , 1-2 ,', 'bytes=\t1-2', 'bytes=0001-0002'])(
    'accepts %s',
    (header) => {
      expect(parseRange(header, 100)).toEqual({ kind: 'part', range: { first: 1, last: 2 } });
    },
  );
});

describe('Content-Range', () => {
  it('reads back what it writes', () => {
    const sizes = fc.integer({ min: 1, max: MAX });
    fc.assert(
      fc.property(sizes, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(1000), (size, where, length) => {
        const first = Math.min(size - 1, Math.floor(where * size));
        const last = Math.min(size - 1, first + length);
        expect(parseContentRange(contentRange({ first, last }, size))).toEqual({ first, last, size });
      }),
    );
  });

  it('may leave the size open', () => {
    expect(parseContentRange('bytes 0-9/*')).toEqual({ first: 0, last: 9, size: undefined });
  });

  it.each([
    undefined,
    '',
    'bytes */10',
    'bytes 0-9',
    'bytes 0-9/9',
    'bytes 5-4/10',
    'bytes -9/10',
    'items 0-9/10',
    'bytes=0-9/10',
    'bytes 0-9/10, bytes 0-9/10',
    'bytes 0-9007199254740992/*',
    'bytes 0-1/9007199254740992',
    'bytes 00000000000000000-9/10',
  ])('refuses %s', (header) => {
    expect(parseContentRange(header)).toBeUndefined();
  });
});
