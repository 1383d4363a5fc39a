import { describe, expect, it } from 'vitest';
import { parseNames, parseWords } from '../../src/release/word-list.ts';

const texts = (text: string) => parseWords(text).words.map((word) => word.text);

describe('parseWords', () => {
  it.each([
    ['cam, web-dl', ['cam', 'web-dl']],
    [' , ,cam,', ['cam']],
    ['', []],
    ['/a,b/, c', ['/a,b/', 'c']],
    ['c,/[/,]{1,2}/i', ['c', '/[/,]{1,2}/i']],
    ['/a\\/b/', ['/a\\/b/']],
    ['AC/DC, 1/2', ['AC/DC', '1/2']],
    ['/unfinished, c', ['/unfinished', 'c']],
    ['/a/i b', ['/a/i b']],
  ])('reads %j', (text, expected) => {
    expect(texts(text)).toEqual(expected);
    expect(parseWords(text).problems).toEqual([]);
  });

  it('tells patterns from words', () => {
    expect(parseWords('/a/i, /b, c').words.map(({ pattern }) => pattern !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each([
    [
      '/(a+)+/',
      'The pattern /(a+)+/ is not used: it repeats a repetition, which may take for ever on some names.',
    ],
    ['/(a/', 'The pattern /(a/ is not used: a bracket is never closed.'],
    ['/a/g', 'The pattern /a/g is not used: of the flags only "i" means something here, not "g".'],
  ])('leaves out %s and says why', (text, problem) => {
    expect(parseWords(`${text}, cam`)).toEqual({ words: [{ text: 'cam' }], problems: [problem] });
  });

  it('has an end', () => {
    const { words, problems } = parseWords('a,'.repeat(300));
    expect(words).toHaveLength(200);
    expect(problems).toEqual(['Only the first 200 words of a list are used.']);
  });
});

describe('parseNames', () => {
  it('splits at commas', () => {
    expect(parseNames(' INV, other ,,')).toEqual(['INV', 'other']);
    expect(parseNames('')).toEqual([]);
    expect(parseNames('a,'.repeat(300))).toHaveLength(200);
  });
});
