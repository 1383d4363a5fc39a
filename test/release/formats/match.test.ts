import { describe, expect, it } from 'vitest';
import type { Quality, Release } from '../../../src/model/index.ts';
import { compileFormats } from '../../../src/release/formats/compile.ts';
import type { CustomFormat, FormatCondition } from '../../../src/release/formats/format.ts';
import { matchFormats } from '../../../src/release/formats/match.ts';
import { filterReleases, NO_LISTS, preferencesOf, rankCandidates } from '../../../src/release/index.ts';
import { Budget } from '../../../src/release/pattern/capped.ts';
import { parseSettings } from '../../../src/settings/index.ts';
import { release } from '../candidates.ts';

type Facts = Parameters<typeof matchFormats>[2];
type Bare<C> = C extends unknown ? Omit<C, 'name' | 'negate' | 'required'> : never;

function condition(
  value: Bare<FormatCondition>,
  flags: { negate?: boolean; required?: boolean } = {},
): FormatCondition {
  return { name: 'c', negate: false, required: false, ...flags, ...value };
}

const format = (conditions: FormatCondition[], score = 1, name = 'F'): CustomFormat => ({
  name,
  score,
  conditions,
});

const named = (pattern: string, flags = {}) => condition({ kind: 'name', pattern }, flags);

function matches(conditions: FormatCondition[], one: Release, facts: Facts = {}): boolean {
  return matchFormats([one], compileFormats([format(conditions)]), facts)[0]?.names.length === 1;
}

const holds = (
  value: Bare<FormatCondition>,
  quality: Partial<Quality>,
  fields: Partial<Release> = {},
  facts: Facts = {},
) => {
  const one = release(fields, quality);
  const held = matches([condition(value)], one, facts);
  // Turned round, it never says the same.
  expect(matches([condition(value, { negate: true })], one, facts)).toBe(!held);
  return held;
};

