import { describe, expect, it } from 'vitest';
import { opaqueContent } from '../../support/fault-server/index.ts';
import { virtualBytes } from '../../support/virtual-file.ts';
import { Judge } from './judge.ts';
import type { Promised } from './scenario.ts';

const SIZE = 10_000_000;
const HOLE = { first: 5_000_000, last: 5_009_999 };

const judge = (promise: Promised = 'up to holes') =>
  new Judge({
    content: opaqueContent(SIZE),
    missing: [HOLE],
    untouchable: [{ first: 5_009_000, last: SIZE - 1 }],
    promise,
  });

/** The file's bytes from 4,999,000 on, with `value` in a part of the hole. */
function filled(first: number, last: number, value: number): Buffer {
  const bytes = virtualBytes(4_999_000, 5_010_999);
  return bytes.fill(value, first - 4_999_000, last + 1 - 4_999_000);
}

function objectionsTo(act: (judge: Judge) => void, promise?: Promised): readonly string[] {
  const heard = judge(promise);
  act(heard);
  return heard.objections;
}

describe('bytes', () => {
  it('that are the file’s are fine', () => {
    expect(
      objectionsTo((j) => {
        j.bytes(70_000, virtualBytes(70_000, 90_000));
      }),
    ).toEqual([]);
  });

  it('that are another place’s are wrong', () => {
    expect(
      objectionsTo((j) => {
        j.bytes(70_000, virtualBytes(70_001, 90_000));
      }),
    ).toHaveLength(1);
  });

  it('of which one is wrong are named', () => {
    const bytes = virtualBytes(70_000, 90_000);
    bytes.writeUInt8(bytes.readUInt8(5) ^ 1, 5);
    expect(
      objectionsTo((j) => {
        j.bytes(70_000, bytes);
      })[0],
    ).toMatch(/^byte 70005 is/);
  });

  it.each([
    ['before', HOLE.first - 1, HOLE.last],
    ['behind', HOLE.first, HOLE.last + 1],
  ])('that are made up %s a hole are wrong', (_where, first, last) => {
    const heard = objectionsTo((j) => {
      j.bytes(4_999_000, filled(first, last, 7));
    });
    expect(heard).toHaveLength(1);
  });
});

describe('fills', () => {
  const fill = { first: HOLE.first, last: 5_008_999 };

  it('that are told, and stay the same, are fine', () => {
    const heard = objectionsTo((j) => {
      j.bytes(4_999_000, filled(fill.first, fill.last, 7).subarray(0, 9_000));
      j.bytes(4_999_000, filled(fill.first, fill.last, 7).subarray(0, 9_500));
      j.fills([fill]);
    });
    expect(heard).toEqual([]);
  });

  it('that nobody tells of are wrong', () => {
    const read = (j: Judge) => {
      j.bytes(4_999_000, filled(fill.first, fill.last, 7));
    };
    for (const fills of [[], [{ first: HOLE.first, last: HOLE.first + 99 }]])
      expect(
        objectionsTo((j) => {
          read(j);
          j.fills(fills);
        }),
      ).toHaveLength(1);
  });

  it('that change are wrong', () => {
    const heard = objectionsTo((j) => {
      j.bytes(4_999_000, filled(fill.first, fill.last, 7));
      j.bytes(5_000_500, filled(fill.first, fill.last, 8).subarray(1_500, 1_600));
    });
    expect(heard).toEqual(['byte 5000500 was 7 and is now 8']);
  });

  it.each([
    ['where the file can be had', { first: 100, last: 200 }],
    ['that reach out of a hole', { first: HOLE.first - 1, last: HOLE.first + 9 }],
    ['of an index', { first: HOLE.first, last: 5_009_000 }],
    ['that end before they begin', { first: HOLE.first + 1, last: HOLE.first }],
  ])('%s are wrong', (_what, region) => {
    expect(
      objectionsTo((j) => {
        j.fills([region]);
      }),
    ).toHaveLength(1);
  });
});

describe('a connection that ends', () => {
  it.each<[Promised, number, number]>([
    ['everything', 100, 1],
    ['everything', HOLE.first, 1],
    ['up to holes', 100, 1],
    ['up to holes', HOLE.first - 1000, 0],
    ['up to holes', HOLE.last, 0],
    ['up to holes', HOLE.last + 1, 1],
    ['the truth', 100, 0],
  ])('where %s is owed, at byte %i: %i objections', (promise, position, count) => {
    expect(
      objectionsTo((j) => {
        j.cut('GET', position);
      }, promise),
    ).toHaveLength(count);
  });
});

describe('heads', () => {
  const RIGHT = { 'accept-ranges': 'bytes', 'content-length': '10', 'content-range': `bytes 5-14/${SIZE}` };
  const heads = (status: number, headers: Readonly<Record<string, string>>) =>
    objectionsTo((j) => {
      j.head('GET', { status, headers: new Map(Object.entries(headers)) }, { first: 5, last: 14 });
    });

  it('that are exact are fine', () => {
    expect(heads(206, RIGHT)).toEqual([]);
  });

  it.each<[string, number, Readonly<Record<string, string>>]>([
    ['another status', 200, RIGHT],
    ['a shorter length', 206, { ...RIGHT, 'content-length': '9' }],
    ['another range', 206, { ...RIGHT, 'content-range': `bytes 5-13/${SIZE}` }],
    ['another size', 206, { ...RIGHT, 'content-range': `bytes 5-14/${SIZE + 1}` }],
    ['chunks', 206, { ...RIGHT, 'transfer-encoding': 'chunked' }],
    ['an encoding', 206, { ...RIGHT, 'content-encoding': 'gzip' }],
  ])('with %s are wrong', (_what, status, headers) => {
    expect(heads(status, headers)).toHaveLength(1);
  });
});
