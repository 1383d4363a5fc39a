import { onTestFinished } from 'vitest';
import type { BrowserPage } from './browser.ts';

/** The time of a page, which passes only when the test lets it. */
export interface HeldTime {
  /** Lets milliseconds pass: what was due by then has run. */
  pass(ms: number): Promise<void>;
}

/** Holds the time of the pages that are opened from now on, until the test ends. */
export async function holdTime(page: BrowserPage): Promise<HeldTime> {
  onTestFinished(await page.beforeEach(`(${hold.toString()})()`));
  return { pass: (ms) => page.evaluate(`heldTime.pass(${ms})`) };
}

interface Timer {
  readonly act: () => void;
  readonly every: number | undefined;
  due: number;
}

/** Runs in the page. */
function hold(): void {
  let now = performance.now();
  let lastId = 0;
  const timers = new Map<number, Timer>();
  const start = (act: () => void, wait: number, every?: number) => {
    timers.set(++lastId, { act, every, due: now + wait });
    return lastId;
  };
  const stop = (id: number) => timers.delete(id);
  /** Runs what is due next until then. Gives whether there was any. */
  const runNext = (end: number) => {
    const [next] = [...timers].filter(([, { due }]) => due <= end).sort(([, a], [, b]) => a.due - b.due);
    if (next === undefined) return false;
    const [id, timer] = next;
    now = timer.due;
    if (timer.every === undefined) timers.delete(id);
    else timer.due += timer.every;
    timer.act();
    return true;
  };
  performance.now = () => now;
  Object.assign(globalThis, {
    setTimeout: (act: () => void, wait = 0) => start(act, wait),
    setInterval: (act: () => void, wait: number) => start(act, wait, wait),
    clearTimeout: stop,
    clearInterval: stop,
    heldTime: {
      pass: (ms: number) => {
        const end = now + ms;
        while (runNext(end));
        now = end;
      },
    },
  });
}
