import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pause } from '../../../src/io/wait.ts';
import { type FailureKind, SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';
import { FILL_POLICY } from '../../../src/stream-proxy/policy/fills.ts';
import { POLICIES, READ_POLICY } from '../../../src/stream-proxy/policy/policies.ts';
import { BLOCK_SIZE, BlockPool } from '../../../src/stream-proxy/reader/block-pool.ts';
import { readRange } from '../../../src/stream-proxy/reader/read-range.ts';
import type { SessionJournal } from '../../../src/stream-proxy/session/journal.ts';
import type { ByteSource, OpenedRange, RangeRequest } from '../../../src/stream-proxy/source/source.ts';
import { VirtualFileCheck } from '../../support/virtual-file.ts';
import { opened, SimulatedPlayer, SimulatedUpstream, simulatedFetcher } from './simulated.ts';

// The real policy in simulated time: what a player notices of a source that fails. All times in milliseconds.

const SIZE = 1000;
/** Kodi 21: a head may take 20 s; 10 s without data are the end of the film. Half a second is for the way. */
const KODI_HEAD = 19_500;
const KODI_DATA = 9_500;
const { signal } = new AbortController();
const pool = new BlockPool(POLICIES.buffer.totalMemory);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** How one attempt goes: a good one delivers everything after `after`. */
type Attempt =
  | { readonly kind: 'good'; readonly after?: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'silent-body' }
  /** A head at once, and its body so many milliseconds later. */
  | { readonly kind: 'late-body'; readonly after: number }
  | { readonly kind: FailureKind; readonly after: number };

const HANG: Attempt = { kind: 'hang' };
const GOOD: Attempt = { kind: 'good' };

/** Bytes 0..9 flow from the first attempt when it is to be a read that had begun well. */
function source(flowing: boolean, attempt: (nth: number) => Attempt): ByteSource {
  let nth = 0;
  let begun = !flowing;
  return {
    host: 'nas:8080',
    label: 'The file server (nas:8080)',
    validators: undefined,
    open: async (wish) => {
      if (begun) return answer(wish, attempt(nth++));
      begun = true;
      const range = opened(wish, SIZE);
      range.body.deliver(10);
      setTimeout(() => {
        range.body.end(new SourceFailure('broken', 'simulated'));
      }, 1);
      return range;
    },
  };
}

async function answer(wish: RangeRequest, attempt: Attempt): Promise<OpenedRange> {
  const isHeadLate = attempt.kind !== 'late-body' && 'after' in attempt;
  const takes = attempt.kind === 'hang' ? Infinity : isHeadLate ? (attempt.after ?? 0) : 0;
  await pause(Math.min(takes, wish.timeout), wish.signal);
  if (takes >= wish.timeout) throw new SourceFailure('stalled', 'simulated');
  const isAnswered = ['good', 'silent-body', 'late-body'].includes(attempt.kind);
  if (!isAnswered) throw new SourceFailure(attempt.kind as FailureKind, 'simulated');
  const range = opened(wish, SIZE);
  if (attempt.kind === 'late-body')
    setTimeout(() => {
      range.body.deliver(SIZE);
    }, attempt.after);
  if (attempt.kind === 'good') range.body.deliver(SIZE);
  return range;
}

/** Reads everything; gives how many right bytes came, and the longest time without one. */
async function readAll(
  from: ByteSource,
  before: (journal: SessionJournal) => void = () => undefined,
): Promise<{ count: number; longest: number }> {
  const { fetcher, journal } = simulatedFetcher({ source: from, size: SIZE, pool });
  before(journal);
  const range = { first: 0, last: SIZE - 1 };
  const bytes = readRange({ fetcher, journal, range, policy: READ_POLICY, signal });
  const check = new VirtualFileCheck(0);
  let [longest, since] = [0, performance.now()];
  const waited = () => {
    longest = Math.max(longest, performance.now() - since);
    since = performance.now();
  };
  const reading = (async () => {
    try {
      for (let loan = await bytes.next(); loan !== undefined; loan = await bytes.next()) {
        check.take(loan.bytes);
        loan.release();
        waited();
      }
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      waited();
    } finally {
      bytes.close();
      fetcher.close();
    }
  })();
  await vi.runAllTimersAsync();
  await reading;
  expect([check.wrongAt, pool.used]).toEqual([undefined, 0]);
  return { count: check.count, longest };
}

describe('a request to a server that has been silent for 5 s', () => {
  const silent = (journal: SessionJournal) => {
    journal.failed(new SourceFailure('stalled', 'simulated'));
    vi.advanceTimersByTime(READ_POLICY.refusedTimeout);
  };

  it('waits no longer than that: its player does not hear the person’s Stop meanwhile', async () => {
    const { longest } = await readAll(
      source(false, () => HANG),
      silent,
    );
    expect(longest).toBe(READ_POLICY.refusedTimeout);
  });

  it('has all that comes within that time', async () => {
    const from = source(false, () => ({ kind: 'good', after: READ_POLICY.refusedTimeout - 500 }));
    expect(await readAll(from, silent)).toMatchObject({ count: SIZE });
  });
});

it('a server that never answers is known to be silent before its first answer is given up for good', async () => {
  const seen: (string | undefined)[] = [];
  await readAll(
    source(true, () => HANG),
    (journal) => {
      // It has been silent since it was asked.
      for (const after of [-100, 100])
        setTimeout(() => seen.push(journal.trouble?.kind), READ_POLICY.refusedTimeout + after);
    },
  );
  expect(seen).toEqual(['failing', 'silent']);
});

describe.each([
  ['at the start', false, 13_500],
  ['in the middle of the film', true, 6_500],
] as const)('%s', (_when, flowing, outage) => {
  it.each([
    ['unreachable', READ_POLICY.refusedTimeout - 500],
    ['away', READ_POLICY.refusedTimeout - 500],
    ['unavailable', outage],
    ['broken', outage],
  ] as const)(
    'a server that is %s for a while, as when it restarts, is waited for',
    async (kind, longest) => {
      for (let until = 0; until <= longest; until += 500) {
        const began = performance.now();
        const attempt = (): Attempt => (performance.now() - began < until ? { kind, after: 1 } : GOOD);
        expect(await readAll(source(flowing, attempt))).toMatchObject({ count: SIZE });
      }
    },
  );

  it.each(['unreachable', 'away'] as const)(
    'a server that has been %s for 5 s keeps no player waiting, which asks again by itself',
    async (kind) => {
      const { longest } = await readAll(source(flowing, () => ({ kind, after: 1 })));
      expect(longest).toBeGreaterThanOrEqual(READ_POLICY.refusedTimeout);
      expect(longest).toBeLessThan(READ_POLICY.refusedTimeout + 1_500);
    },
  );

  it.each<[string, Attempt[]]>([
    ['alone', [HANG]],
    ['behind a broken body', [{ kind: 'broken', after: 10 }, HANG]],
    ['behind a silent body', [{ kind: 'silent-body' }, HANG]],
    ['behind a refused connection', [{ kind: 'unreachable', after: 0 }, HANG]],
  ])('a request that is swallowed is asked again: %s', async (_what, attempts) => {
    // The second answer is not there at once, either.
    const from = source(flowing, (nth) => attempts[nth] ?? { kind: 'good', after: 1_000 });
    expect(await readAll(from)).toMatchObject({ count: SIZE });
  });

  it('a head that is merely slow is had, though its request is asked twice', async () => {
    expect(await readAll(source(flowing, () => ({ kind: 'good', after: 5_000 })))).toMatchObject({
      count: SIZE,
    });
  });

  it.each([4_000, 5_000, 7_000, flowing ? 8_900 : 14_900])(
    'a body that comes %i ms after its head, on every connection, is had',
    async (after) => {
      let asked = 0;
      const from = source(flowing, () => {
        asked++;
        return { kind: 'late-body', after };
      });
      expect(await readAll(from)).toMatchObject({
        count: SIZE,
        longest: expect.closeTo(after, -2) as number,
      });
      // The second connection beside the first, and no third.
      expect(asked).toBeLessThanOrEqual(2);
    },
  );

  it('a body that never comes is passed by, beside it, as soon as there is another', async () => {
    const from = source(flowing, (nth) => (nth === 0 ? { kind: 'silent-body' } : GOOD));
    const { count, longest } = await readAll(from);
    expect(count).toBe(SIZE);
    expect(longest).toBeLessThan(READ_POLICY.hedgeAfter + 500);
  });

  it('where a request costs the server much, a second one is made later', async () => {
    let asked = 0;
    const late = (after: number): ByteSource => ({
      ...source(flowing, () => {
        asked++;
        return { kind: 'late-body', after };
      }),
      serving: { look: 'dear', windows: false, zeroFills: false, complete: true },
    });
    expect(await readAll(late(READ_POLICY.hedgeAfterCostly - 500))).toMatchObject({ count: SIZE });
    expect(asked).toBe(1);
  });

  it('a refusal beside a silent body ends nothing while that may still come', async () => {
    const from = source(flowing, (nth) =>
      nth === 0 ? { kind: 'late-body', after: 7_000 } : { kind: 'unavailable', after: 1 },
    );
    expect(await readAll(from)).toMatchObject({ count: SIZE });
  });

  it('a server that makes no sense is soon believed', async () => {
    const { longest } = await readAll(source(flowing, () => ({ kind: 'wrong-answer', after: 10 })));
    expect(longest).toBeLessThan(3_000);
  });

  it('a 404 of a server that has just come back is not the last word', async () => {
    const from = source(flowing, (nth) =>
      nth < 5 ? { kind: 'unreachable', after: 0 } : nth < 7 ? { kind: 'missing', after: 0 } : GOOD,
    );
    expect(await readAll(from)).toMatchObject({ count: SIZE });
  });

  it('whatever happens, it is over before the player gives up by itself', async () => {
    const attempt: fc.Arbitrary<Attempt> = fc.oneof(
      fc.constant(HANG),
      fc.constant<Attempt>({ kind: 'silent-body' }),
      fc.record({ kind: fc.constant('late-body' as const), after: fc.integer({ min: 0, max: 20_000 }) }),
      fc.record({
        kind: fc.constantFrom<FailureKind>('unreachable', 'unavailable', 'missing', 'broken', 'wrong-answer'),
        after: fc.nat(4_000),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { minLength: 1, maxLength: 30 }), async (attempts) => {
        const { longest } = await readAll(source(flowing, (nth) => attempts[nth % attempts.length] ?? HANG));
        const limit = flowing ? KODI_DATA : KODI_HEAD;
        // What a 404 means is found out for as long as that advances, whatever the player thinks of it.
        const isLooked = attempts.some(({ kind }) => kind === 'missing');
        expect(longest).toBeLessThan(isLooked ? limit + FILL_POLICY.giveUpAfter : limit);
      }),
      { numRuns: 100 },
    );
  });
});

it('a request ahead of the player that is swallowed is noticed in time for another one, should the player catch up', async () => {
  const size = 40 * BLOCK_SIZE;
  const upstream = new SimulatedUpstream(size);
  const { fetcher, journal } = simulatedFetcher({ source: upstream, size });
  upstream.speed = 10 * BLOCK_SIZE;
  const player = new SimulatedPlayer({ fetcher, journal, range: { first: 0, last: size - 1 } }).read(
    BLOCK_SIZE,
  );
  await vi.advanceTimersByTimeAsync(10);
  let asked = 0;
  upstream.meanwhile = async (wish) => {
    const takes = asked++ === 0 ? Infinity : 3_000;
    await pause(Math.min(takes, wish.timeout), wish.signal);
    if (takes >= wish.timeout) throw new SourceFailure('stalled', 'simulated');
  };
  upstream.bodies[0]?.end(new SourceFailure('broken', 'simulated'));
  await vi.advanceTimersByTimeAsync(50);
  player.read(15 * BLOCK_SIZE);
  await vi.advanceTimersByTimeAsync(READ_POLICY.nextByteTimeout);
  expect([player.check.count / BLOCK_SIZE, player.failure]).toEqual([15, undefined]);
  fetcher.close();
});
