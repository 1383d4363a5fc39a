import { expect, test } from 'vitest';
import { plainTitle, titleWords } from '../../src/release/index.ts';

test.each([
  ['The Bunny & the Bird: Part II', 'bunny the bird part 2'],
  ['Hare and Bird', 'hare bird'],
  ['Hase und Vogel', 'hase vogel'],
  ['Le Lièvre et la Lune', 'le lievre la lune'],
  ['Hare+Bird', 'hare bird'],
  ['Bunny: Part Two', 'bunny part 2'],
  ['Bunny X', 'bunny 10'],
  ['Bunny.x.264', 'bunny x 264'],
  ['Five Hares', 'five hares'],
  ['An', 'an'],
  ['And', 'and'],
  ['Und et', 'und et'],
  ['!!', ''],
  ['', ''],
])('the words of the title %j are %j', (title, words) => {
  expect(titleWords(title).join(' ')).toBe(words);
});

test('a plain title keeps its articles and numerals, without "+"', () => {
  expect(plainTitle('The Bunny+ & Bird, Part II')).toBe('the bunny bird part ii');
});
