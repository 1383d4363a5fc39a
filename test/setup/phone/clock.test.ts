import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deferred } from '../../../src/io/deferred.ts';
import { TimeLeft } from '../../../src/setup/phone/time-left.ts';

// The page's clock, against the time of the TV, while nothing passes but what a test lets pass.

type Warning = 'short' | 'last' | undefined;
interface Clock {
  startClock(ears: { warn: (kind: Warning) => void; over: () => void }): void;
  stopClock(): void;
}
interface Api {
  send(path: string, body?: object): Promise<unknown>;
}

const MINUTE = 60_000;

/** A page that has just been told how long the TV waits. */
async function opened(time: TimeLeft) {
  const ears = new Map<string, () => void>();
  const element = { textContent: '', hidden: true, classList: { toggle: () => undefined } };
  vi.stubGlobal('document', {
    getElementById: () => element,
    addEventListener: (kind: string, act: () => void) => ears.set(kind, act),
  });
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  const held: Promise<unknown>[] = [];
  vi.stubGlobal('fetch', async (_path: string, { method }: RequestInit) => {
    if (method === 'POST') time.prolong();
    const headers = { 'slipstream-time-left': time.asText };
    await held.shift();
    return Response.json({}, { headers });
  });
  vi.resetModules();
  const page = '../../../src/setup/phone/page';
  const { startClock, stopClock } = (await import(`${page}/clock.mjs`)) as Clock;
  const { send } = (await import(`${page}/api.mjs`)) as Api;
  const seen: { warning: Warning; isOver: boolean } = { warning: undefined, isOver: false };
  await send('/api/settings');
  startClock({
    warn: (kind) => {
      seen.warning = kind;
    },
    over: () => {
      seen.isOver = true;
      stopClock();
    },
  });
  return {
    seen,
    send,
    /** The answer to the next request comes when that does. */
    hold: (until: Promise<unknown>) => held.push(until),
    press: async (kind = 'click') => {
      ears.get(kind)?.();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('warns from two minutes before the end on, and not above them', async () => {
  const { seen } = await opened(new TimeLeft());
  for (let minute = 10; minute > 2; minute--) {
    expect(seen.warning, `${minute} minutes before`).toBeUndefined();
    await pass(MINUTE - 1_000);
    expect(seen.warning).toBeUndefined();
    await pass(1_000);
  }
  expect(seen.warning).toBe('short');
  await pass(2 * MINUTE - 1_000);
  expect(seen).toEqual({ warning: 'short', isOver: false });
  await pass(1_000);
  expect(seen.isOver).toBe(true);
});

it('warns that no press helps any more before the end of the hour', async () => {
  const { seen, press } = await opened(new TimeLeft());
  for (let minute = 0; minute < 57; minute += 3) {
    await pass(3 * MINUTE);
    await press();
    expect(seen.warning).toBeUndefined();
  }
  await pass(MINUTE);
  expect(seen.warning).toBe('last');
  await press();
  expect(seen.warning).toBe('last');
  await pass(2 * MINUTE);
  expect(seen.isOver).toBe(true);
});

it.each(['input', 'click', 'keydown'])('is put off by one %s alone', async (kind) => {
  const time = new TimeLeft();
  const { seen, press } = await opened(time);
  await pass(MINUTE);
  await press(kind);
  expect(time.left).toBe(10 * MINUTE);
  await pass(9.5 * MINUTE);
  expect([seen.isOver, time.left]).toEqual([false, 0.5 * MINUTE]);
});

it('goes on for as long as the TV waits after what was sent right behind a press', async () => {
  const time = new TimeLeft();
  const { seen, send, press } = await opened(time);
  await pass(MINUTE);
  await press();
  // The TV is not told of this press, but of what it sends.
  await pass(14_000);
  await press();
  await send('/api/test', {});
  await pass(10 * MINUTE - 1_000);
  expect([seen.isOver, time.left]).toEqual([false, 1_000]);
  await pass(1_000);
  expect([seen.isOver, time.left]).toEqual([true, 0]);
});

it('is not put back by an answer that was long in coming', async () => {
  const time = new TimeLeft();
  const { seen, send, hold, press } = await opened(time);
  const answered = deferred<undefined>();
  hold(answered.promise);
  const tested = send('/api/test', {});
  await pass(MINUTE);
  await press();
  answered.resolve(undefined);
  await tested;
  await pass(9.5 * MINUTE);
  expect([seen.isOver, time.left]).toEqual([false, 0.5 * MINUTE]);
});

it('counts an answer from when it was asked for: the TV waits no shorter', async () => {
  const time = new TimeLeft();
  const { seen, send, hold } = await opened(time);
  const answered = deferred<undefined>();
  hold(answered.promise);
  const tested = send('/api/test', {});
  await pass(MINUTE);
  answered.resolve(undefined);
  await tested;
  await pass(9 * MINUTE);
  expect([seen.isOver, time.left]).toEqual([true, 0]);
});
