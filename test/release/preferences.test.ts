import { describe, expect, it } from 'vitest';
import { AUDIO_FORMATS, CODECS, HDR_FORMATS, RELEASE_SOURCES, RESOLUTIONS } from '../../src/model/index.ts';
import {
  NO_LISTS,
  type PreferenceLists,
  parsePreferenceLists,
  preferencesOf,
} from '../../src/release/index.ts';
import { MEGABYTE } from '../../src/release/units.ts';
import { parseSettings, type Settings } from '../../src/settings/index.ts';

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
      sources: { values: new Set([...RELEASE_SOURCES, 'Remux']), unknown: true },
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
