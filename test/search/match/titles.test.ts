import { describe, expect, it } from 'vitest';
import { queryText, titleSetOf, yearInBrackets } from '../../../src/search/match/titles.ts';

describe('knownTitles', () => {
  it.each([
    ['Big Buck Bunny', 'Big Buck Bunny'],
    ['big buck bunny', 'Big Buck Bunny'],
    ['The Bunny', 'Bunny'],
    ['Bunny and Bird', 'Bunny & Bird'],
    ['Bunny Bird', 'Bunny & Bird'],
    ['Hase und Vogel', 'Hase & Vogel'],
    ['Bunnys Life', "Bunny's Life"],
    ['Spiderbunny', 'Spider-Bunny'],
    ['S B A T', 'S.B.A.T.'],
    ['SBAT', 'S.B.A.T.'],
    ['Bunny Part 2', 'Bunny: Part II'],
    ['Amelie', 'Amélie'],
    ['Fuer Hasen', 'Für Hasen'],
    ['Fur Hasen', 'Für Hasen'],
    ['Shounen Bunny', 'Shōnen Bunny'],
    ['Zayats', 'Заяц'],
    ['Caminandes US', 'Caminandes'],
    ['Caminandes', 'Caminandes (2013)'],
    ['Caminandes', 'Caminandes (US)'],
    ['Caminandes US', 'Caminandes (US)'],
    ['Caminandes GB', 'Caminandes (UK)'],
    ['Last of Us', 'The Last of Us'],
    ['Hase aka Bunny', 'Bunny'],
    ['Заяц / Bunny', 'Bunny'],
    ['Большой Бак', 'Большой Бак'],
  ])('takes %s for %s', (title, wanted) => {
    expect(titleSetOf([wanted]).includes(title)).toBe(true);
  });

  it.each([
    ['Big Buck Bunny 2', 'Big Buck Bunny'],
    ['Big Buck', 'Big Buck Bunny'],
    ['Spring Breakers', 'Spring'],
    ['Last of', 'The Last of Us'],
    ['Caminandes UK', 'Caminandes (US)'],
    ['Bunny Part 3', 'Bunny: Part II'],
    ['', 'Spring'],
    ['', ''],
    ['!!', '??'],
    ['Runner', 'Runner 2049'],
  ])('does not take %j for %j', (title, wanted) => {
    expect(titleSetOf([wanted]).includes(title)).toBe(false);
  });

  it.each([
    ['1917.2019.1080p', '1917'],
    ['The.Complete.Bunny.S01E02', 'The Complete Bunny'],
    ['Bunny.US.S01E02.1080p', 'Bunny'],
    ['Season.of.the.Bunny.1080p.WEB', 'Season of the Bunny'],
    ['Bunny.1x02', 'Bunny'],
  ])('%s begins with %s', (name, wanted) => {
    expect(titleSetOf([wanted]).isStartOf(name)).toBe(true);
  });

  it.each([
    ['Spring.Breakers.2012.1080p', 'Spring'],
    ['Springtime.2019', 'Spring'],
    ['A.Spring.Day.2019', 'Spring'],
    ['Bunny.UK.S01E02', 'Bunny (US)'],
    ['2019.1080p', ''],
    ['Spring', 'Spring'],
  ])('%s does not begin with %j', (name, wanted) => {
    expect(titleSetOf([wanted]).isStartOf(name)).toBe(false);
  });

  it('knows the numbers of its titles', () => {
    const titles = titleSetOf(['Runner 2049', 'Zone 9']);
    expect([2049, 9, 8].map(titles.hasNumber)).toEqual([true, true, false]);
  });
});

describe('queryText', () => {
  it.each([
    ["Bunny's & Friends: Again!", 'bunnys friends again'],
    ['Amélie', 'amelie'],
    ['Shared Name (2024)', 'shared name'],
    ['Bunny+', 'bunny'],
    ['Bunny＋2', 'bunny 2'],
    ['(2024)', '2024'],
  ])('%s becomes %s', (title, expected) => {
    expect(queryText(title)).toBe(expected);
  });
});

describe('yearInBrackets', () => {
  it('is the mark of a database only', () => {
    expect(['Shared Name (2024)', 'Shared Name (US)', 'Runner 2049', '(2024)'].map(yearInBrackets)).toEqual([
      2024,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
