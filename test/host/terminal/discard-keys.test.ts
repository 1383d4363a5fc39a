import { describe, expect, test } from 'vitest';
import { setUp } from './terminal-in-memory.ts';

const { signal } = new AbortController();
const QUESTION = { title: 'Which?', rows: ['first', 'second', 'third'].map((id) => ({ id, label: id })) };

describe('keys that are typed while nothing is asked', () => {
  test('answer no later question, whole lines and begun ones', async () => {
    const { host, input } = await setUp();
    const progress = await host.openProgress('Looking', { alone: true });
    input.write('2\n1');
    await progress.close();
    await progress.close();
    const chosen = host.questions.choose(QUESTION, signal);
    input.write('3\n');
    expect(await chosen).toBe('third');
  });

  test('are not shown, and Ctrl-C among them still cancels', async () => {
    const { host, input } = await setUp();
    const raw: boolean[] = [];
    Object.assign(input, { setRawMode: (on: boolean) => raw.push(on) });
    const progress = await host.openProgress('Looking', { alone: true });
    input.write('abc\u0003');
    await expect.poll(() => progress.cancelled.aborted).toBe(true);
    expect(raw).toEqual([true]);
    await progress.close();
    expect(raw).toEqual([true, false]);
  });

  test.each([
    ['beside which something is asked', { isTTY: true }, {}],
    ['of a script, which gives all its answers at once', { isTTY: false }, { alone: true }],
  ])('answer what follows a display %s', async (_what, terminal, options) => {
    const { host, input } = await setUp({}, terminal);
    const progress = await host.openProgress('Looking', options);
    input.write('2\n');
    await progress.close();
    expect(await host.questions.choose(QUESTION, signal)).toBe('second');
  });
});