describe('matchFormats', () => {
  const web = release({ name: 'Sintel.2010.WEB.x265-INV' }, { group: 'INV' });

  it.each([
    ['one that holds', [named('web')], true],
    ['one that does not', [named('dvd')], false],
    ['any of a kind', [named('dvd'), named('web')], true],
    ['none of a kind', [named('dvd'), named('cam')], false],
    ['a required one that does not hold', [named('web'), named('dvd', { required: true })], false],
    ['only required ones', [named('web', { required: true }), named('x265', { required: true })], true],
    ['one of each kind', [named('web'), condition({ kind: 'group', pattern: '^inv$' })], true],
    ['a kind of which none holds', [named('web'), condition({ kind: 'group', pattern: '^x$' })], false],
    ['a negated one that does not hold', [named('dvd', { negate: true })], true],
    ['a negated and required one that holds', [named('web', { negate: true, required: true })], false],
    ['a negated one beside one that holds', [named('x265'), named('web', { negate: true })], true],
  ])('needs, of every kind, all required and at least one: %s', (_, conditions, expected) => {
    expect(matches(conditions, web)).toBe(expected);
  });

  it('looks for groups and editions in those, and finds nothing where there is none', () => {
    const edition = (pattern: string) => ({ kind: 'edition', pattern }) as const;
    expect(holds(edition('imax'), { editions: ['Extended', 'IMAX'] })).toBe(true);
    expect(holds(edition('.*'), {})).toBe(false);
    expect(holds({ kind: 'group', pattern: '^$' }, {})).toBe(false);
    expect(holds({ kind: 'group', pattern: '^inv$' }, { group: 'INV' })).toBe(true);
  });

  it.each([
    ['de', false, { languages: ['de', 'en'] }, {}, true],
    ['de', false, { languages: ['en'] }, {}, false],
    ['de', false, {}, { originalLanguage: 'de' }, true],
    ['de', false, {}, {}, false],
    ['de', true, { languages: ['de'] }, {}, false],
    ['de', true, { languages: ['de', 'en'] }, {}, true],
    ['original', false, {}, {}, true],
    ['original', false, { languages: ['ja'] }, { originalLanguage: 'ja' }, true],
    ['original', false, { languages: ['de'] }, { originalLanguage: 'ja' }, false],
    ['original', false, { languages: ['de'] }, {}, false],
    ['original', true, { languages: ['de'] }, { originalLanguage: 'ja' }, true],
    ['original', true, {}, { originalLanguage: 'ja' }, false],
    ['any', false, {}, {}, true],
    ['unknown', false, {}, {}, true],
    ['unknown', false, {}, { originalLanguage: 'ja' }, false],
    ['unknown', false, { languages: ['de'] }, {}, false],
  ] as const)('language %s, except %s, of %j and %j: %s', (language, except, quality, facts, expected) => {
    expect(holds({ kind: 'language', language, except }, quality, {}, facts)).toBe(expected);
  });

  it.each([
    ['cam', { source: 'CAM' }],
    ['telesync', { source: 'Telesync' }],
    ['telecine', { source: 'Telecine' }],
    ['workprint', { source: 'Workprint' }],
    ['dvd', { source: 'DVD' }],
    ['tv', { source: 'HDTV' }],
    ['raw-tv', { source: 'HDTV', codec: 'MPEG-2' }],
    ['web-dl', { source: 'WEB-DL' }],
    ['webrip', { source: 'WEBRip' }],
    ['bluray', { source: 'BluRay' }],
    ['bluray-encode', { source: 'BluRay' }],
    ['bluray-remux', { source: 'BluRay', remux: true }],
  ] as const)('source %s is %j', (source, quality) => {
    expect(holds({ kind: 'source', source }, quality)).toBe(true);
    expect(holds({ kind: 'source', source }, { source: 'VHS' })).toBe(false);
  });

  it('counts a remux as a Blu-ray the one way, and apart the other', () => {
    const remux = { source: 'BluRay', remux: true } as const;
    expect(holds({ kind: 'source', source: 'bluray' }, remux)).toBe(true);
    expect(holds({ kind: 'source', source: 'bluray-encode' }, remux)).toBe(false);
    expect(holds({ kind: 'source', source: 'bluray-remux' }, { source: 'BluRay' })).toBe(false);
  });

  it.each([
    ['none', {}],
    ['screener', { source: 'Screener' }],
    ['raw-tv', { source: 'HDTV', codec: 'MPEG-2' }],
    ['disc', { disc: true }],
    ['remux', { remux: true }],
  ] as const)('modifier %s is %j', (modifier, quality) => {
    expect(holds({ kind: 'modifier', modifier }, quality)).toBe(true);
    expect(holds({ kind: 'modifier', modifier: modifier === 'none' ? 'remux' : 'none' }, quality)).toBe(
      false,
    );
  });

  it.each([
    ['unknown', {}],
    ['episode', { seasons: [1], episodes: [2] }],
    ['episode', { date: '2013-07-29' }],
    ['episodes', { seasons: [1], episodes: [2, 3] }],
    ['season', { seasons: [1] }],
    ['season', { complete: true }],
  ] as const)('extent %s is %j', (extent, quality) => {
    expect(holds({ kind: 'extent', extent }, quality)).toBe(true);
    expect(holds({ kind: 'extent', extent: extent === 'season' ? 'episode' : 'season' }, quality)).toBe(
      false,
    );
  });

  it('compares sizes, years and resolutions; no post has a flag', () => {
    const size = { kind: 'size', min: 10, max: 20 } as const;
    expect([10, 11, 20, 21].map((bytes) => holds(size, {}, { size: bytes }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(holds(size, {})).toBe(false);
    const year = { kind: 'year', min: 2000, max: 2010 } as const;
    expect([1999, 2000, 2010, 2011].map((value) => holds(year, { year: value }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(holds(year, {})).toBe(false);
    expect(holds(year, {}, {}, { year: 2005 })).toBe(true);
    expect(holds({ kind: 'resolution', resolution: '720p' }, { resolution: '720p' })).toBe(true);
    expect(holds({ kind: 'resolution', resolution: '720p' }, {})).toBe(false);
    expect(holds({ kind: 'flag' }, {})).toBe(false);
  });

  it('adds the points of all that match, in the order of the list', () => {
    const set = compileFormats([
      format([named('web')], 10, 'Web'),
      format([named('dvd')], 100, 'DVD'),
      format([named('x265')], -4, 'x265'),
    ]);
    expect(matchFormats([web, release({ name: 'Sintel.DVD' })], set)).toEqual([
      { names: ['Web', 'x265'], score: 6 },
      { names: ['DVD'], score: 100 },
    ]);
  });

  it('asks once what several formats ask', () => {
    const set = compileFormats([
      format([named('web'), named('dvd')], 1, 'A'),
      format([named('web', { negate: true, required: true })], 1, 'B'),
    ]);
    expect(set.tests).toHaveLength(2);
  });

  it('leaves a format out for all releases when a pattern takes too long, and says so', () => {
    const { formats } = compileFormats([
      format([named('slow')], 1, 'Slow'),
      format([named('sintel')], 2, 'Quick'),
    ]);
    const quick = compileFormats([format([named('sintel')])]).tests[0]!;
    const endless = { text: 'slow', ascii: /(a+)+$/, unicode: /(a+)+$/u };
    const set = {
      formats,
      tests: [{ kind: 'pattern', text: 'name', pattern: endless } as const, quick],
      problems: [],
    };
    const problems: string[] = [];
    const found = matchFormats([web, release({ name: `${'a'.repeat(40)}b` })], set, {
      budget: new Budget(1_000, 50),
      report: (problem) => problems.push(problem),
    });
    expect(found.map(({ names }) => names)).toEqual([['Quick'], []]);
    expect(problems).toEqual([
      'The custom format "Slow" was left out: its patterns take too long on this list.',
    ]);
  });
});

describe('compileFormats', () => {
  it('leaves out a format whose pattern is not taken, and says why', () => {
    const { formats, problems } = compileFormats([
      format([named('(a+)+')], 1, 'Bad'),
      format([named('a')], 1, 'Good'),
    ]);
    expect(formats.map(({ name }) => name)).toEqual(['Good']);
    expect(problems).toEqual([
      'The custom format "Bad" is not used: it repeats a repetition, which may take for ever on some names.',
    ]);
  });

  it('has an end', () => {
    const many = Array.from({ length: 11 }, (_, index) =>
      format(Array(500).fill(named('a')) as FormatCondition[], 1, String(index)),
    );
    expect(compileFormats(many).formats).toHaveLength(10);
    expect(compileFormats(many).problems).toHaveLength(1);
  });
});

it('formats reach the candidates: points first in the order, and a floor for them', () => {
  const lists = {
    ...NO_LISTS,
    minScore: 0,
    formats: [format([named('web')], 5, 'Web'), format([named('cam')], -5, 'Cam')],
  };
  const preferences = preferencesOf(parseSettings({}), lists);
  const rows = [
    release({ name: 'Sintel.WEB', size: 1 }),
    release({ name: 'Sintel.2160p', size: 2 }, { resolution: '2160p' }),
    release({ name: 'Sintel.CAM', size: 3 }),
  ];
  const ranked = rankCandidates(filterReleases(rows.toReversed(), preferences), preferences);
  expect(ranked.map(({ release: { name }, formats, score }) => [name, formats, score])).toEqual([
    ['Sintel.WEB', ['Web'], 5],
    ['Sintel.2160p', [], 0],
    ['Sintel.CAM', ['Cam'], -5],
  ]);
  expect(ranked[2]?.rejections).toEqual(['Fewer than 0 points of custom formats']);
});
