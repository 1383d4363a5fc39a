import { describe, expect, it } from 'vitest';
import { FILL_POLICY, type FillPolicy, maxHoleNow } from '../../../src/stream-proxy/policy/fills.ts';

const POLICY: FillPolicy = { ...FILL_POLICY, maxHole: 100, maxTotal: 250, maxShare: 0.02, maxHoles: 3 };
const LARGE = 1_000_000;

describe('a hole may be no longer than', () => {
  it('one hole may be', () => {
    expect(maxHoleNow(POLICY, { bytes: 0, count: 0 }, LARGE)).toBe(100);
  });

  it('what is left of all holes together', () => {
    const left = [149, 150, 151, 249, 250, 300].map((bytes) =>
      maxHoleNow(POLICY, { bytes, count: 2 }, LARGE),
    );
    expect(left).toEqual([100, 100, 99, 1, 0, 0]);
  });

  it('what is left of a share of the file', () => {
    expect(maxHoleNow(POLICY, { bytes: 0, count: 0 }, 2_049)).toBe(40);
    expect(maxHoleNow(POLICY, { bytes: 30, count: 1 }, 2_049)).toBe(10);
    expect(maxHoleNow(POLICY, { bytes: 0, count: 0 }, 49)).toBe(0);
  });
});

it('there are no more holes than the policy allows', () => {
  const allowed = [2, 3, 4].map((count) => maxHoleNow(POLICY, { bytes: 0, count }, LARGE));
  expect(allowed).toEqual([100, 0, 0]);
});
