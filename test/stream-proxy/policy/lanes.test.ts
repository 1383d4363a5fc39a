import { describe, expect, it } from 'vitest';
import { LANE_POLICY, LaneTuner } from '../../../src/stream-proxy/policy/lanes.ts';

const TICK = 20;

interface Change {
  readonly at: number;
  readonly width: number;
}

/** A hungry player before an upstream of so many bytes per second for so many connections; gives each change of width. */
function play(tuner: LaneTuner, rate: (width: number) => number, from: number, to: number): Change[] {
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
  const tuner = new LaneTuner(LANE_POLICY);
  expect(tuner.width).toBe(1);
  expect(play(tuner, perConnection(1e6), 0, LANE_POLICY.first)).toEqual([]);
});

describe('an upstream that limits each connection', () => {
  it('gets as many connections as are allowed while more bring more', () => {
    const tuner = new LaneTuner(LANE_POLICY);
    expect(widths(play(tuner, perConnection(1e6), 0, 8_000)).slice(0, 3)).toEqual([2, 4, LANE_POLICY.most]);
    // Fewer are tried, and do not do.
    play(tuner, perConnection(1e6), 8_000, 60_000);
    expect(tuner.width).toBe(LANE_POLICY.most);
  });

  it('gets no more than bring something', () => {
    const tuner = new LaneTuner(LANE_POLICY);
    expect(widths(play(tuner, perConnection(1e6, 2e6), 0, 20_000))).toEqual([2, 4, 2]);
  });

  it('gets no more than what every film needs', () => {
    const tuner = new LaneTuner(LANE_POLICY);
    play(tuner, perConnection(LANE_POLICY.enough / 2), 0, 60_000);
    expect(tuner.width).toBe(2);
    expect(widths(play(new LaneTuner(LANE_POLICY), () => LANE_POLICY.enough, 0, 60_000))).toEqual([]);
  });
});

describe('an upstream that shares its speed between all connections', () => {
  const shared = perConnection(5e6, 5e6);

  it('is soon left with one, and left alone for longer each time', () => {
    const tuner = new LaneTuner(LANE_POLICY);
    const changes = play(tuner, shared, 0, 2 * 3600 * 1000);
    expect(new Set(widths(changes))).toEqual(new Set([1, 2]));
    const tries = changes.filter(({ width }) => width === 2);
    const ends = changes.filter(({ width }) => width === 1);
    for (const [i, { at }] of ends.entries()) expect(at - tries[i]!.at).toBeLessThan(1_000);
    const rests = tries.slice(1).map(({ at }, i) => at - ends[i]!.at);
    for (const [i, rest] of rests.entries()) {
      const expected = Math.min(LANE_POLICY.rest * 2 ** i, LANE_POLICY.longestRest);
      expect(rest).toBeGreaterThanOrEqual(expected);
      expect(rest).toBeLessThan(expected + 2_000);
    }
    expect(rests.length).toBeGreaterThan(10);
  });

  it('gets rid of connections that were of use only for a while', () => {
    const tuner = new LaneTuner(LANE_POLICY);
    play(tuner, perConnection(1e6), 0, 8_000);
    expect(tuner.width).toBe(LANE_POLICY.most);
    play(tuner, shared, 8_000, 60_000);
    expect(tuner.width).toBe(1);
  });
});

it('a player that has what it wants tells nothing: no trial', () => {
  const tuner = new LaneTuner(LANE_POLICY);
  for (let now = 0; now < 60_000; now += TICK) {
    if (now % 200 === 0) tuner.reset();
    expect(tuner.received(1000, now)).toBe(false);
  }
  expect(tuner.width).toBe(1);
});
