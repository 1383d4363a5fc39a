import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type FailureKind, SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';
import { TroubleTracker } from '../../../src/stream-proxy/session/trouble.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the trouble of a server', () => {
  const troubles = () => new TroubleTracker(5_000);
  const fail = (kind: FailureKind) => new SourceFailure(kind, 'simulated');

  test('begins with a failed read, and ends with a byte', () => {
    const known = troubles();
    expect(known.current).toBeUndefined();
    const since = Date.now();
    known.failed(fail('unavailable'));
    vi.advanceTimersByTime(60_000);
    known.failed(fail('unavailable'));
    expect(known.current).toMatchObject({ kind: 'failing', since });
    known.bytesReceived();
    expect(known.current).toBeUndefined();
  });

  test.each([
    [['unreachable', 'unreachable', 'unreachable'], 'refused'],
    [['away', 'unreachable', 'away'], 'refused'],
    [['unreachable', 'unavailable', 'unreachable'], 'failing'],
    [['broken', 'broken', 'unreachable'], 'failing'],
    [['broken', 'unreachable', 'unreachable'], 'refused'],
    [['stalled', 'stalled', 'stalled'], 'silent'],
    [['unreachable', 'stalled', 'unreachable'], 'silent'],
    [['stalled', 'unavailable', 'stalled'], 'failing'],
  ] as const)('counts as a refusal, or as silence, once nothing else has come for 5 s: %j', (kinds, kind) => {
    const known = troubles();
    for (const each of kinds) {
      known.failed(fail(each));
      vi.advanceTimersByTime(2_500);
    }
    expect(known.current?.kind).toBe(kind);
  });

  test('is silence 5 s after the first read that got no answer, whether another has failed by then or not', () => {
    const known = troubles();
    const since = Date.now();
    const failure = fail('stalled');
    known.failed(failure);
    vi.advanceTimersByTime(4_999);
    expect(known.current).toEqual({ kind: 'failing', since, failure });
    vi.advanceTimersByTime(1);
    expect(known.current).toEqual({ kind: 'silent', since, failure });
    known.bytesReceived();
    expect(known.current).toBeUndefined();
  });

  test('that is told by two names, as it refuses by and by, is one', () => {
    const known = troubles();
    known.failed(fail('stalled'));
    vi.advanceTimersByTime(5_000);
    known.failed(fail('unreachable'));
    const { kind, since } = known.current ?? {};
    vi.advanceTimersByTime(5_000);
    expect([kind, known.current?.kind]).toEqual(['silent', 'refused']);
    expect(known.current?.since).toBe(since);
  });

  test('lasts as long as it does, whatever is done to the clock', () => {
    const known = troubles();
    expect(known.failed(fail('away'))).toBe(0);
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(5_000);
    expect(known.failed(fail('away'))).toBe(5_000);
    expect(known.current?.kind).toBe('refused');
  });
});
