import { describe, expect, it } from 'vitest';
import { decide, headTimes, READ_POLICY, type RetryPolicy } from '../../../src/stream-proxy/policy/policy.ts';

const POLICY: RetryPolicy = {
  tries: 3,
  missingTries: 3,
  pauses: [0, 100],
  passing: ['unreachable'],
  patienceAtStart: 2000,
  patience: 1000,
  head: 400,
  stall: 500,
};
const failed = (fruitless: number, waited = 0, flowing = true) =>
  decide(POLICY, { kind: 'broken', fruitless, alike: fruitless, waited, flowing });

describe('decide', () => {
  it('pauses as long as the table says, its last row holding on', () => {
    expect(failed(1)).toMatchObject({ kind: 'retry', pause: 0 });
    expect(failed(2)).toMatchObject({ kind: 'retry', pause: 100 });
    const many = { ...POLICY, tries: 10 };
    expect(decide(many, { kind: 'broken', fruitless: 9, alike: 9, waited: 0, flowing: true })).toMatchObject({
      pause: 100,
    });
  });

  it('gives up after the last try', () => {
    expect(failed(3)).toMatchObject({ kind: 'give-up' });
  });

  it('counts only the failures of one kind as tries', () => {
    const mixed = { kind: 'missing', fruitless: 9, waited: 0, flowing: true } as const;
    expect(decide(POLICY, { ...mixed, alike: 2 }).kind).toBe('retry');
    expect(decide(POLICY, { ...mixed, alike: 3 }).kind).toBe('give-up');
  });

  it('tries as long as the patience lasts what passes by itself', () => {
    const down = { kind: 'unreachable', fruitless: 99, alike: 99, flowing: true } as const;
    expect(decide(POLICY, { ...down, waited: 899 }).kind).toBe('retry');
    expect(decide(POLICY, { ...down, waited: 900 }).kind).toBe('give-up');
  });

  it('gives up when the next try could only come after the patience has ended', () => {
    expect(failed(2, 899).kind).toBe('retry');
    expect(failed(2, 900).kind).toBe('give-up');
  });

  it('is more patient before the first byte', () => {
    expect(failed(2, 1500, false).kind).toBe('retry');
    expect(failed(2, 1900, false).kind).toBe('give-up');
  });

  it.each(['refused', 'no-ranges', 'changed'] as const)('gives up at once when %s', (kind) => {
    expect(decide(READ_POLICY, { kind, fruitless: 1, alike: 1, waited: 0, flowing: true }).kind).toBe(
      'give-up',
    );
  });

  it.each(['unreachable', 'stalled', 'broken', 'missing', 'unavailable', 'wrong-answer'] as const)(
    'tries again when %s',
    (kind) => {
      expect(decide(READ_POLICY, { kind, fruitless: 1, alike: 1, waited: 0, flowing: true }).kind).toBe(
        'retry',
      );
    },
  );
});

describe('headTimes', () => {
  const head = (waited: number, flowing: boolean, usual = 0) => headTimes(POLICY, { waited, flowing, usual });

  it('makes a second request beside the first when its head is late', () => {
    expect([head(0, false).beside, head(0, true).beside]).toEqual([400, 400]);
  });

  it('calls late what takes three times as long as usual', () => {
    expect([head(0, false, 100), head(0, false, 200)].map(({ beside }) => beside)).toEqual([400, 600]);
  });

  it('leaves time for the second one, and waits for both until the patience ends', () => {
    expect(head(0, false, 5_000)).toEqual({ beside: 1_600, limit: 2_000 });
    expect(head(300, true)).toEqual({ beside: 300, limit: 700 });
    expect(head(700, true)).toEqual({ beside: 300, limit: 300 });
  });

  it('never reaches beyond the patience, and never is nothing', () => {
    expect([head(1000, true), head(5000, true)].map(({ limit }) => limit)).toEqual([1, 1]);
  });
});
