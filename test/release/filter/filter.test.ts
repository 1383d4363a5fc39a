import { describe, expect, it } from 'vitest';
import type { DirectService, Link } from '../../../src/model/index.ts';
import { filterReleases, type Preferences, preferencesOf } from '../../../src/release/index.ts';
import { MEGABYTE } from '../../../src/release/units.ts';
import { parseSettings, type Settings } from '../../../src/settings/index.ts';
import { release } from '../candidates.ts';

/** Lets everything through. */
const OPEN = preferencesOf(parseSettings({ allow_discs: 'true', allow_protected: 'true' }));

const DAY = 86_400_000;
const NOW = 1_700_000_000_000;

type Facts = Parameters<typeof filterReleases>[2];

function reasons(one: ReturnType<typeof release>, preferences: Partial<Preferences>, facts: Facts = {}) {
  return filterReleases([one], { ...OPEN, ...preferences }, { now: NOW, ...facts })[0]?.rejections;
}

/** Preferences from stored settings, as the person has them. */
const stored = (raw: Partial<Record<keyof Settings, string>>): Preferences =>
  preferencesOf(parseSettings(raw));

describe('filterReleases', () => {
  it('lets everything through when nothing is asked for', () => {
    expect(reasons(release(), {})).toEqual([]);
    expect(filterReleases([], OPEN)).toEqual([]);
  });

  it('sets whole discs aside by default', () => {
    const disc = release({}, { disc: true, source: 'BluRay' });
    expect(reasons(disc, stored({}))).toEqual(['A whole disc']);
    expect(reasons(disc, stored({ allow_discs: 'true' }))).toEqual([]);
  });

  it.each([
    ['resolution', { resolution: '2160p' }, { allow_2160p: 'false' }, '2160p is switched off'],
    ['resolution', {}, { allow_unknown_resolution: 'false' }, 'Resolution not known'],
    ['source', { source: 'WEBRip' }, { allow_webrip: 'false' }, 'WEBRip is switched off'],
    ['source', {}, { allow_unknown_source: 'false' }, 'Source not known'],
    ['remux', { remux: true, source: 'BluRay' }, { allow_remux: 'false' }, 'Remux is switched off'],
    [
      'HDR',
      { hdr: ['HDR10', 'HLG'] },
      { allow_hdr10: 'false', allow_hlg: 'false' },
      'HDR10 and HLG are switched off',
    ],
    ['HDR', {}, { allow_unknown_hdr: 'false' }, 'Dynamic range not known'],
    ['sound', { audio: ['DTS'] }, { allow_dts: 'false' }, 'DTS is switched off'],
    ['sound', {}, { allow_unknown_audio: 'false' }, 'Sound not known'],
    ['codec', { codec: 'AV1' }, { allow_av1: 'false' }, 'AV1 is switched off'],
    ['codec', {}, { allow_unknown_codec: 'false' }, 'Video format not known'],
    ['3D', { threeD: true }, { allow_3d: 'false' }, '3D is switched off'],
    ['upscaled', { upscaled: true }, { allow_upscaled: 'false' }, 'Upscaled is switched off'],
  ] as const)('%s: rejects %j for %j', (_, quality, settings, reason) => {
    expect(reasons(release({}, quality), stored(settings))).toEqual([reason]);
    expect(reasons(release({}, quality), stored({}))).toEqual([]);
  });

  it('takes a remux for nothing else, wherever it is from', () => {
    const remux = release({}, { remux: true, source: 'BluRay' });
    expect(reasons(remux, stored({ allow_bluray: 'false' }))).toEqual([]);
    expect(reasons(release({}, { remux: true }), stored({ allow_unknown_source: 'false' }))).toEqual([]);
  });

  it('passes what has one kind of several that is switched on', () => {
    const settings = stored({ allow_dolby_vision: 'false', allow_atmos: 'false', allow_truehd: 'false' });
    expect(reasons(release({}, { hdr: ['DV', 'HDR10'] }), settings)).toEqual([]);
    expect(reasons(release({}, { audio: ['Atmos', 'DD+'] }), settings)).toEqual([]);
    expect(reasons(release({}, { audio: ['Atmos', 'TrueHD'] }), settings)).toEqual([
      'Atmos and TrueHD are switched off',
    ]);
  });

  it.each([
    [{ hdr: ['DV'], source: 'WEB-DL' }, true],
    [{ hdr: ['DV'], dolbyVisionProfile: '5', source: 'WEB-DL' }, true],
    [{ hdr: ['DV'] }, true],
    [{ hdr: ['DV'], dolbyVisionProfile: '8.1' }, false],
    [{ hdr: ['DV'], dolbyVisionProfile: '7' }, false],
    [{ hdr: ['DV'], source: 'BluRay' }, false],
    [{ hdr: ['DV'], remux: true }, false],
    [{ hdr: ['DV', 'HDR'], source: 'WEB-DL' }, false],
    [{ hdr: ['HDR10'] }, false],
    [{}, false],
  ] as const)('knows Dolby Vision that has no fallback: %j, %s', (quality, alone) => {
    const settings = stored({ allow_dolby_vision_alone: 'false' });
    expect(reasons(release({}, quality), settings)).toEqual(
      alone ? ['DV without fallback is switched off'] : [],
    );
    expect(reasons(release({}, quality), stored({}))).toEqual([]);
  });

  it.each([
    ['de', {}, 'en', false],
    ['de', {}, 'de', true],
    ['de', {}, undefined, true],
    ['de', { languages: ['de'] }, 'en', true],
    ['de', { languages: ['en'] }, 'de', false],
    ['German, en', { languages: ['en', 'fr'] }, undefined, true],
    ['ger', { languages: ['fr'], multi: true }, 'en', true],
    ['ger', { languages: ['fr'], dual: true }, 'en', true],
    ['original', {}, undefined, true],
    ['original', {}, 'ja', true],
    ['original', { languages: ['ja'] }, 'ja', true],
    ['original', { languages: ['de'] }, 'ja', false],
    ['original', { languages: ['de'] }, undefined, true],
    ['', { languages: ['de'] }, 'ja', true],
  ] as const)('with %s wanted, of %j with the original in %s: %s', (wanted, quality, original, passes) => {
    const facts = original === undefined ? {} : { originalLanguage: original };
    const found = reasons(release({}, quality), stored({ wanted_languages: wanted }), facts);
    expect(found).toHaveLength(passes ? 0 : 1);
  });

  it('says which languages it misses', () => {
    const german = release({}, { languages: ['de'] });
    expect(reasons(german, stored({ wanted_languages: 'original, fr' }), { originalLanguage: 'ja' })).toEqual(
      ['Not in the original language or French'],
    );
  });

  it('rejects excluded groups, in whatever case', () => {
    const settings = stored({ excluded_groups: 'other, inv' });
    expect(reasons(release({}, { group: 'INV' }), settings)).toEqual(['The group INV is excluded']);
    expect(reasons(release({}, { group: 'INVENTED' }), settings)).toEqual([]);
    expect(reasons(release(), settings)).toEqual([]);
  });

  it.each([
    [99 * MEGABYTE + MEGABYTE - 1, ['Smaller than 100 MB']],
    [100 * MEGABYTE, []],
    [200 * MEGABYTE, []],
    [200 * MEGABYTE + 1, ['Larger than 200 MB']],
    [0, ['Smaller than 100 MB']],
  ])('holds a size of %i bytes against the limits', (size, expected) => {
    expect(reasons(release({ size }), stored({ min_size_mb: '100', max_size_mb: '200' }))).toEqual(expected);
  });

  it.each([
    [999, ['Less than 10 MB per minute']],
    [1_000, []],
    [2_000, []],
    [2_001, ['More than 20 MB per minute']],
  ])('holds %i MB against the limits for each of 100 minutes', (megabytes, expected) => {
    const settings = stored({ min_mb_per_minute: '10', max_mb_per_minute: '20' });
    expect(reasons(release({ size: megabytes * MEGABYTE }), settings, { runtime: 100 })).toEqual(expected);
    expect(reasons(release({ size: megabytes * MEGABYTE }), settings)).toEqual([]);
  });

  it('counts the minutes of all episodes that a release says to hold', () => {
    const settings = stored({ max_mb_per_minute: '10' });
    const size = 1_000 * MEGABYTE;
    const three = { seasons: [1], episodes: [1, 2, 3] };
    expect(reasons(release({ size }, three), settings, { runtime: 40 })).toEqual([]);
    expect(reasons(release({ size }, { ...three, episodes: [1] }), settings, { runtime: 40 })).toEqual([
      'More than 10 MB per minute',
    ]);
    expect(reasons(release({ size }, { seasons: [1] }), settings, { runtime: 40 })).toEqual([]);
    expect(reasons(release({ size }, { complete: true }), settings, { runtime: 40 })).toEqual([]);
    expect(reasons(release({ size }, { date: '2013-07-29' }), settings, { runtime: 40 })).toHaveLength(1);
  });

  it.each([
    [NOW, ['Younger than 1 day']],
    [NOW - DAY, []],
    [NOW - 30 * DAY, []],
    [NOW - 30 * DAY - 1, ['Older than 30 days']],
    [NOW + DAY, ['Younger than 1 day']],
  ])('holds a post of %i against the limits of age', (posted, expected) => {
    expect(reasons(release({ posted }), stored({ min_age_days: '1', max_age_days: '30' }))).toEqual(expected);
  });

  it('rejects what too few have downloaded, and what is protected', () => {
    expect(reasons(release({ grabs: 1 }), stored({ min_grabs: '2' }))).toEqual(['Fewer than 2 downloads']);
    expect(reasons(release({ grabs: 2 }), stored({ min_grabs: '2' }))).toEqual([]);
    expect(reasons(release({ passworded: true }), stored({}))).toEqual(['Protected by a password']);
    expect(reasons(release({ passworded: true }), stored({ allow_protected: 'true' }))).toEqual([]);
    expect(reasons(release({ passworded: false }), stored({}))).toEqual([]);
    expect(reasons(release({ passworded: true, password: 'laundry' }), stored({}))).toEqual([]);
  });

  it('rejects a password that nothing can use: StreamNZB opens no encrypted archive', () => {
    const told = { password: 'laundry' };
    const streamNzb = { playback_backend: 'direct', direct_kind: 'streamnzb' };
    const refused = ['Protected by a password, which StreamNZB cannot use'];
    const nzb = release().links[0];
    const stream = (service: DirectService): Link => ({ ...nzb, plays: true, service });
    expect(reasons(release(told), stored(streamNzb))).toEqual(refused);
    expect(reasons(release(told), stored({ ...streamNzb, allow_protected: 'true' }))).toEqual([]);
    expect(reasons(release(told), stored({ ...streamNzb, direct_kind: 'altmount' }))).toEqual([]);
    expect(reasons(release(told), stored({ direct_kind: 'streamnzb' }))).toEqual([]);
    // Of an add-on's own stream the backend is not asked.
    expect(reasons(release({ ...told, links: [stream('streamnzb')] }), stored({}))).toEqual(refused);
    expect(reasons(release({ ...told, links: [stream('aiostreams')] }), stored(streamNzb))).toEqual([]);
    expect(reasons(release({ ...told, links: [stream('streamnzb'), nzb] }), stored({}))).toEqual([]);
  });

  it('lets what the indexer does not tell break no limit', () => {
    const strict = stored({
      min_size_mb: '1',
      max_size_mb: '2',
      min_mb_per_minute: '1',
      max_mb_per_minute: '2',
      min_age_days: '1',
      max_age_days: '2',
      min_grabs: '9',
    });
    expect(reasons(release(), strict, { runtime: 100 })).toEqual([]);
  });

  it('keeps all reasons in their order, and every release in its place', () => {
    const bad = release(
      { passworded: true, size: 1, grabs: 0, posted: 0 },
      {
        disc: true,
        resolution: '720p',
        source: 'CAM',
        hdr: ['HLG'],
        audio: ['MP3'],
        codec: 'DivX',
        languages: ['fr'],
        group: 'INV',
        threeD: true,
        upscaled: true,
      },
    );
    const strict = stored({
      allow_720p: 'false',
      allow_camera: 'false',
      allow_hlg: 'false',
      allow_other_audio: 'false',
      allow_xvid: 'false',
      wanted_languages: 'de',
      required_words: 'remux',
      excluded_words: 'web, /sintel/i',
      excluded_groups: 'inv',
      min_size_mb: '1',
      min_mb_per_minute: '1',
      max_age_days: '1',
      min_grabs: '1',
      allow_3d: 'false',
      allow_upscaled: 'false',
    });
    const [first, second] = filterReleases([bad, release()], { ...strict, minScore: 1 }, { runtime: 90 });
    expect(first?.rejections).toEqual([
      'A whole disc',
      '720p is switched off',
      'CAM is switched off',
      'HLG is switched off',
      'MP3 is switched off',
      'DivX is switched off',
      'Not in German',
      'Without "remux"',
      'With "web"',
      'With /sintel/i',
      'The group INV is excluded',
      'Smaller than 1 MB',
      'Less than 1 MB per minute',
      'Older than 1 day',
      'Protected by a password',
      'Fewer than 1 download',
      '3D is switched off',
      'Upscaled is switched off',
      'Fewer than 1 points of custom formats',
    ]);
    expect(second?.release.name).toBe(release().name);
  });

  it('estimates the bitrate from size and running time', () => {
    const bitrate = (size: number | undefined, runtime?: number, episodes: number[] = []) =>
      filterReleases(
        [release(size === undefined ? {} : { size }, { episodes })],
        OPEN,
        runtime === undefined ? {} : { runtime },
      )[0]?.bitrate;
    expect(bitrate(6_000_000, 10)).toBe(80_000);
    expect(bitrate(6_000_000, 10, [1, 2])).toBe(40_000);
    expect(bitrate(6_000_000)).toBeUndefined();
    expect(bitrate(undefined, 10)).toBeUndefined();
    expect(bitrate(6_000_000, 0)).toBeUndefined();
  });
});
