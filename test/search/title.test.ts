import { describe, expect, it } from 'vitest';
import { isOneOf, queryText, startsWithOneOf } from '../../src/search/title.ts';

describe('isOneOf', () => {
  it.each([
    ['Big Buck Bunny', 'Big Buck Bunny'],
    ['big buck bunny', 'Big Buck Bunny'],
    ['The Bunny', 'Bunny'],
    ['Bunny and Bird', 'Bunny & Bird'],
    ['Bunnys Life', "Bunny's Life"],
    ['Amelie', 'Amélie'],
    ['Caminandes US', 'Caminandes'],
    ['Caminandes', 'Caminandes (2013)'],
    ['Caminandes', 'Caminandes (US)'],
    ['Hase aka Bunny', 'Bunny'],
    ['Заяц / Bunny', 'Bunny'],
    ['Большой Бак', 'Большой Бак'],
  ])('takes %s for %s', (title, wanted) => {
    expect(isOneOf(title, [wanted])).toBe(true);
  });

  it.each([
    ['Big Buck Bunny 2', 'Big Buck Bunny'],
    ['Big Buck', 'Big Buck Bunny'],
    ['Spring Breakers', 'Spring'],
    ['', 'Spring'],
    ['', ''],
    ['!!', '??'],
    ['Runner', 'Runner 2049'],
  ])('does not take %j for %j', (title, wanted) => {
    expect(isOneOf(title, [wanted])).toBe(false);
  });
});

describe('startsWithOneOf', () => {
  it.each([
    ['1917.2019.1080p', '1917'],
    ['The.Complete.Bunny.S01E02', 'The Complete Bunny'],
    ['Bunny.US.S01E02.1080p', 'Bunny'],
    ['Season.of.the.Bunny.1080p.WEB', 'Season of the Bunny'],
    ['Bunny.1x02', 'Bunny'],
  ])('%s starts with %s', (name, wanted) => {
    expect(startsWithOneOf(name, [wanted])).toBe(true);
  });

  it.each([
    ['Spring.Breakers.2012.1080p', 'Spring'],
    ['Springtime.2019', 'Spring'],
    ['A.Spring.Day.2019', 'Spring'],
    ['2019.1080p', ''],
    ['Spring', 'Spring'],
  ])('%s does not start with %j', (name, wanted) => {
    expect(startsWithOneOf(name, [wanted])).toBe(false);
  });
});

describe('queryText', () => {
  it.each([
    ["Bunny's & Friends: Again!", 'bunnys friends again'],
    ['Amélie', 'amelie'],
    ['Shared Name (2024)', 'shared name'],
    ['Bunny+', 'bunny'],
    ['(2024)', '2024'],
  ])('%s becomes %s', (title, expected) => {
    expect(queryText(title)).toBe(expected);
  });
});
