import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentRange, parseContentRange, parseRange, rangeLength } from '../../src/stream-proxy/range.ts';

const MAX = Number.MAX_SAFE_INTEGER;
const BLOCKS = [64 * 1024, 256 * 1024, 2 ** 20];
const EDGES = [...BLOCKS, 2 ** 31, 2 ** 32].flatMap((edge) => [edge - 1, edge, edge + 1]);
const SIZES = [1, 2, 3, ...EDGES, MAX - 1, MAX];
const POSITIONS = [0, ...SIZES, MAX + 1].map(BigInt).concat(2n ** 53n + 1n, 2n ** 64n, 10n ** 400n);

/** RFC 9110 §14.1.2 once more by cases, in exact arithmetic. */
function expected(first: bigint | undefined, last: bigint | undefined, fileSize: number) {
  const size = BigInt(fileSize);
  if (first === undefined) {
    if (last === undefined) return { kind: 'whole' };
    if (last === 0n) return { kind: 'unsatisfiable' };
    return part(last >= size ? 0n : size - last, size - 1n);
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
        expect(parseRange(`bytes=${first}-`, size)).toEqual(expected(first, undefined, size));
        expect(parseRange(`bytes=-${first}`, size)).toEqual(expected(undefined, first, size));
        for (const last of POSITIONS)
          expect(parseRange(`bytes=${first}-${last}`, size)).toEqual(expected(first, last, size));
      }
  });

  // Everything the grammar allows around one range: case, empty elements, white space, leading zeros, any digits.
  it('is right for any numbers, however they are written', () => {
    const digits = fc.oneof(fc.bigInt(0n, 100n), fc.bigInt(0n, 2n ** 60n), fc.bigInt(0n, 10n ** 500n));
    const number = fc.option(digits, { nil: undefined });
    const size = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: MAX }));
    const unit = fc.mixedCase(fc.constant('bytes'));
    const empty = fc.stringMatching(/^([ \t]{0,2},[ \t]{0,2}){0,3}$/);
    fc.assert(
      fc.property(
        fc.tuple(number, number, size, unit, empty, empty, fc.nat(30)),
        ([first, last, bytes, name, before, after, zeros]) => {
          const write = (n: bigint | undefined) => (n === undefined ? '' : `${'0'.repeat(zeros)}${n}`);
          const header = `${name}=${before}${write(first)}-${write(last)}${after}`;
          expect(parseRange(header, bytes)).toEqual(expected(first, last, bytes));
        },
      ),
    );
  });

  it('gives exactly the bytes of a small file that each range covers', () => {
    const file = Array.from({ length: 8 }, (_, i) => i);
    const number = fc.option(fc.nat(10), { nil: undefined });
    fc.assert(
      fc.property(number, number, fc.integer({ min: 1, max: 8 }), (first, last, size) => {
        const bytes = file.slice(0, size);
        const choice = parseRange(`bytes=${first ?? ''}-${last ?? ''}`, size);
        if (choice.kind !== 'part') return;
        const wanted =
          first === undefined
            ? bytes.slice(-(last ?? 0))
            : bytes.filter((at) => at >= first && at <= (last ?? size));
        expect(bytes.slice(choice.range.first, choice.range.last + 1)).toEqual(wanted);
      }),
    );
  });

  it('ignores several ranges, whatever they are', () => {
    const spec = fc.constantFrom('0-0', '5-', '-5', '200-', '-0', '5-2', 'x');
    fc.assert(
      fc.property(
        fc.array(spec, { minLength: 2, maxLength: 50 }),
        fc.constantFrom(',', ', ', ',,'),
        (specs, by) => {
          expect(parseRange(`bytes=${specs.join(by)}`, 100)).toEqual({ kind: 'whole' });
        },
      ),
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
        fc.integer({ min: 1, max: 1000 }),
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
    `bytes=1${'0'.repeat(400)}-9`,
    'bytes=0-9\n',
    'bytes=٣-٤',
    'bytes =1-2',
    ' bytes=1-2',
    'x-bytes=1-2',
    'none',
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
