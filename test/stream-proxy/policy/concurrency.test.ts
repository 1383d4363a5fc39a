import { describe, expect, it } from 'vitest';
import {
  CONCURRENCY_POLICY,
  ConcurrencyTuner,
  concurrencyFor,
} from '../../../src/stream-proxy/policy/concurrency.ts';

const TICK = 20;

interface Change {
  readonly at: number;
  readonly width: number;
}

/** A hungry player before an upstream of so many bytes per second for so many connections; gives each change of width. */
function play(tuner: ConcurrencyTuner, rate: (width: number) => number, from: number, to: number): Change[] {
  const changes: Change[] = [];
  for (let now = from; now < to; now += TICK) {
    // A change takes a while to show.
    const bytes = (rate(tuner.width) * TICK) / 1000;
    if (tuner.received(bytes, now)) changes.push({ at: now, width: tuner.width });
  }
  return changes;
}

const perConnection =
  (each: number, all = Infinity) =>
  (width: number) =>
    Math.min(width * each, all);

const widths = (changes: readonly Change[]) => changes.map(({ width }) => width);

it('begins with one connection, and tries no other before the player has been hungry for a while', () => {
  const tuner = new ConcurrencyTuner(CONCURRENCY_POLICY);
  expect(tuner.width).toBe(1);
  expect(play(tuner, perConnection(20e6), 0, CONCURRENCY_POLICY.firstTrialAfter)).toEqual([]);
});

it('tries no other before the first bytes of the film are there, however long that takes', () => {
  const tuner = new ConcurrencyTuner(CONCURRENCY_POLICY);
  const rate = 500_000;
  expect(play(tuner, perConnection(rate), 0, (CONCURRENCY_POLICY.minTotalBytes / rate) * 1000 - 100)).toEqual(
    [],
  );
  expect(widths(play(tuner, perConnection(rate), 16_000, 18_000)).slice(0, 1)).toEqual([2]);
});

it('counts what came while nothing could be measured', () => {
  const tuner = new ConcurrencyTuner(CONCURRENCY_POLICY);
  tuner.idle(CONCURRENCY_POLICY.minTotalBytes);
  expect(widths(play(tuner, perConnection(500_000), 0, 4_000)).slice(0, 1)).toEqual([2]);
});

describe('an upstream that limits each connection', () => {
  it('gets as many connections as are allowed while more bring more', () => {
    const tuner = new ConcurrencyTuner(CONCURRENCY_POLICY);
    expect(widths(play(tuner, perConnection(4e6), 0, 8_000)).slice(0, 3)).toEqual([
      2,
      4,
      CONCURRENCY_POLICY.maxTransfers,
    ]);
    // Fewer are tried, and do not do.
    play(tuner, perConnection(4e6), 8_000, 60_000);
    expect(tuner.width).toBe(CONCURRENCY_POLICY.maxTransfers);
  });

  it('gets them also where a head is awaited at every moment, for one piece after the other', () => {
    const tuner = new ConcurrencyTuner(CONCURRENCY_POLICY);
    let width = 1;
    for (let now = 0; now < 8_000; now += TICK) {
      const awaited = tuner.width > 1 ? now - 10 : Infinity;
      if (tuner.received(tuner.width * 4e6 * (TICK / 1000), now, awaited))
        width = Math.max(width, tuner.width);
    }
    expect(width).toBe(CONCURRENCY_POLICY.maxTransfers);
  });

  it('gets no more than bring something', () => {
    const tuner = new ConcurrencyTuner(CONCURRENCY_POLICY);
    expect(widths(play(tuner, perConnection(1e6, 2e6), 0, 20_000))).toEqual([2, 4, 2]);
  });

  it('gets no more than what every film needs', () => {
    const tuner = new ConcurrencyTuner(CONCURRENCY_POLICY);
    play(tuner, perConnection(CONCURRENCY_POLICY.sufficientRate / 2), 0, 60_000);
    expect(tuner.width).toBe(2);
    expect(
      widths(
        play(new ConcurrencyTuner(CONCURRENCY_POLICY), () => CONCURRENCY_POLICY.sufficientRate, 0, 60_000),
      ),
    ).toEqual([]);
  });
});

describe('an upstream that shares its speed between all connections', () => {
  const shared = perConnection(5e6, 5e6);

  it('is soon left with one, and not tried again', () => {
    const tuner = new ConcurrencyTuner(CONCURRENCY_POLICY);
    const changes = play(tuner, shared, 0, 2 * 3600 * 1000);
    expect(widths(changes)).toEqual([2, 1]);
    expect(changes[1]!.at - changes[0]!.at).toBeLessThan(1_000);
  });

  it('is tried again once it has become half as fast', () => {
    const tuner = new ConcurrencyTuner(CONCURRENCY_POLICY);
    play(tuner, shared, 0, 60_000);
    expect(play(tuner, perConnection(2.6e6, 2.6e6), 60_000, 600_000)).toEqual([]);
    expect(widths(play(tuner, perConnection(2e6), 600_000, 660_000)).slice(0, 1)).toEqual([2]);
  });

  it('gets rid of connections that were of use only for a while', () => {
    const tuner = new ConcurrencyTuner(CONCURRENCY_POLICY);
    play(tuner, perConnection(4e6), 0, 8_000);
    expect(tuner.width).toBe(CONCURRENCY_POLICY.maxTransfers);
    // One after the other, without a trial of more in between.
    expect(widths(play(tuner, shared, 8_000, 60_000)).slice(0, 2)).toEqual([3, 1]);
    expect(tuner.width).toBe(1);
  });
});

it('a player that has what it wants tells nothing: no trial', () => {
  const tuner = new ConcurrencyTuner(CONCURRENCY_POLICY);
  for (let now = 0; now < 60_000; now += TICK) {
    if (now % 200 === 0) tuner.reset();
    expect(tuner.received(1000, now)).toBe(false);
  }
  expect(tuner.width).toBe(1);
});

it('where each request is dear, no other is tried while the player fills its own buffer; in windows never', () => {
  const serving = { look: 'dear', windows: false, zeroFills: false, complete: true } as const;
  const dear = new ConcurrencyTuner(concurrencyFor(CONCURRENCY_POLICY, serving));
  expect(play(dear, perConnection(2.5e6, 2.5e6), 0, 50_000)).toEqual([]);
  expect(widths(play(dear, perConnection(2.5e6), 50_000, 60_000)).slice(0, 1)).toEqual([2]);
  const windows = new ConcurrencyTuner(
    concurrencyFor(CONCURRENCY_POLICY, { ...serving, look: 'cheap', windows: true }),
  );
  expect(play(windows, perConnection(2.5e6), 0, 120_000)).toEqual([]);
});

it('a new connection is not judged before its head is there', () => {
  const tuner = new ConcurrencyTuner(CONCURRENCY_POLICY);
  const changes = play(tuner, perConnection(4e6), 0, 4_000);
  const opened = changes[0]?.at ?? 0;
  expect(changes[0]?.width).toBe(2);
  const late = new ConcurrencyTuner(CONCURRENCY_POLICY);
  let widest = 0;
  for (let now = 0; now < 8_000; now += TICK) {
    // The second one's head does not come: all there is comes by the first.
    late.received(4e6 * (TICK / 1000), now, late.width > 1 ? opened : Infinity);
    widest = Math.max(widest, late.width);
  }
  expect([widest, late.width]).toEqual([2, 2]);
});
