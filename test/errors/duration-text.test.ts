import { expect, test } from 'vitest';
import { durationText } from '../../src/errors/index.ts';

test.each([
  [1, '1 minute'],
  [60_000, '1 minute'],
  [60_001, '2 minutes'],
  [89 * 60_000, '89 minutes'],
  [90 * 60_000, '2 hours'],
  [86_399_000, '24 hours'],
  [1_440 * 60_000, '24 hours'],
])('%d ms is told as %s', (ms, words) => {
  expect(durationText(ms)).toBe(words);
});
