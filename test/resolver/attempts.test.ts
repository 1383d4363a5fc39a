import { describe, expect, test } from 'vitest';
import { CancelledError, type ErrorCode, SlipstreamError } from '../../src/errors/index.ts';
import type { ProgressState } from '../../src/host/port.ts';
import type { Release } from '../../src/model/index.ts';
import { Unplayable } from '../../src/resolver/resolve.ts';
import { type Choices, type PendingStream, type ResolveContext, resolver } from '../../src/resolver.ts';
import { release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';

const REQUEST = { kind: 'movie', title: 'Sintel', ids: {} } as const;
const PLAYED: PendingStream = {
  stream: { url: 'http://127.0.0.1:1/stream/x/a.mkv' },
  commit: () => Promise.resolve(),
  discard: () => Promise.resolve(),
};
const failure = (code: ErrorCode, what: string) => new SlipstreamError(code, { what, next: 'Go on.' });
const unplayable = (what: string) => new Unplayable(failure('JOB_FAILED', what));

function choices(...names: string[]): Choices {
  const left = names.map((name) => release({ name }));
  return {
    next: () => {
      const next = left.shift();
      return Promise.resolve(next && { release: next });
    },
  };
}

/** Resolves by what `outcome` says of each release; gives what was tried and shown. */
async function attempt(
  outcome: (name: string) => Error | undefined,
  { names = ['a', 'b', 'c', 'd'], attempts = 3 } = {},
) {
  const tried: string[] = [];
  const shown: ProgressState[] = [];
  const stages = {
    ...resolver,
    resolveRelease: async (
      { release: { name } }: { release: Release },
      _: unknown,
      context: ResolveContext,
    ) => {
      tried.push(name);
      await context.progress.update({ stage: 'Working', detail: name });
      const error = outcome(name);
      if (error !== undefined) throw error;
      return PLAYED;
    },
  } as typeof resolver;
  const progress = {
    update: (state: ProgressState) => {
      shown.push(state);
      return Promise.resolve();
    },
  };
  const context = { ...({} as ResolveContext), progress, attempts, log: memoryLog(), signal: live() };
  const result = await stages
    .resolveFirst(choices(...names), REQUEST, context, stages)
    .catch((error: unknown) => error);
  return { result, tried, shown };
}

const live = () => new AbortController().signal;

describe('the next choice', () => {
  test('is not needed when the first one plays', async () => {
    const { result, tried, shown } = await attempt(() => undefined);
    expect(result).toBe(PLAYED);
    expect(tried).toEqual(['a']);
    expect(shown).toEqual([{ stage: 'Working', detail: 'a' }]);
  });

  test('is tried when one cannot be played, and the dialog says why', async () => {
    const { result, tried, shown } = await attempt((name) =>
      name === 'b' ? undefined : unplayable('Gone.'),
    );
    expect(result).toBe(PLAYED);
    expect(tried).toEqual(['a', 'b']);
    expect(shown.at(-1)?.detail).toBe('Release 2 of 3: b · Gone.');
  });

  test('ends at the person’s limit, with the first failure and how many followed', async () => {
    const { result, tried } = await attempt((name) => unplayable(`${name} is gone.`));
    expect(tried).toEqual(['a', 'b', 'c']);
    expect(result).toMatchObject({
      code: 'JOB_FAILED',
      explanation: { what: 'All 3 releases that were tried failed.', next: 'a is gone. Go on.' },
    });
  });

  test('ends when there is none left; a single failure is told as it is', async () => {
    const { result } = await attempt(() => unplayable('Gone.'), { names: ['a'] });
    expect(result).toMatchObject({ explanation: { what: 'Gone.', next: 'Go on.' } });
  });

  test.each([
    ['a backend that does not answer', failure('UNREACHABLE', 'Nobody is there.')],
    ['a wrong key of the backend', failure('AUTH_FAILED', 'Wrong key.')],
    ['the person’s cancel', new CancelledError('person')],
  ])('is not tried after %s', async (_, error) => {
    const { result, tried } = await attempt(() => error);
    expect(result).toBe(error);
    expect(tried).toEqual(['a']);
  });
});
