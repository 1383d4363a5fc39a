import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TimeLeft } from '../../../src/setup/phone/time-left.ts';

const MINUTE = 60_000;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('the set-up from a phone is open for ten minutes after the last press, and for sixty in all', () => {
  const time = new TimeLeft();
  expect(time.left).toBe(10 * MINUTE);
  for (let minute = 0; minute < 54; minute += 9) {
    vi.advanceTimersByTime(9 * MINUTE);
    expect(time.left).toBe(MINUTE);
    time.prolong();
    expect(time.left).toBe(Math.min(10, 60 - minute - 9) * MINUTE);
  }
  vi.advanceTimersByTime(6 * MINUTE);
  time.prolong();
  expect(time.left).toBe(0);
});

test('what is over is not open again', () => {
  const time = new TimeLeft({ idle: MINUTE });
  vi.advanceTimersByTime(MINUTE);
  time.prolong();
  expect(time.left).toBe(0);
});
