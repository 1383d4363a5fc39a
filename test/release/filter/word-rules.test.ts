import { describe, expect, it } from 'vitest';
import { matchWords } from '../../../src/release/filter/word-rules.ts';
import { filterReleases, preferencesOf } from '../../../src/release/index.ts';
import { Budget } from '../../../src/release/pattern/capped.ts';
import { parseSettings } from '../../../src/settings/index.ts';
import { release } from '../candidates.ts';

const preferences = (words: { required?: string; excluded?: string }) =>
  preferencesOf(parseSettings({ required_words: words.required, excluded_words: words.excluded }));

const reasons = (name: string, words: { required?: string; excluded?: string }) =>
  filterReleases([release({ name })], preferences(words))[0]?.rejections;

describe('words', () => {
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
    expect(reasons(name, { excluded: word })).toEqual(found ? [`With "${word}"`] : []);
    expect(reasons(name, { required: word })).toEqual(found ? [] : [`Without "${word}"`]);
  });

  it.each([
    ['/\\bweb\\b/', 'Sintel.web.DL', true],
    ['/\\bweb\\b/', 'Sintel.WEB.DL', false],
    ['/\\bweb\\b/i', 'Sintel.WEB.DL', true],
    ['/^sintel.*(?<!hd)dvd/i', 'Sintel.2010.HDDVD', false],
    ['/x{2,3}/', 'Sintel.xx', true],
    ['/весна/iu', 'ВЕСНА.2019', true],
  ])('finds the pattern %s in %s: %s', (pattern, name, found) => {
    expect(reasons(name, { excluded: pattern })).toEqual(found ? [`With ${pattern}`] : []);
    expect(reasons(name, { required: pattern })).toEqual(found ? [] : [`Without ${pattern}`]);
  });

  it('asks for every required word and names each that is missing', () => {
    expect(reasons('Sintel.2010.WEB', { required: 'web, remux, atmos, /x265/' })).toEqual([
      'Without "remux"',
      'Without "atmos"',
      'Without /x265/',
    ]);
  });

  it('goes on without a pattern that takes too long, for all releases alike, and says so', () => {
    const endless = { text: '/slow/', pattern: { text: 'slow', ascii: /(a+)+$/, unicode: /(a+)+$/u } };
    const trap = release({ name: `${'a'.repeat(40)}b` });
    const problems: string[] = [];
    const words = { ...preferences({ excluded: 'cam' }), requiredWords: [endless] };
    const found = matchWords(
      [release({ name: 'Sintel.CAM' }), trap],
      words,
      new Budget(1_000, 50),
      (problem) => problems.push(problem),
    );
    expect(found).toEqual([['With "cam"'], []]);
    expect(problems).toEqual(['The pattern /slow/ was left out: it takes too long on this list.']);
  });
});
