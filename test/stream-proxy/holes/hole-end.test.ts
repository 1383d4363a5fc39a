import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findHoleEnd } from '../../../src/stream-proxy/holes/hole-end.ts';
import { FILL_POLICY } from '../../../src/stream-proxy/policy/fills.ts';

const { searchSteps: steps, maxProbes: atOnce, articleSizes: usual } = FILL_POLICY;
const LONGEST_STEP = Math.max(...steps);
const KIB = 1024;

/** Looks at a file of which the articles from `first` on are there or not. */
async function search(
  articles: readonly { size: number; lost: boolean }[],
  first: number,
  limit: number,
  sizes: readonly number[] = usual,
) {
  let probes = 0;
  let [most, under] = [0, 0];
  const end = await findHoleEnd({
    first,
    limit,
    steps,
    maxProbes: atOnce,
    articleSizes: sizes,
    probe: async (position) => {
      probes++;
      most = Math.max(most, ++under);
      await Promise.resolve();
      under--;
      let at = 0;
      return articles.some(({ size, lost }) => {
        at += size;
        return position < at && position >= at - size && !lost;
      });
    },
  });
  return { end, probes, most };
}

const article = fc.record({ size: fc.integer({ min: 400 * KIB, max: 768 * KIB }), lost: fc.boolean() });

it('is exact for whatever articles of a usual size are lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(article, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 400 * KIB, max: 768 * KIB }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.integer({ min: 1, max: 16 * 1024 * KIB }),
      fc.constantFrom([], usual, usual.slice(0, 1)),
      async (others, size, part, length, sizes) => {
        const articles = [{ size, lost: true }, ...others];
        const first = Math.floor(size * part);
        const limit = first + length;
        const behind = articles.findIndex(({ lost }) => !lost);
        const hole = articles.slice(0, behind === -1 ? undefined : behind);
        const there = behind === -1 ? Infinity : hole.reduce((sum, { size: bytes }) => sum + bytes, 0);
        const { end, probes, most } = await search(articles, first, limit, sizes);
        expect(end).toBe(there > limit ? undefined : there - 1);
        const far = Math.min(there, limit) - first;
        expect(probes).toBeLessThanOrEqual(
          far / LONGEST_STEP + 2 * steps.length + 10 * atOnce + 2 * sizes.length,
        );
        expect(most).toBeLessThanOrEqual(atOnce);
      },
    ),
    { numRuns: 300 },
  );
});

describe('a hole', () => {
  it('with nothing to be had behind it is none', async () => {
    expect((await search([{ size: 2 ** 40, lost: true }], 5, 5 + FILL_POLICY.maxHole)).end).toBeUndefined();
  });

  it('of one byte has that byte as its end', async () => {
    const articles = [
      { size: 10, lost: false },
      { size: 1, lost: true },
      { size: 2 ** 30, lost: false },
    ];
    expect((await search(articles, 10, 2 ** 20)).end).toBe(10);
  });

  it('of which nobody can tell anything rejects', async () => {
    const probe = () => Promise.reject(new Error('no answer'));
    await expect(
      findHoleEnd({ first: 0, limit: 2 ** 20, steps, maxProbes: atOnce, probe, articleSizes: [] }),
    ).rejects.toThrow('no answer');
  });
});
