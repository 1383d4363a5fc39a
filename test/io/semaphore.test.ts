import { expect, test } from 'vitest';
import { deferred } from '../../src/io/deferred.ts';
import { openSemaphore } from '../../src/io/semaphore.ts';

const live = () => new AbortController().signal;

test('no more tasks run at a time than there are slots, in the order of asking', async () => {
  const slots = openSemaphore(2);
  const gates = [0, 1, 2, 3].map(() => deferred<undefined>());
  const begun: number[] = [];
  const tasks = gates.map((gate, n) =>
    slots.run(live(), async () => {
      begun.push(n);
      await gate.promise;
    }),
  );
  await expect.poll(() => begun).toEqual([0, 1]);
  gates[1]?.resolve(undefined);
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve(undefined);
  await Promise.all(tasks);
  expect(begun).toEqual([0, 1, 2, 3]);
});

test('who gives up waiting takes no slot with it', async () => {
  const slots = openSemaphore(1);
  const gate = deferred<undefined>();
  const first = slots.run(live(), () => gate.promise);
  const impatient = new AbortController();
  const second = slots.run(impatient.signal, () => Promise.resolve('ran'));
  const third = slots.run(live(), () => Promise.resolve('third'));
  const reason = new Error('gone');
  impatient.abort(reason);
  await expect(second).rejects.toBe(reason);
  gate.resolve(undefined);
  await first;
  expect(await third).toBe('third');
});

test('a slot that is lent is used by others, and comes back before those who wait', async () => {
  const slots = openSemaphore(1);
  const waited = deferred<undefined>();
  const order: string[] = [];
  const lender = slots.run(live(), async (slot) => {
    await slot.releaseWhile(live(), () => waited.promise);
    order.push('lender');
  });
  const other = slots.run(live(), async () => {
    order.push('other');
    waited.resolve(undefined);
    await new Promise(setImmediate);
  });
  const last = slots.run(live(), () => Promise.resolve(void order.push('last')));
  await Promise.all([lender, other, last]);
  expect(order).toEqual(['other', 'lender', 'last']);
});
