import { describe, expect, it } from 'vitest';
import {
  decideOnSilence,
  decideRetry,
  headTimes,
  READ_POLICY,
  type RetryPolicy,
} from '../../../src/stream-proxy/policy/policies.ts';

const POLICY: RetryPolicy = {
  maxTries: 3,
  maxMissingTries: 3,
  pauses: [0, 100],
  transientKinds: ['unreachable'],
  firstByteTimeout: 2000,
  nextByteTimeout: 1000,
  refusedTimeout: 1000,
  lateHeadAfter: 400,
  stallTimeout: 500,
  hedgeAfter: 300,
  hedgeAfterCostly: 600,
};
const failed = (fruitless: number, waited = 0, flowing = true) =>
  decideRetry(POLICY, { kind: 'broken', fruitless, alike: fruitless, waited, flowing });

describe('decide', () => {
  it('asks a last time when the time for refusals ends, and then gives up', () => {
    const away = { kind: 'unreachable', fruitless: 9, alike: 9, waited: 3_000, flowing: true } as const;
    const at = (refusedFor: number) => decideRetry(READ_POLICY, { ...away, refusedFor });
    expect(at(0)).toMatchObject({ kind: 'retry', pause: 1_000 });
    expect(at(4_000)).toMatchObject({ kind: 'retry', pause: 1_000 });
    expect(at(4_700)).toMatchObject({ kind: 'retry', pause: 300 });
    expect(at(5_000)).toEqual({ kind: 'give-up', reason: 'unreachable: refused for 5000 ms' });
  });

  it('pauses as long as the table says, its last row holding on', () => {
    expect(failed(1)).toMatchObject({ kind: 'retry', pause: 0 });
    expect(failed(2)).toMatchObject({ kind: 'retry', pause: 100 });
    const many = { ...POLICY, maxTries: 10 };
    expect(
      decideRetry(many, { kind: 'broken', fruitless: 9, alike: 9, waited: 0, flowing: true }),
    ).toMatchObject({
      pause: 100,
    });
  });

  it('gives up after the last try', () => {
    expect(failed(3)).toMatchObject({ kind: 'give-up' });
  });

  it('counts only the failures of one kind as tries', () => {
    const mixed = { kind: 'missing', fruitless: 9, waited: 0, flowing: true } as const;
    expect(decideRetry(POLICY, { ...mixed, alike: 2 }).kind).toBe('retry');
    expect(decideRetry(POLICY, { ...mixed, alike: 3 }).kind).toBe('give-up');
  });

  it('tries as long as the patience lasts what passes by itself', () => {
    const down = { kind: 'unreachable', fruitless: 99, alike: 99, flowing: true } as const;
    expect(decideRetry(POLICY, { ...down, waited: 899 }).kind).toBe('retry');
    expect(decideRetry(POLICY, { ...down, waited: 900 }).kind).toBe('give-up');
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
    expect(decideRetry(READ_POLICY, { kind, fruitless: 1, alike: 1, waited: 0, flowing: true }).kind).toBe(
      'give-up',
    );
  });

  it.each(['unreachable', 'stalled', 'broken', 'missing', 'unavailable', 'wrong-answer'] as const)(
    'tries again when %s',
    (kind) => {
      expect(decideRetry(READ_POLICY, { kind, fruitless: 1, alike: 1, waited: 0, flowing: true }).kind).toBe(
        'retry',
      );
    },
  );
});

describe('headTimes', () => {
  const head = (waited: number, flowing: boolean, usual = 0) => headTimes(POLICY, { waited, flowing, usual });

  it('makes a second request beside the first when its head is late', () => {
    expect([head(0, false).hedgeAfter, head(0, true).hedgeAfter]).toEqual([400, 400]);
  });

  it('calls late what takes three times as long as usual', () => {
    expect([head(0, false, 100), head(0, false, 200)].map(({ hedgeAfter: beside }) => beside)).toEqual([
      400, 600,
    ]);
  });

  it('leaves time for the second one, and waits for both until the patience ends', () => {
    expect(head(0, false, 5_000)).toMatchObject({ hedgeAfter: 1_600, limit: 2_000 });
    expect(head(300, true)).toMatchObject({ hedgeAfter: 300, limit: 700 });
    expect(head(700, true)).toMatchObject({ hedgeAfter: 300, limit: 300 });
  });

  it('tells of trouble after as long as a body may be silent, later where answers are usually late', () => {
    const { stallTimeout: stall } = POLICY;
    expect([head(0, false), head(0, false, stall)].map(({ stallAfter: trouble }) => trouble)).toEqual([
      stall,
      3 * stall,
    ]);
  });

  it('never reaches beyond the patience, and never is nothing', () => {
    expect([head(1000, true), head(5000, true)].map(({ limit }) => limit)).toEqual([1, 1]);
  });
});

describe('a body that is silent', () => {
  const silence = { usual: 0, isCostly: false, wait: { waited: 0, flowing: true } };
  const after = (silent: number, more: object = {}) =>
    decideOnSilence(POLICY, { ...silence, silent, wait: { waited: silent, flowing: true }, ...more });

  it('gets a second one beside it, and is listened to until the patience is over', () => {
    expect([0, 299, 300, 990].map((silent) => after(silent))).toEqual(['listen', 'listen', 'hedge', 'hedge']);
    expect(after(1_000)).toBe('over');
  });

  it('gets it later where a request is dear, or where bodies are often silent', () => {
    expect([599, 600].map((silent) => after(silent, { isCostly: true }))).toEqual(['listen', 'hedge']);
    expect([599, 600].map((silent) => after(silent, { usual: 250 }))).toEqual(['listen', 'hedge']);
  });

  it('gets it while a second one can still come, however long bodies are silent there', () => {
    expect([599, 600].map((silent) => after(silent, { usual: 10_000 }))).toEqual(['listen', 'hedge']);
  });

  it('that nobody waits for gets none', () => {
    expect([0, 1_999, 2_000].map((silent) => after(silent, { wait: undefined }))).toEqual([
      'listen',
      'listen',
      'over',
    ]);
  });
});
