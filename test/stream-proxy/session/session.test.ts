import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newId, Session, Sessions } from '../../../src/stream-proxy/session/session.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function start() {
  const record = {
    id: newId(),
    source: { url: 'http://nas:8080/sintel.mkv', headers: {} },
    name: 'Sintel.mkv',
    size: 1,
    mime: 'video/x-matroska',
  };
  return new Session(record, { where: 'nas:8080', open: () => Promise.reject(new Error('not asked')) });
}

it('tells how long it has not been used, which a request under way ends, however long it takes', () => {
  const session = start();
  vi.advanceTimersByTime(5_000);
  expect(session.report()).toMatchObject({ unusedFor: 5_000, counters: { active: 0 } });
  const [first, second] = [session.begin(new AbortController()), session.begin(new AbortController())];
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
