import { describe, expect, test } from 'vitest';
import { CancelledError, type ErrorCode, SlipstreamError } from '../../src/errors/index.ts';
import type { ProgressState } from '../../src/host/port.ts';
import type { Release } from '../../src/model/index.ts';
import { Unplayable } from '../../src/resolver/unplayable.ts';
import {
  type Choice,
  type Choices,
  PendingStream,
  type ResolveContext,
  resolver,
} from '../../src/resolver.ts';
import { link, release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';

const REQUEST = { kind: 'movie', title: 'Sintel', ids: {} } as const;
const PLAYED = new PendingStream({ stream: { url: 'http://127.0.0.1:1/stream/x/a.mkv' } });
const failure = (code: ErrorCode, what: string) => new SlipstreamError(code, { what, next: 'Go on.' });
const unplayable = (what: string) => new Unplayable(failure('JOB_FAILED', what));

/** By name alone: a release that one indexer has. */
function choices(...given: (string | Choice)[]): Choices {
  const left = given.map(
    (each): Choice => (typeof each === 'string' ? { kind: 'found', release: release({ name: each }) } : each),
  );
  return { next: () => Promise.resolve(left.shift()) };
}

/** Resolves by what `outcome` says of each release; gives what was tried and shown. */
async function attempt(
  outcome: (name: string) => Error | undefined,
  {
    names = ['a', 'b', 'c', 'd'],
    attempts = 3,
  }: { readonly names?: readonly (string | Choice)[]; readonly attempts?: number } = {},
) {
  const tried: string[] = [];
  const shown: ProgressState[] = [];
  const stages = {
    ...resolver,
    resolveRelease: async (
      { release: { name, links } }: { release: Release },
      _: unknown,
      context: ResolveContext,
    ) => {
      tried.push(name);
      await context.progress.update({ stage: 'Working', detail: name });
      const error = outcome(name);
      if (error instanceof Unplayable) context.limits?.record(links[0], error.failure);
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

test('what sums up the failures before it is told of them all', async () => {
  const explanation = { what: 'The provider is away, or all are gone.', next: 'Look there.' };
  const summary = new SlipstreamError('JOB_FAILED', explanation, { isSummary: true });
  const { result } = await attempt((name) => (name === 'b' ? new Unplayable(summary) : unplayable(name)));
  expect(result).toMatchObject({
    explanation: { next: 'The provider is away, or all are gone. Look there.' },
    cause: summary,
  });
});

describe('an indexer that delivers no more', () => {
  const OVER = failure('RATE_LIMITED', 'Spent allows no more.');
  const of = (name: string, ...indexers: string[]): Choice => {
    const [first = link(), ...others] = indexers.map((indexer) => link({ indexer }));
    return { kind: 'found', release: release({ name, links: [first, ...others] }) };
  };
  const attemptOf = (names: readonly Choice[], fails: (name: string) => SlipstreamError | undefined) =>
    attempt(
      (name) => {
        const why = fails(name);
        return why && new Unplayable(why);
      },
      { names, attempts: 2 },
    );

  test('costs one try: releases that it alone has are passed over', async () => {
    const names = [of('a', 'Spent'), of('b', 'Spent'), of('c', 'Spent', 'Other'), of('d', 'Other')];
    const { result, tried } = await attemptOf(names, (name) => (name === 'a' ? OVER : undefined));
    expect(result).toBe(PLAYED);
    expect(tried).toEqual(['a', 'c']);
  });

  test('is what is told when nothing else is left, whatever else has failed', async () => {
    const names = [of('a', 'Other', 'Spent'), of('b', 'Spent'), of('c', 'Spent')];
    const gone = failure('NZB_INVALID', 'Gone.');
    const stages = await attempt((name) => new Unplayable(name === 'a' ? gone : OVER), { names });
    expect(stages.tried).toEqual(['a', 'b']);
    expect(stages.result).toBe(OVER);
  });

  test('is not asked for what the backend holds already, or what plays by itself', async () => {
    const there = { id: '1', name: 'b', category: 'movies', storage: '' };
    const held = { ...of('b', 'Spent'), existingJob: there };
    const { tried } = await attemptOf([of('a', 'Spent'), held], (name) => (name === 'a' ? OVER : undefined));
    expect(tried).toEqual(['a', 'b']);
    const playing: Choice = {
      kind: 'found',
      release: release({ name: 'c', links: [link({ indexer: 'Spent', plays: true })] }),
    };
    const other = await attemptOf([of('a', 'Spent'), playing], (name) => (name === 'a' ? OVER : undefined));
    expect(other.tried).toEqual(['a', 'c']);
  });
});
