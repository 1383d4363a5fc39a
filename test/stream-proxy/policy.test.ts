import { describe, expect, it } from 'vitest';
import { decide, READ_POLICY, type RetryPolicy } from '../../src/stream-proxy/policy.ts';

const POLICY: RetryPolicy = {
  tries: 3,
  pauses: [0, 100],
  patienceAtStart: 2000,
  patience: 1000,
  stall: 500,
};
const failed = (fruitless: number, waited = 0, flowing = true) =>
  decide(POLICY, { kind: 'broken', fruitless, waited, flowing });

describe('decide', () => {
  it('pauses as long as the table says, its last row holding on', () => {
    expect(failed(1)).toMatchObject({ kind: 'retry', pause: 0 });
    expect(failed(2)).toMatchObject({ kind: 'retry', pause: 100 });
    const many = { ...POLICY, tries: 10 };
    expect(decide(many, { kind: 'broken', fruitless: 9, waited: 0, flowing: true })).toMatchObject({
      pause: 100,
    });
  });

  it('gives up after the last try', () => {
    expect(failed(3)).toMatchObject({ kind: 'give-up' });
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
    expect(decide(READ_POLICY, { kind, fruitless: 1, waited: 0, flowing: true }).kind).toBe('give-up');
  });

  it.each(['unreachable', 'stalled', 'broken', 'missing', 'unavailable', 'wrong-answer'] as const)(
    'tries again when %s',
    (kind) => {
      expect(decide(READ_POLICY, { kind, fruitless: 1, waited: 0, flowing: true }).kind).toBe('retry');
    },
  );
});

it('the reading policy answers before the player gives up', () => {
  // Kodi: 20 s without a head, 10 s without data (kodi21.md), minus a second for the way.
  expect(READ_POLICY.patienceAtStart).toBeLessThan(19_000);
  expect(READ_POLICY.patience).toBeLessThan(9_000);
  // A silent connection leaves time for another attempt.
  expect(READ_POLICY.stall * 2).toBeLessThan(READ_POLICY.patience);
});
