import { describe, expect, it } from 'vitest';
import {
  AUDIO_FORMATS,
  CODECS,
  HDR_FORMATS,
  type Quality,
  RESOLUTIONS,
  type Release,
  SOURCES,
} from '../../src/model/index.ts';
import {
  filterReleases,
  NO_LISTS,
  orderText,
  type PreferenceLists,
  parsePreferenceLists,
  preferencesOf,
  rankCandidates,
  standing,
} from '../../src/release/index.ts';
import { MEGABYTE } from '../../src/release/units.ts';
import { PAGES, parseSettings, rowsOf, type Settings } from '../../src/settings/index.ts';
import { candidate, link, release } from './candidates.ts';

type Raw = Partial<Record<keyof Settings, string>>;
const of = (raw: Raw, lists?: PreferenceLists) => preferencesOf(parseSettings(raw), lists);

describe('preferencesOf', () => {
  it('lets everything but whole discs and protected posts through by default', () => {
    const preferences = of({});
    expect(preferences).toMatchObject({
      discs: false,
      protected: false,
      threeD: true,
      upscaled: true,
      dolbyVisionAlone: true,
      resolutions: { values: new Set(RESOLUTIONS), unknown: true },
      sources: { values: new Set([...SOURCES, 'Remux']), unknown: true },
      hdr: { values: new Set(HDR_FORMATS), unknown: true },
      audio: { values: new Set(AUDIO_FORMATS), unknown: true },
      codecs: { values: new Set(CODECS), unknown: true },
      languages: [],
      requiredWords: [],
      excludedWords: [],
      problems: [],
      sort: 'best',
    });
    for (const limit of [
      'minSize',
      'maxSize',
      'minDensity',
      'maxDensity',
      'minAge',
      'maxAge',
      'minGrabs',
    ] as const) {
      expect(preferences).not.toHaveProperty(limit);
    }
    expect(preferences).not.toHaveProperty('bitrateCap');
  });

  it.each([
    ['min_size_mb', 'max_size_mb', 'minSize', 'maxSize', MEGABYTE],
    ['min_mb_per_minute', 'max_mb_per_minute', 'minDensity', 'maxDensity', MEGABYTE],
    ['min_age_days', 'max_age_days', 'minAge', 'maxAge', 86_400_000],
  ] as const)(
    'ignores %s and %s when nothing could meet both, and takes equal ones',
    (min, max, least, most, unit) => {
      expect(of({ [min]: '3', [max]: '2' })).not.toHaveProperty(least);
      expect(of({ [min]: '3', [max]: '2' })).not.toHaveProperty(most);
      expect(of({ [min]: '2', [max]: '2' })).toMatchObject({ [least]: 2 * unit, [most]: 2 * unit });
      expect(of({ [min]: '2' })).not.toHaveProperty(most);
      expect(of({ [max]: '2' })).not.toHaveProperty(least);
    },
  );

  it('tells what it cannot follow', () => {
    const { problems, languages } = of({
      wanted_languages: 'de, Klingon, ger',
      required_words: '/(a+)+/',
      excluded_words: '/(/',
    });
    expect(languages).toEqual(['de']);
    expect(problems).toEqual([
      'The pattern /(a+)+/ is not used: it repeats a repetition, which may take for ever on some names.',
      'The pattern /(/ is not used: a bracket is never closed.',
      '"Klingon" is no language that Slipstream knows.',
    ]);
  });

  it('joins the preferred groups of the settings with those of the list', () => {
    const { tiers } = of({ preferred_groups_1: 'One, A' }, { ...NO_LISTS, tiers: [['Two'], ['B'], []] });
    expect(tiers).toEqual([new Set(['one', 'a', 'two']), new Set(['b']), new Set()]);
  });
});

