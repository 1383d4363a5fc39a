import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideRestart, type FilmEnding, RESTART_RULE } from '../../src/service/restart-rule.ts';

const ending = (part: Partial<FilmEnding>): FilmEnding => ({
  time: 1000,
  duration: 6000,
  restarts: 0,
  lost: false,
  ...part,
});

describe('whether a film that ended is played again', () => {
  test.each([
    ['60 s before the end of an hour', { time: 3540, duration: 3600 }, 'finished'],
    ['61 s before the end of half an hour', { time: 1739, duration: 1800 }, 'restart'],
    ['2 % before the end of two hours', { time: 7056, duration: 7200 }, 'finished'],
    ['more than that', { time: 7055, duration: 7200 }, 'restart'],
    ['a film of unknown length', { time: 3540, duration: 0 }, 'finished'],
    ['behind the end that was announced', { time: 3700, duration: 3600 }, 'finished'],
    ['the third restart', { restarts: 2 }, 'restart'],
    ['the fourth', { restarts: 3 }, 'give-up'],
    ['the first with a lost source', { restarts: 0, lost: true }, 'restart'],
    ['the second with a lost source', { restarts: 1, lost: true }, 'give-up'],
  ] as const)('%s', (_what, part, kind) => {
    expect(decideRestart(RESTART_RULE, ending(part)).kind).toBe(kind);
  });

  test('goes back a little, never before the start and never ahead', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e5, noNaN: true }), (time) => {
        const verdict = decideRestart(RESTART_RULE, ending({ time, duration: 1e6 }));
        const position = verdict.kind === 'restart' ? verdict.position : -1;
        return position >= 0 && position <= time && time - position <= RESTART_RULE.rewind;
      }),
    );
  });
});
