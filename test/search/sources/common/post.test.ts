import { describe, expect, it } from 'vitest';
import {
  fingerprint,
  moreDetailedName,
  postedAgo,
  releaseName,
} from '../../../../src/search/sources/common/posting.ts';

describe('the name of a post that was opened', () => {
  it.each([
    ['Real.Film.2024.480p.WEB.x264-OBFUS', '54cdd65d74540dfa44.mkv', 'Real.Film.2024.480p.WEB.x264-OBFUS'],
    // The same before it was opened, so it is the same release in each list.
    ['Show.S01.1080p.WEB.h264-INV', 'Show.S01E01.1080p.WEB.h264-INV.mkv', 'Show.S01.1080p.WEB.h264-INV'],
    ['a8f7e6d5c4b3', 'Sintel.2010.1080p.BluRay.x264-INV.mkv', 'Sintel.2010.1080p.BluRay.x264-INV'],
    ['Sintel 2010 1080p', 'inv-sintel.1080p.mkv', 'Sintel 2010 1080p'],
    ['Sintel.2010.mkv', 'x.mkv', 'Sintel.2010'],
  ])('%s with %s in it is %s', (release, file, name) => {
    expect(moreDetailedName(release, file)).toBe(name);
  });

  it('is bounded', () => {
    expect(releaseName('a'.repeat(1000)).length).toBeLessThan(1000);
  });
});

it('an id of our own depends on each part', () => {
  expect(fingerprint(['a', 'b'])).not.toBe(fingerprint(['ab']));
  expect(fingerprint(['a', 'b'])).toBe(fingerprint(['a', 'b']));
});

it.each([-1, Number.NaN, 1e9])('an age of %s hours is no time', (hours) => {
  expect(postedAgo(hours)).toEqual({});
});
