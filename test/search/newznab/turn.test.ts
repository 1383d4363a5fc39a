import { describe, expect, it } from 'vitest';
import { oneAtATime } from '../../../src/search/newznab/turn.ts';

const never = () => new AbortController().signal;

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('oneAtATime', () => {
  it('runs tasks one after the other, in order', async () => {
    const turns = oneAtATime();
    const seen: string[] = [];
    const first = gate();
    const a = turns.take(never(), async () => {
      seen.push('a starts');
      await first.opened;
      seen.push('a ends');
    });
    const b = turns.take(never(), () => Promise.resolve(seen.push('b')));
    first.open();
    await Promise.all([a, b]);
    expect(seen).toEqual(['a starts', 'a ends', 'b']);
  });

  it('goes on after a failure', async () => {
    const turns = oneAtATime();
    await expect(turns.take(never(), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.take(never(), () => Promise.resolve(1))).toBe(1);
  });

  it('ends the wait for a turn at once, and never runs that task', async () => {
    const turns = oneAtATime();
    const first = gate();
    const running = turns.take(never(), () => first.opened);
    const controller = new AbortController();
    let ran = false;
    const waiting = turns.take(controller.signal, () => {
      ran = true;
      return Promise.resolve();
    });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    first.open();
    await running;
    await turns.take(never(), () => Promise.resolve());
    expect(ran).toBe(false);
  });
});
