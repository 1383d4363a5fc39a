import { getEventListeners } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deadlineSignal, pause, poll, repeatEvery, yieldEvery } from '../../src/io/wait.ts';

const STOP = new Error('stop');
const nothing = () => Promise.resolve(undefined);
const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

function fakeTime() {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

describe('pause', () => {
  test('ends with its time, and leaves no listener', async () => {
    const { signal } = new AbortController();
    await pause(1, signal);
    expect(listeners(signal)).toBe(0);
  });

  test('ends with the reason when the signal has aborted, before or meanwhile', async () => {
    fakeTime();
    const controller = new AbortController();
    const waiting = pause(60_000, controller.signal);
    controller.abort(STOP);
    await expect(waiting).rejects.toBe(STOP);
    await expect(pause(60_000, controller.signal)).rejects.toBe(STOP);
    expect(vi.getTimerCount()).toBe(0);
    expect(listeners(controller.signal)).toBe(0);
  });

  test.each([Infinity, 2 ** 31, Number.MAX_SAFE_INTEGER])(
    '%d milliseconds are not over at once',
    async (ms) => {
      fakeTime();
      const controller = new AbortController();
      let over = false;
      const waiting = pause(ms, controller.signal).then(() => {
        over = true;
      });
      await vi.advanceTimersByTimeAsync(86_400_000);
      expect(over).toBe(false);
      controller.abort(STOP);
      await expect(waiting).rejects.toBe(STOP);
    },
  );
});

describe('giveWayEvery', () => {
  test('lets everything else have its turn when the time is up, and not before', async () => {
    const turned = vi.fn();
    const giveWay = yieldEvery(60_000, new AbortController().signal);
    setImmediate(turned);
    for (let call = 0; call < 100; call++) await giveWay();
    expect(turned).not.toHaveBeenCalled();
    await yieldEvery(0, new AbortController().signal)();
    expect(turned).toHaveBeenCalledOnce();
  });

  test('rejects with the reason of its signal, before and after the turn', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const giveWay = yieldEvery(0, controller.signal);
    setImmediate(() => {
      controller.abort(reason);
    });
    await expect(giveWay()).rejects.toBe(reason);
    await expect(giveWay()).rejects.toBe(reason);
  });
});

describe('poll', () => {
  const options = (signal: AbortSignal) => ({ signal, interval: () => 100, deadline: 250 });

  test('gives the first thing found, and looks no more', async () => {
    fakeTime();
    const { signal } = new AbortController();
    const look = vi.fn(() => Promise.resolve(look.mock.calls.length === 2 ? 0 : undefined));
    const found = poll(look, options(signal));
    await vi.runAllTimersAsync();
    expect(await found).toBe(0);
    expect(look).toHaveBeenCalledTimes(2);
    expect(listeners(signal)).toBe(0);
  });

  test('looks a last time at the deadline', async () => {
    fakeTime();
    const times: number[] = [];
    const start = performance.now();
    const look = () => {
      times.push(performance.now() - start);
      return nothing();
    };
    const found = poll(look, options(new AbortController().signal));
    await vi.runAllTimersAsync();
    await found;
    expect(times).toEqual([0, 100, 200, 250]);
  });

  test('looks once when there is no time at all', async () => {
    const look = vi.fn(nothing);
    await poll(look, { ...options(new AbortController().signal), deadline: 0 });
    expect(look).toHaveBeenCalledTimes(1);
  });

  test('asks for each interval with the number of looks', async () => {
    fakeTime();
    const asked: number[] = [];
    const interval = (looks: number) => {
      asked.push(looks);
      return 100;
    };
    const found = poll(nothing, { ...options(new AbortController().signal), interval });
    await vi.runAllTimersAsync();
    await found;
    expect(asked).toEqual([1, 2, 3]);
  });

  test('does not look after an abort, and ends a pause at once', async () => {
    const controller = new AbortController();
    const look = vi.fn(nothing);
    const found = poll(look, { signal: controller.signal, interval: () => 3_600_000 });
    await vi.waitFor(() => {
      expect(listeners(controller.signal)).toBe(1);
    });
    controller.abort(STOP);
    await expect(found).rejects.toBe(STOP);
    await expect(poll(look, options(controller.signal))).rejects.toBe(STOP);
    expect(look).toHaveBeenCalledTimes(1);
  });

  test('ends with the failure of a look', async () => {
    const look = () => Promise.reject(STOP);
    await expect(poll(look, options(new AbortController().signal))).rejects.toBe(STOP);
  });
});

describe('deadlineSignal', () => {
  test('aborts with its own reason when time is up, and lets go of the parent', async () => {
    fakeTime();
    const parent = new AbortController();
    const { signal } = deadlineSignal(parent.signal, 50, () => STOP);
    await vi.advanceTimersByTimeAsync(50);
    expect(signal.reason).toBe(STOP);
    expect(listeners(parent.signal)).toBe(0);
    parent.abort(new Error('late'));
    expect(signal.reason).toBe(STOP);
  });

  test.each(['before', 'meanwhile'])('aborts with the parent’s reason: aborted %s', (when) => {
    fakeTime();
    const parent = new AbortController();
    if (when === 'before') parent.abort(STOP);
    const { signal } = deadlineSignal(parent.signal, 50, () => new Error('time is up'));
    parent.abort(STOP);
    expect(signal.reason).toBe(STOP);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('once done, neither time nor parent aborts it, and nothing is left behind', () => {
    fakeTime();
    const parent = new AbortController();
    const { signal, done } = deadlineSignal(parent.signal, 50, () => STOP);
    done();
    done();
    expect(vi.getTimerCount()).toBe(0);
    expect(listeners(parent.signal)).toBe(0);
    parent.abort(STOP);
    expect(signal.aborted).toBe(false);
  });

  test('a deadline longer than a timer can be is not over at once', async () => {
    fakeTime();
    const { signal, done } = deadlineSignal(new AbortController().signal, Infinity, () => STOP);
    await vi.advanceTimersByTimeAsync(86_400_000);
    expect(signal.aborted).toBe(false);
    done();
  });
});

describe('every', () => {
  test('runs one task at a time until the abort, and then resolves', async () => {
    fakeTime();
    const controller = new AbortController();
    let running = 0;
    let runs = 0;
    const done = repeatEvery(100, controller.signal, async () => {
      expect(++running).toBe(1);
      await pause(250, controller.signal);
      running--;
      runs++;
    });
    await vi.advanceTimersByTimeAsync(1000);
    controller.abort(STOP);
    await done;
    expect(runs).toBe(3);
    expect(vi.getTimerCount()).toBe(0);
    expect(listeners(controller.signal)).toBe(0);
  });

  test('resolves when the abort is what the task failed of', async () => {
    const controller = new AbortController();
    const done = repeatEvery(100, controller.signal, () => pause(3_600_000, controller.signal));
    controller.abort(STOP);
    await expect(done).resolves.toBeUndefined();
  });

  test('ends with any other failure of its task', async () => {
    const fail = () => {
      throw STOP;
    };
    await expect(repeatEvery(100, new AbortController().signal, fail)).rejects.toBe(STOP);
  });

  test('never runs when the signal has aborted before', async () => {
    const task = vi.fn();
    await repeatEvery(100, AbortSignal.abort(), task);
    expect(task).not.toHaveBeenCalled();
  });
});
