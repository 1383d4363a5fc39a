import { expect, test } from 'vitest';
import { episodeText } from '../../src/release/index.ts';

test.each([
  [{ season: 2, episode: 1 }, 'S02E01'],
  [{ season: 0, episode: 12 }, 'S00E12'],
  [{ season: 2, episode: 101, aired: '2015-07-29' }, 'S02E101'],
  [{ season: 2024, episode: 305, aired: '2024-03-05' }, '2024-03-05'],
  [{ season: 2024, episode: 305 }, 'S2024E305'],
])('the episode %j is called %s', (episode, text) => {
  expect(episodeText(episode)).toBe(text);
});
