import { expect, test } from 'vitest';
import { openGroup } from '../../src/search/group.ts';

const { signal } = new AbortController();

test('nobody waits once something was found, or all have begun', async () => {
  const found = openGroup(['a', 'b']);
  const waiting = found.hasFound(signal);
  found.found();
  expect(await waiting).toBe(true);
  const empty = openGroup(['a', 'b']);
  const until = empty.hasFound(signal);
  empty.begun('a');
  empty.begun('b');
  expect(await until).toBe(false);
});

test('slow ones are waited for once in all, however often it is asked', async () => {
  const group = openGroup(['slow', 'other'], 50);
  expect(await group.hasFound(signal)).toBe(false);
  let isOver = false;
  const again = group.hasFound(signal).then(() => {
    isOver = true;
  });
  // Not another 50 ms: the answer is there at once.
  await new Promise(setImmediate);
  expect(isOver).toBe(true);
  await again;
});

test('the wait ends with its signal', async () => {
  const controller = new AbortController();
  const reason = new Error('over');
  const waiting = openGroup(['slow']).hasFound(controller.signal);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});
