import { describe, expect, it } from 'vitest';
import { plainWords } from '../../src/release/index.ts';

describe('plainWords', () => {
  it.each([
    ['Sintel.2010.WEB-DL', 'sintel 2010 web dl'],
    ["Bunny's & Friends!", 'bunnys friends'],
    ['Amélie Ødegård Straße Łódź Œuvre', 'amelie odegard strasse lodz oeuvre'],
    ['HDR10+ DD+', 'hdr10+ dd+'],
    ['Большой Бак', 'большои бак'],
    ['  ..  ', ''],
    ['', ''],
  ])('%j becomes %j', (text, expected) => {
    expect(plainWords(text)).toBe(expected);
  });
});
