import { describe, expect, it } from 'vitest';
import { filterReleases, type Preferences } from '../../src/release/index.ts';
import { MEGABYTE } from '../../src/release/preferences.ts';
import { release } from './candidates.ts';

const OPEN: Preferences = {
  resolutions: new Set(['2160p', '1080p', '720p', '576p', '480p'] as const),
  unknownResolution: true,
  requiredWords: [],
  excludedWords: [],
};

const reasons = (one: ReturnType<typeof release>, preferences: Partial<Preferences>) =>
  filterReleases([one], { ...OPEN, ...preferences })[0]?.rejections;

describe('filterReleases', () => {
  it('lets everything through when nothing is asked for', () => {
    expect(reasons(release(), {})).toEqual([]);
    expect(filterReleases([], OPEN)).toEqual([]);
  });

  it('rejects a resolution that is switched off, and only that', () => {
    const resolutions = new Set(['1080p'] as const);
    expect(reasons(release({}, { resolution: '2160p' }), { resolutions })).toEqual(['2160p is switched off']);
    expect(reasons(release({}, { resolution: '1080p' }), { resolutions })).toEqual([]);
    expect(reasons(release(), { resolutions })).toEqual([]);
  });

  it('rejects an unknown resolution only when that is switched off', () => {
    expect(reasons(release(), { unknownResolution: false })).toEqual(['Resolution not known']);
    expect(reasons(release({}, { resolution: '480p' }), { unknownResolution: false })).toEqual([]);
  });

  it.each([
    [99 * MEGABYTE + MEGABYTE - 1, ['Smaller than 100 MB']],
    [100 * MEGABYTE, []],
    [200 * MEGABYTE, []],
    [200 * MEGABYTE + 1, ['Larger than 200 MB']],
    [0, ['Smaller than 100 MB']],
  ])('holds a size of %i bytes against the limits', (size, expected) => {
    const limits = { minSize: 100 * MEGABYTE, maxSize: 200 * MEGABYTE };
    expect(reasons(release({ size }), limits)).toEqual(expected);
  });

  it('lets an unknown size break no limit', () => {
    expect(reasons(release(), { minSize: 1, maxSize: 2 })).toEqual([]);
  });

  it.each([
    ['web-dl', 'Sintel.2010.WEB.DL-INV', true],
    ['WEB', 'Sintel.2010.web.h264-INV', true],
    ['cam', 'Camelot.2010.1080p', false],
    ['hdr10', 'Sintel.2010.HDR10+.1080p', false],
    ['hdr10+', 'Sintel.2010.HDR10+.1080p', true],
    ['amelie', 'Amélie.2001', true],
    ['[', 'Sintel [2010]', true],
    ['[', 'Sintel 2010', false],
  ])('finds the word %s in %s: %s', (word, name, found) => {
    expect(reasons(release({ name }), { excludedWords: [word] })).toEqual(found ? [`With "${word}"`] : []);
    expect(reasons(release({ name }), { requiredWords: [word] })).toEqual(found ? [] : [`Without "${word}"`]);
  });

  it('asks for every required word and names each that is missing', () => {
    expect(reasons(release(), { requiredWords: ['web', 'remux', 'atmos'] })).toEqual([
      'Without "remux"',
      'Without "atmos"',
    ]);
  });

  it('rejects what the indexer calls protected', () => {
    expect(reasons(release({ passworded: true }), {})).toEqual(['Protected by a password']);
    expect(reasons(release({ passworded: false }), {})).toEqual([]);
  });

  it('keeps all reasons, and every release in its place', () => {
    const bad = release({ passworded: true, size: 1 }, { resolution: '720p' });
    const preferences = {
      ...OPEN,
      resolutions: new Set<never>(),
      minSize: MEGABYTE,
      excludedWords: ['web'],
      requiredWords: ['remux'],
    };
    const [first, second] = filterReleases([bad, release()], preferences);
    expect(first?.rejections).toEqual([
      '720p is switched off',
      'Smaller than 1 MB',
      'Without "remux"',
      'With "web"',
      'Protected by a password',
    ]);
    expect(second?.release.name).toBe(release().name);
  });
});
