import { expect, test } from 'vitest';
import { expectNothingLeft, pipeline, SINTEL } from './set-up.ts';

/** An indexer whose caps forbid a search by words, as those of InfiniDysk's own adapter (protocols.md §2.9). */
const support = { movie: ['imdbid'], tv: ['imdbid', 'season', 'ep'], noText: true } as const;

test('an indexer that takes ids alone is asked by id, and nothing else', async () => {
  const p = await pipeline({ support });
  expect(await p.resolve(SINTEL)).toBe(true);
  expect(asked(p)).toEqual(['movie']);
});

test('it is asked nothing else where its id finds nothing', async () => {
  const p = await pipeline({ support });
  expect(await p.resolve('?type=movie&title=Sintel&year=2010&imdb=tt0000009')).toBe(false);
  expect(asked(p)).toEqual(['movie']);
  await expectNothingLeft(p);
});

test('it is asked nothing at all for a title without an id, and why is told', async () => {
  const p = await pipeline({ support });
  expect(await p.resolve('?type=movie&title=Sintel&year=2010')).toBe(false);
  expect(asked(p)).toEqual([]);
  const [told] = p.host.notified;
  expect(told?.what).toContain('is asked by ids only, and none that it takes is known of this title');
  await expectNothingLeft(p);
});

/** The searches that the indexer was sent. */
const asked = ({ sandbox }: Awaited<ReturnType<typeof pipeline>>) =>
  sandbox.requests
    .filter(({ service }) => service === 'indexer')
    .map(({ query }) => query['t'] ?? '')
    .filter((t) => t !== 'caps' && t !== 'get');
