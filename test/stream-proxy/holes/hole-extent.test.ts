import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findHoleExtent, recheckHoleExtent } from '../../../src/stream-proxy/holes/hole-extent.ts';
import { FILL_POLICY } from '../../../src/stream-proxy/policy/fills.ts';

const { searchSteps: steps, maxProbes: atOnce, articleSizes: usual } = FILL_POLICY;

interface Article {
  readonly bytes: number;
  readonly lost: boolean;
}

/** How far the hole reaches that begins in the first of these articles; all behind them is there. */
async function reach(articles: readonly Article[], size: number, first = 0): Promise<number> {
  const isThere = (position: number) => {
    let end = 0;
    return articles.find(({ bytes }) => position < (end += bytes))?.lost !== true;
  };
  const probe = (position: number) => Promise.resolve(isThere(position));
  const search = {
    first,
    limit: first + FILL_POLICY.maxHole,
    steps,
    maxProbes: atOnce,
    articleSizes: [size],
    startsArticle: first === 0,
    probe,
    continueFrom: probe,
  };
  return recheckHoleExtent(search, (await findHoleExtent(search)) ?? search.limit);
}

const times = (count: number, article: Article) => Array.from({ length: count }, () => article);

/** A volume ends with a short article, and the next one begins; all of both but the short one may be lost. */
const border = fc.record({
  size: fc.constantFrom(...usual),
  before: fc.integer({ min: 1, max: 8 }),
  short: fc.integer({ min: 1, max: 383_999 }),
  lost: fc.boolean(),
  behind: fc.integer({ min: 0, max: 8 }),
});

it('a hole ends before a short article between lost ones, however short that is', async () => {
  await fc.assert(
    fc.asyncProperty(border, async ({ size, before, short, lost, behind }) => {
      const whole = { bytes: size, lost: true };
      const articles = [...times(before, whole), { bytes: short, lost }, ...times(behind, whole)];
      const end = lost ? (before + behind) * size + short : before * size;
      expect(await reach(articles, size)).toBe(end - 1);
    }),
    { numRuns: 300 },
  );
});

it('a hole that is met in its middle ends there as well', async () => {
  await fc.assert(
    fc.asyncProperty(border, fc.double({ min: 0, max: 0.99, noNaN: true }), async (given, part) => {
      const { size, before, short, behind } = given;
      const whole = { bytes: size, lost: true };
      const articles = [...times(before, whole), { bytes: short, lost: false }, ...times(behind, whole)];
      const from = Math.floor(before * size * part);
      expect(await reach(articles, size, from)).toBe(before * size - 1);
    }),
    { numRuns: 300 },
  );
});

it('few looks tell how far it is, be it as long as may be', async () => {
  let looks = 0;
  const search = {
    first: 0,
    limit: FILL_POLICY.maxHole,
    steps,
    maxProbes: atOnce,
    articleSizes: usual,
    startsArticle: true,
    probe: () => Promise.resolve(looks++ < 0),
    continueFrom: () => Promise.resolve(false),
  };
  expect(await recheckHoleExtent(search, (await findHoleExtent(search)) ?? search.limit)).toBe(
    FILL_POLICY.maxHole,
  );
  expect(looks).toBeLessThan(105);
});
