import { describe, expect, it } from 'vitest';
import { languageCode, languageName } from '../../src/release/index.ts';

describe('languageCode', () => {
  it.each([
    ['de', 'de'],
    [' GER ', 'de'],
    ['deu', 'de'],
    ['German', 'de'],
    ['pt-BR', 'pt'],
    ['fil', 'tl'],
    ['xx', undefined],
    ['constructor', undefined],
    ['', undefined],
  ])('reads %j as %s', (text, code) => {
    expect(languageCode(text)).toBe(code);
  });
});

describe('languageName', () => {
  it('names what it knows', () => {
    expect(['de', 'ja', 'xx', 'constructor'].map(languageName)).toEqual([
      'German',
      'Japanese',
      'xx',
      'constructor',
    ]);
  });
});