/** For each setting of the release stages a value, and a release that is rejected with it and passes without. */
const REJECTED: readonly [Raw, Partial<Release>, Partial<Quality>][] = [
  [{ allow_4320p: 'false' }, {}, { resolution: '4320p' }],
  [{ allow_2160p: 'false' }, {}, { resolution: '2160p' }],
  [{ allow_1440p: 'false' }, {}, { resolution: '1440p' }],
  [{ allow_1080p: 'false' }, {}, { resolution: '1080p' }],
  [{ allow_720p: 'false' }, {}, { resolution: '720p' }],
  [{ allow_sd: 'false' }, {}, { resolution: '576p' }],
  [{ allow_sd: 'false' }, {}, { resolution: '540p' }],
  [{ allow_sd: 'false' }, {}, { resolution: '480p' }],
  [{ allow_sd: 'false' }, {}, { resolution: '360p' }],
  [{ allow_sd: 'false' }, {}, { resolution: '240p' }],
  [{ allow_unknown_resolution: 'false' }, {}, {}],
  [{ allow_upscaled: 'false' }, {}, { upscaled: true }],
  [{ allow_3d: 'false' }, {}, { threeD: true }],
  [{ allow_remux: 'false' }, {}, { remux: true }],
  [{ allow_bluray: 'false' }, {}, { source: 'BluRay' }],
  [{ allow_bluray: 'false' }, {}, { source: 'HD-DVD' }],
  [{ allow_web_dl: 'false' }, {}, { source: 'WEB-DL' }],
  [{ allow_webrip: 'false' }, {}, { source: 'WEBRip' }],
  [{ allow_webrip: 'false' }, {}, { source: 'HDRip' }],
  [{ allow_tv: 'false' }, {}, { source: 'HDTV' }],
  [{ allow_tv: 'false' }, {}, { source: 'TV' }],
  [{ allow_dvd: 'false' }, {}, { source: 'DVD' }],
  [{ allow_dvd: 'false' }, {}, { source: 'LaserDisc' }],
  [{ allow_dvd: 'false' }, {}, { source: 'VHS' }],
  [{ allow_camera: 'false' }, {}, { source: 'CAM' }],
  [{ allow_camera: 'false' }, {}, { source: 'Telesync' }],
  [{ allow_camera: 'false' }, {}, { source: 'Telecine' }],
  [{ allow_camera: 'false' }, {}, { source: 'Screener' }],
  [{ allow_camera: 'false' }, {}, { source: 'Workprint' }],
  [{ allow_unknown_source: 'false' }, {}, {}],
  [{ allow_discs: 'false' }, {}, { disc: true }],
  [{ allow_dolby_vision: 'false' }, {}, { hdr: ['DV'] }],
  [{ allow_dolby_vision_alone: 'false' }, {}, { hdr: ['DV'] }],
  [{ allow_hdr10_plus: 'false' }, {}, { hdr: ['HDR10+'] }],
  [{ allow_hdr10: 'false' }, {}, { hdr: ['HDR10'] }],
  [{ allow_hdr10: 'false' }, {}, { hdr: ['HDR'] }],
  [{ allow_hlg: 'false' }, {}, { hdr: ['HLG'] }],
  [{ allow_sdr: 'false' }, {}, { hdr: ['SDR'] }],
  [{ allow_unknown_hdr: 'false' }, {}, {}],
  [{ allow_atmos: 'false' }, {}, { audio: ['Atmos'] }],
  [{ allow_truehd: 'false' }, {}, { audio: ['TrueHD'] }],
  [{ allow_dts_x: 'false' }, {}, { audio: ['DTS:X'] }],
  [{ allow_dts_hd_ma: 'false' }, {}, { audio: ['DTS-HD MA'] }],
  [{ allow_dts_hd_hr: 'false' }, {}, { audio: ['DTS-HD HR'] }],
  [{ allow_dts_hd_ma: 'false', allow_dts_hd_hr: 'false' }, {}, { audio: ['DTS-HD'] }],
  [{ allow_dts: 'false' }, {}, { audio: ['DTS'] }],
  [{ allow_dd_plus: 'false' }, {}, { audio: ['DD+'] }],
  [{ allow_dd: 'false' }, {}, { audio: ['DD'] }],
  [{ allow_aac: 'false' }, {}, { audio: ['AAC'] }],
  [{ allow_lossless: 'false' }, {}, { audio: ['FLAC'] }],
  [{ allow_lossless: 'false' }, {}, { audio: ['PCM'] }],
  [{ allow_lossless: 'false' }, {}, { audio: ['ALAC'] }],
  [{ allow_other_audio: 'false' }, {}, { audio: ['Opus'] }],
  [{ allow_other_audio: 'false' }, {}, { audio: ['Vorbis'] }],
  [{ allow_other_audio: 'false' }, {}, { audio: ['MP3'] }],
  [{ allow_unknown_audio: 'false' }, {}, {}],
  [{ allow_hevc: 'false' }, {}, { codec: 'HEVC' }],
  [{ allow_avc: 'false' }, {}, { codec: 'AVC' }],
  [{ allow_av1: 'false' }, {}, { codec: 'AV1' }],
  [{ allow_vvc: 'false' }, {}, { codec: 'VVC' }],
  [{ allow_vp9: 'false' }, {}, { codec: 'VP9' }],
  [{ allow_vc1: 'false' }, {}, { codec: 'VC-1' }],
  [{ allow_mpeg2: 'false' }, {}, { codec: 'MPEG-2' }],
  [{ allow_xvid: 'false' }, {}, { codec: 'XviD' }],
  [{ allow_xvid: 'false' }, {}, { codec: 'DivX' }],
  [{ allow_unknown_codec: 'false' }, {}, {}],
  [{ required_words: 'remux' }, {}, {}],
  [{ excluded_words: 'web' }, {}, {}],
  [{ wanted_languages: 'de' }, {}, { languages: ['fr'] }],
  [{ excluded_groups: 'inv' }, {}, { group: 'INV' }],
  [{ min_size_mb: '2' }, { size: MEGABYTE }, {}],
  [{ max_size_mb: '2' }, { size: 3 * MEGABYTE }, {}],
  [{ min_mb_per_minute: '2' }, { size: MEGABYTE }, {}],
  [{ max_mb_per_minute: '2' }, { size: 1_000 * MEGABYTE }, {}],
  [{ min_age_days: '2' }, { posted: Date.now() }, {}],
  [{ max_age_days: '2' }, { posted: 0 }, {}],
  [{ min_grabs: '2' }, { grabs: 1 }, {}],
  [{ allow_protected: 'false' }, { passworded: true }, {}],
];
const OPEN: Raw = { allow_discs: 'true', allow_protected: 'true' };

