import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monotonicProgress } from '../../../src/backends/job/progress.ts';
import type { JobProgress } from '../../../src/model/index.ts';

const STAGES = [
  ...(['queued', 'downloading', 'opening', 'verifying', 'repairing', 'unpacking', 'ready'] as const),
];

describe('the progress that is shown', () => {
  it('goes forward only, whatever the backend says', () => {
    const step = fc.record({
      stage: fc.constantFrom(...STAGES),
      percent: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const seen: JobProgress[] = [];
        const report = monotonicProgress((progress) => seen.push(progress));
        for (const { stage, percent } of steps)
          report(percent === undefined ? { stage } : { stage, percent });
        const places = seen.map(({ stage, percent }) => STAGES.indexOf(stage) * 1000 + (percent ?? -1));
        expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
        expect(seen[0]?.stage).toBe(steps[0]?.stage);
      }),
    );
  });
});
