import { describe, expect, it } from 'vitest';
import { retryAfterOf } from '../../src/io/retry-after.ts';

const DAY = 86_400_000;

describe('retryAfterOf', () => {
  it.each([
    ['120', 120_000],
    [' 14400 ', 14_400_000],
    ['999999999', DAY],
    ['0', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['9999999999999', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('reads %j as %s', (value, expected) => {
    expect(retryAfterOf({ 'retry-after': value })).toBe(expected);
  });

  it('measures a date by the clock of the service, for ours may be wrong', () => {
    const date = 'Mon, 01 Jun 2015 10:00:00 GMT';
    expect(retryAfterOf({ date, 'retry-after': 'Mon, 01 Jun 2015 10:05:00 GMT' })).toBe(300_000);
    expect(retryAfterOf({ date, 'retry-after': 'Mon, 01 Jun 2015 09:00:00 GMT' })).toBeUndefined();
    expect(retryAfterOf({ date, 'retry-after': 'Mon, 01 Jun 2020 10:00:00 GMT' })).toBe(DAY);
  });

  it('is unknown without the header', () => {
    expect(retryAfterOf({})).toBeUndefined();
  });
});