/** For each setting of the sorting a value, and two releases that change places with it. */
const HD: Partial<Quality> = { resolution: '1080p' };
const GB = 1024 * MEGABYTE;
const SWAPPED: readonly [Raw, Release, Release][] = [
  [{ sort_by: 'largest' }, release({ size: 1 * GB }, HD), release({ size: 2 * GB })],
  [{ sort_by: 'smallest' }, release({ size: 2 * GB }, HD), release({ size: 1 * GB })],
  [{ sort_by: 'newest' }, release({ posted: 1 }, HD), release({ posted: 2 })],
  [{ bitrate_limit_mbit: '10' }, release({ size: 99 * GB }, HD), release({ size: 1 * GB })],
  [{ preferred_groups_1: 'inv' }, release({ size: 2 * GB }), release({ size: 1 * GB }, { group: 'INV' })],
  [{ preferred_groups_2: 'inv' }, release({ size: 2 * GB }), release({ size: 1 * GB }, { group: 'INV' })],
  [{ preferred_groups_3: 'inv' }, release({ size: 2 * GB }), release({ size: 1 * GB }, { group: 'INV' })],
  [
    { preferred_indexers: 'other' },
    release({ size: 2 * GB }),
    release({ size: 1 * GB, links: [link({ indexer: 'Other' })] }),
  ],
  [
    { wanted_languages: 'de, fr' },
    release({ size: 2 * GB }, { languages: ['fr'] }),
    release({ size: 1 * GB }, { languages: ['de'] }),
  ],
];

