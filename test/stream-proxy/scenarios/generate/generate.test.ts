import { describe, expect, it } from 'vitest';
import { troublesOf } from '../describe.ts';
import type { Step } from '../scenario.ts';
import { generate } from './index.ts';

const FIXED = Array.from({ length: 300 }, (_, i) => generate(i + 1));

it('a seed is one scenario, and neighbours are others', () => {
  expect(generate(7)).toEqual(generate(7));
  expect(generate(7)).not.toEqual({ ...generate(8), seed: 7 });
});

describe('the 300 fixed ones hold', () => {
  const count = (names: readonly string[]) => new Set(names).size;

  it('each container, player, dialect and promise', () => {
    expect(count(FIXED.map(({ file }) => file.container))).toBe(7);
    expect(count(FIXED.map(({ player }) => player.style))).toBe(8);
    expect(count(FIXED.map(({ upstream }) => upstream.script.dialect))).toBe(3);
    expect(count(FIXED.map(({ promise }) => promise))).toBe(3);
  });

  it.each([
    ...[
      'refuse',
      'no-answer',
      'late-head',
      'late head, always',
      'late body, always',
      'status 503',
      'status 404',
      'status 401',
      'surplus',
      'stall',
      'away',
      'change',
    ],
    ...['cut: fin', 'cut: reset', 'cut: clean'],
    ...['first', 'last', 'size', 'length', 'whole', 'no-content-range', 'content-range'].map(
      (what) => `lie: ${what}`,
    ),
    ...['encoding', 'etag', 'last-modified', 'chunked', 'no-length', 'less'].map((what) => `lie: ${what}`),
    ...['late region (404)', 'late region (503)', 'missing region', 'latency', 'idle connections closed'],
    ...['throttled per connection', 'throttled in total'],
  ])('%s', (trouble) => {
    expect(FIXED.some(({ upstream }) => troublesOf(upstream.script).includes(trouble))).toBe(true);
  });

  it('files beyond 32 bits and at 53', () => {
    const sizes = FIXED.map(({ file }) => file.size);
    expect(sizes.some((size) => size > 2 ** 32)).toBe(true);
    expect(sizes).toContain(Number.MAX_SAFE_INTEGER);
  });
});

it('positions and sizes lie within the file', () => {
  const opens = (steps: readonly Step[]): (Step & { do: 'open' })[] =>
    steps.flatMap((step) =>
      step.do === 'open' ? [step] : step.do === 'both' ? [...opens(step.left), ...opens(step.right)] : [],
    );
  for (const { file, player, upstream } of FIXED) {
    const regions = [...opens(player.steps), ...upstream.script.missing, ...upstream.script.late];
    for (const { first, last = file.size - 1 } of regions) {
      expect(first).toBeGreaterThanOrEqual(0);
      expect(last).toBeGreaterThanOrEqual(first);
      expect(last).toBeLessThan(file.size);
    }
  }
});

it('where everything is owed, no trouble lasts', () => {
  const owed = FIXED.filter(({ promise }) => promise === 'everything').flatMap(
    ({ upstream }) => upstream.script.faults,
  );
  const harmless = ['chunked', 'no-length', 'less'];
  const lasting = owed.filter(
    (fault) =>
      fault.times === undefined &&
      // Slow, but alive.
      !['late-head', 'stall'].includes(fault.kind) &&
      !(fault.kind === 'lie' && harmless.includes(fault.lie.what)) &&
      !(fault.kind === 'cut' && 'after' in fault.at),
  );
  expect(lasting).toEqual([]);
});
