import { expect, test } from 'vitest';
import { openSourceGroup } from '../../../src/search/run/source-group.ts';

const { signal } = new AbortController();

test('nobody waits once something was found, or all have begun', async () => {
  const found = openSourceGroup(['a', 'b']);
  const waiting = found.hasMatch(signal);
  found.markMatched();
  expect(await waiting).toBe(true);
  const empty = openSourceGroup(['a', 'b']);
  const until = empty.hasMatch(signal);
  empty.markStarted('a');
  empty.markStarted('b');
  expect(await until).toBe(false);
});

test('slow ones are waited for once in all, however often it is asked', async () => {
  const group = openSourceGroup(['slow', 'other'], 50);
  expect(await group.hasMatch(signal)).toBe(false);
  let isOver = false;
  const again = group.hasMatch(signal).then(() => {
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
  const waiting = openSourceGroup(['slow']).hasMatch(controller.signal);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});