describe('every setting has an effect', () => {
  it.each(REJECTED)('%j rejects %j %j', (raw, fields, quality) => {
    const facts = { runtime: 100, originalLanguage: 'en' };
    const rejected = (settings: Raw) =>
      filterReleases([release(fields, quality)], of({ ...OPEN, ...settings }), facts)[0]?.rejections;
    expect(rejected(raw)).toHaveLength(1);
    expect(rejected({})).toEqual([]);
  });

  it.each(SWAPPED)('%j changes the order', (raw, first, second) => {
    const order = (settings: Raw) => {
      const preferences = of(settings);
      const candidates = filterReleases([first, second], preferences, { runtime: 100 });
      return rankCandidates(candidates, preferences).map((candidate) => candidate.release);
    };
    expect(order({})).toEqual([first, second]);
    expect(order(raw)).toEqual([second, first]);
    // The line over the list names no more than five; a row's details tell all that counts.
    const counting = (settings: Raw) => standing(candidate(second), of(settings)).map(({ label }) => label);
    expect([orderText(of(raw)), counting(raw)]).not.toEqual([orderText(of({})), counting({})]);
  });

  it('is shown above for every setting of these pages', () => {
    const shown = new Set([...REJECTED, ...SWAPPED].flatMap(([raw]) => Object.keys(raw)));
    const pages = ['quality', 'words', 'limits', 'sorting'];
    const ids = rowsOf(PAGES.filter(({ id }) => pages.includes(id)))
      .filter(({ type }) => type !== 'action')
      .map(({ id }) => id);
    expect([...shown].sort()).toEqual([...ids].sort());
  });
});

describe('parsePreferenceLists', () => {
  it('reads an empty document as no lists', () => {
    expect(parsePreferenceLists({})).toEqual(NO_LISTS);
  });

  it('keeps the order of the criteria, and leaves out what is unknown or there twice', () => {
    expect(parsePreferenceLists({ criteria: ['size', 'hdr', 'taste', 'size'] }).criteria).toEqual([
      'size',
      'hdr',
    ]);
  });

  it('reads what it was given', () => {
    const lists: PreferenceLists = {
      criteria: ['size'],
      formats: [
        {
          name: 'Web',
          score: 5,
          conditions: [{ kind: 'name', name: 'a', negate: false, required: true, pattern: 'web' }],
        },
      ],
      minScore: -5,
      tiers: [['INV'], [], []],
    };
    expect(parsePreferenceLists(JSON.parse(JSON.stringify(lists)))).toEqual(lists);
  });

  it.each<[unknown, RegExp]>([
    [null, /no lists/],
    [{ criteria: 'size' }, /criteria is no list/],
    [{ criteria: ['taste'] }, /entry 1 of criteria/],
    [{ minScore: 'many' }, /minScore is no number/],
    [{ formats: [{ name: '', score: 0, conditions: [] }] }, /entry 1 of formats.*\bname/],
    [{ formats: [{ name: 'a', score: 1e9, conditions: [] }] }, /entry 1 of formats.*\bscore/],
    [{ formats: [{ name: 'a', score: 1, conditions: [{ kind: 'taste' }] }] }, /entry 1 of formats.*\bkind/],
  ])('reads nothing of %j, and says why', (value, expected) => {
    const problems: string[] = [];
    expect(parsePreferenceLists(value, (problem) => problems.push(problem))).toEqual(NO_LISTS);
    expect(problems.join('\n')).toMatch(expected);
  });

  it('keeps what is good beside what is not', () => {
    const good = {
      name: 'Web',
      score: 5,
      conditions: [{ kind: 'name', name: 'a', negate: false, required: true, pattern: 'web' }],
    };
    const value = {
      criteria: ['size', 7, 'hdr'],
      formats: [{ name: 'x' }, good],
      minScore: null,
      tiers: ['INV', ['NEW', 5], [], ['MORE']],
    };
    const problems: string[] = [];
    expect(parsePreferenceLists(value, (problem) => problems.push(problem))).toEqual({
      criteria: ['size', 'hdr'],
      formats: [good],
      tiers: [[], ['NEW'], []],
    });
    expect(problems).toHaveLength(6);
  });

  it('says that limits which contradict each other are ignored', () => {
    expect(preferencesOf(parseSettings({ min_size_mb: '2000', max_size_mb: '1000' })).problems).toEqual([
      'The smallest size is above the largest: both limits are ignored.',
    ]);
    expect(preferencesOf(parseSettings({ min_size_mb: '2000' })).problems).toEqual([]);
  });
});
