import { describe, expect, it } from 'vitest';
import { preferencesOf } from '../../src/release/index.ts';
import { MEGABYTE } from '../../src/release/preferences.ts';
import { parseSettings } from '../../src/settings/index.ts';

const of = (raw: Record<string, string>) => preferencesOf(parseSettings(raw));

describe('preferencesOf', () => {
  it('lets everything through by default', () => {
    expect(of({})).toEqual({
      resolutions: new Set(['2160p', '1080p', '720p', '576p', '480p']),
      unknownResolution: true,
      requiredWords: [],
      excludedWords: [],
    });
  });

  it('takes both standard definitions from one switch', () => {
    expect(of({ allow_sd: 'false', allow_2160p: 'false' }).resolutions).toEqual(new Set(['1080p', '720p']));
  });

  it('reads sizes as megabytes, words between commas', () => {
    const preferences = of({
      min_size_mb: '2',
      max_size_mb: '3',
      required_words: ' web-dl, ,dts ',
      excluded_words: ',',
    });
    expect(preferences.minSize).toBe(2 * MEGABYTE);
    expect(preferences.maxSize).toBe(3 * MEGABYTE);
    expect(preferences.requiredWords).toEqual(['web-dl', 'dts']);
    expect(preferences.excludedWords).toEqual([]);
  });

  it('ignores size limits that nothing could meet, and takes equal ones', () => {
    expect(of({ min_size_mb: '3', max_size_mb: '2' })).not.toHaveProperty('minSize');
    expect(of({ min_size_mb: '3', max_size_mb: '2' })).not.toHaveProperty('maxSize');
    expect(of({ min_size_mb: '2', max_size_mb: '2' }).maxSize).toBe(2 * MEGABYTE);
    expect(of({ min_size_mb: '2' })).not.toHaveProperty('maxSize');
  });
});
