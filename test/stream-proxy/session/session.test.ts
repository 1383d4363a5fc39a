import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';
import { decideRetry, POLICIES } from '../../../src/stream-proxy/policy/policies.ts';
import { BlockPool } from '../../../src/stream-proxy/reader/block-pool.ts';
import { readRange } from '../../../src/stream-proxy/reader/read-range.ts';
import { newSessionId } from '../../../src/stream-proxy/session/record.ts';
import { Session } from '../../../src/stream-proxy/session/session.ts';
import { MAX_SESSIONS, Sessions } from '../../../src/stream-proxy/session/sessions.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function start() {
  const spec = { url: 'http://nas:8080/sintel.mkv', headers: {} };
  const source = {
    host: 'nas:8080',
    label: 'The file server (nas:8080)',
    validators: undefined,
    open: () => Promise.reject(new Error('not asked')),
  };
  const record = {
    id: newSessionId(),
    sources: [spec],
    validators: {},
    name: 'Sintel.mkv',
    size: 100,
    mime: 'video/x-matroska',
    fills: [],
  } as const;
  return new Session(record, {
    sources: [source],
    pool: new BlockPool(POLICIES.buffer.totalMemory),
    policies: POLICIES,
    decide: decideRetry,
    planFill: () => Promise.resolve({ refused: 'not asked' }),
    read: readRange,
    open: () => source,
    onChange: () => undefined,
  });
}

it('tells how long it has not been used, which a request under way ends, however long it takes', () => {
  const session = start();
  vi.advanceTimersByTime(5_000);
  expect(session.report()).toMatchObject({ unusedFor: 5_000, counters: { active: 0 } });
  const [first, second] = [
    session.beginRequest(new AbortController(), 0),
    session.beginRequest(new AbortController(), 0),
  ];
  vi.advanceTimersByTime(60_000);
  expect(session.report()).toMatchObject({ unusedFor: 0, counters: { active: 2 } });
  first();
  expect(session.report().unusedFor).toBe(0);
  second();
  vi.advanceTimersByTime(700);
  expect(session.report()).toMatchObject({ unusedFor: 700, counters: { active: 0 } });
});

it('counts as used when the player only asks about it', () => {
  const sessions = new Sessions(() => undefined);
  const session = start();
  sessions.add(session);
  vi.advanceTimersByTime(9_000);
  sessions.use(session.record.id);
  vi.advanceTimersByTime(100);
  expect(session.report().unusedFor).toBe(100);
});

it('knows a server for silent by the requests that waited in vain: their reads end with them', () => {
  const session = start();
  session.requestFailed(new SourceFailure('missing', 'simulated'));
  vi.advanceTimersByTime(60_000);
  expect(session.report().trouble).toBeUndefined();
  session.requestFailed(new SourceFailure('stalled', 'simulated'));
  vi.advanceTimersByTime(POLICIES.read.refusedTimeout);
  expect(session.report().trouble).toMatchObject({ kind: 'silent', why: { code: 'TIMEOUT' } });
  expect(session.isServerAway).toBe(true);
});

it('that ends breaks off its requests and gives back its memory', () => {
  const session = start();
  session.fetcher.cache.put(0, Buffer.alloc(100));
  const request = new AbortController();
  session.beginRequest(request, 0);
  session.end();
  expect(request.signal.aborted).toBe(true);
  expect(session.report().buffer).toEqual({ used: 0, ahead: 0, connections: 0 });
});

describe('the sweep', () => {
  const TIMES = { releaseMemoryAfter: 1_000, endUnopenedAfter: 5_000, endUnusedAfter: 20_000 };

  function table() {
    let changes = 0;
    const sessions = new Sessions(() => changes++);
    const session = start();
    session.fetcher.cache.put(0, Buffer.alloc(100));
    sessions.add(session);
    const after = (ms: number) => {
      vi.advanceTimersByTime(ms);
      sessions.sweep(TIMES);
      return {
        sessions: sessions.list().length,
        releaseMemoryAfter: session.fetcher.cache.used > 0,
        changes,
      };
    };
    return { session, after };
  }

  it('gives back memory first, then ends what no player has ever opened', () => {
    const { after } = table();
    expect(after(999)).toEqual({ sessions: 1, releaseMemoryAfter: true, changes: 1 });
    expect(after(1)).toEqual({ sessions: 1, releaseMemoryAfter: false, changes: 1 });
    expect(after(3_999)).toMatchObject({ sessions: 1 });
    expect(after(1)).toEqual({ sessions: 0, releaseMemoryAfter: false, changes: 2 });
  });

  it('keeps what a player has opened for longer', () => {
    const { session, after } = table();
    session.beginRequest(new AbortController(), 0)();
    expect(after(19_999)).toEqual({ sessions: 1, releaseMemoryAfter: false, changes: 1 });
    expect(after(1)).toMatchObject({ sessions: 0, changes: 2 });
  });

  it('keeps for as long what came from the engine before: a paused player asks for it only when it goes on', () => {
    const sessions = new Sessions(() => undefined);
    sessions.restore(start());
    const left = [TIMES.endUnusedAfter - 1, 1].map((ms) => {
      vi.advanceTimersByTime(ms);
      sessions.sweep(TIMES);
      return sessions.list().length;
    });
    expect(left).toEqual([1, 0]);
  });

  it('touches nothing that is being played, however long the player pauses', () => {
    const { session, after } = table();
    session.beginRequest(new AbortController(), 0);
    expect(after(1_000_000)).toEqual({ sessions: 1, releaseMemoryAfter: true, changes: 1 });
  });
});

describe('a full table', () => {
  it('forgets the longest unused session that nobody plays', () => {
    const sessions = new Sessions(() => undefined);
    const all = Array.from({ length: MAX_SESSIONS + 1 }, start);
    const [first, second, ...others] = all;
    for (const session of all.slice(0, MAX_SESSIONS)) sessions.add(session);
    sessions.use(first!.record.id);
    sessions.add(others.at(-1)!);
    expect(sessions.list()).toHaveLength(MAX_SESSIONS);
    expect(sessions.list()).toContain(first);
    expect(sessions.list()).not.toContain(second);
  });

  it('of streams under way takes no further one, and harms none', () => {
    const sessions = new Sessions(() => undefined);
    for (let i = 0; i < MAX_SESSIONS; i++) {
      const session = start();
      sessions.add(session);
      session.beginRequest(new AbortController(), 0);
    }
    const refused = start();
    refused.fetcher.cache.put(0, Buffer.alloc(100));
    expect(() => {
      sessions.add(refused);
    }).toThrow(expect.objectContaining({ code: 'BUSY' }) as Error);
    expect(refused.fetcher.cache.used).toBe(0);
    expect(sessions.list().map(({ counters }) => counters.active)).toEqual(Array(MAX_SESSIONS).fill(1));
  });
});
