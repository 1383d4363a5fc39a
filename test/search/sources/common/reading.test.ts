import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  claimsOf,
  parseDate,
  parseId,
  parsePositive,
  stableGuid,
} from '../../../../src/search/sources/common/fields.ts';

describe('stableGuid', () => {
  it.each([
    ['http://x/details/abc', 'abc'],
    ['http://x/details/abc#comments', 'abc'],
    ['http://x/details/abc/', 'abc'],
    ['http://x/api?t=get&id=abc&apikey=secret', 'abc'],
    ['http://x/getnzb/abc.nzb&i=1&r=secret', 'abc'],
    ['http://x/details.php?nid=100', 'details.php?nid=100'],
    ['http://x/details.php?nid=101&apikey=secret', 'details.php?nid=101'],
    ['urn:abc', 'abc'],
    ['abc', 'abc'],
  ])('of %s is %s', (guid, expected) => {
    expect(stableGuid(guid)).toBe(expected);
  });

  it('is bounded and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true })), (guid) => {
        expect(stableGuid(guid).length).toBeLessThanOrEqual(500);
      }),
    );
    expect(stableGuid('x'.repeat(5000))).toHaveLength(500);
  });
});

describe('idOf', () => {
  it.each([
    ['tt0111161', '111161'],
    ['0111161', '111161'],
    ['TT12345678', '12345678'],
    ['0', undefined],
    ['tt0000000', undefined],
    ['', undefined],
    ['-1', undefined],
    ['1234567890123', undefined],
    [undefined, undefined],
  ])('of %j is %s', (value, expected) => {
    expect(parseId(value)).toBe(expected);
  });
});

describe('claimsOf', () => {
  it('writes IMDb ids as everybody does, and is silent where nothing is claimed', () => {
    const none = { imdb: undefined, tmdb: undefined, tvdb: undefined, tvmaze: undefined };
    expect(claimsOf({ ...none, imdb: '111161', tmdb: '0' })).toEqual({ imdb: 'tt0111161' });
    expect(claimsOf({ ...none, tvmaze: '05' }, 0, 3)).toEqual({ tvmaze: '5', season: 0, episode: 3 });
    expect(claimsOf(none)).toBeUndefined();
  });
});

describe('dateOf', () => {
  it.each([
    ['Sat, 02 Oct 2010 10:00:00 +0000', Date.UTC(2010, 9, 2, 10)],
    ['2010-10-02T10:00:00Z', Date.UTC(2010, 9, 2, 10)],
    ['1286013600', Date.UTC(2010, 9, 2, 10)],
    ['yesterday', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of %j is %s', (text, expected) => {
    expect(parseDate(text)).toBe(expected);
  });

  it('is unknown for a post of the future, beyond what clocks differ', () => {
    const hours = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString();
    expect(parseDate(hours(2))).toBeGreaterThan(Date.now());
    expect(parseDate(hours(48))).toBeUndefined();
  });
});

describe('positive', () => {
  it.each([
    ['5', 5],
    ['0', undefined],
    ['-1', undefined],
    ['1e9', undefined],
    ['unknown', undefined],
    ['9999999999999999', undefined],
  ])('of %j is %s', (text, expected) => {
    expect(parsePositive(text)).toBe(expected);
  });
});
