import { describe, expect, test } from 'vitest';
import { type Deferred, deferred } from '../../src/io/deferred.ts';
import { type OrderedAttempt, tryInOrder } from '../../src/io/try-in-order.ts';
import { unlessAborted } from '../../src/io/wait.ts';

/** A way whose course the test decides. */
interface Course {
  readonly begun: Deferred<undefined>;
  readonly end: Deferred<string>;
  /** It is no longer silent. */
  heard: () => void;
  broken?: boolean;
}

/** Tries ways in turn; the n-th silence that is waited for ends when the test says so. */
function trying(count: number, signal = new AbortController().signal) {
  const courses = Array.from(
    { length: count },
    (): Course => ({
      begun: deferred(),
      end: deferred(),
      heard: () => undefined,
    }),
  );
  const silences = courses.map(() => deferred<undefined>());
  const order: number[] = [];
  let waits = 0;
  const ways = courses.map(
    (course, place): OrderedAttempt<string> =>
      async (until, heard) => {
        order.push(place);
        course.heard = heard;
        course.begun.resolve(undefined);
        try {
          return await unlessAborted(course.end.promise, until);
        } catch (error) {
          course.broken = until.aborted;
          throw error;
        }
      },
  );
  const patience = (until: AbortSignal) =>
    unlessAborted(silences[waits++]?.promise ?? Promise.reject(new Error('too many')), until);
  return { outcome: tryInOrder(ways, { patience, signal }), courses, silences, order };
}

const at = <T>(list: readonly T[], place: number): T => {
  const found = list[place];
  if (found === undefined) throw new Error(`nothing at ${place}`);
  return found;
};

describe('ways in turn', () => {
  test('one that leads to a result is not followed', async () => {
    const { outcome, courses, order } = trying(2);
    at(courses, 0).end.resolve('a');
    expect(await outcome).toEqual({ result: 'a' });
    expect(order).toEqual([0]);
  });

  test('one that fails is followed at once; all failures are told in the order of the ways', async () => {
    const { outcome, courses, order } = trying(2);
    at(courses, 0).end.reject(new Error('first'));
    await at(courses, 1).begun.promise;
    at(courses, 1).end.reject(new Error('second'));
    expect(await outcome).toEqual({ failures: [new Error('first'), new Error('second')] });
    expect(order).toEqual([0, 1]);
  });

  test('one that keeps silent gets another beside it, and is broken off when that leads there', async () => {
    const { outcome, courses, silences } = trying(2);
    at(silences, 0).resolve(undefined);
    await at(courses, 1).begun.promise;
    at(courses, 1).end.resolve('b');
    expect(await outcome).toEqual({ result: 'b' });
    expect(at(courses, 0).broken).toBe(true);
  });

  test('one that kept silent may still lead there first', async () => {
    const { outcome, courses, silences } = trying(3);
    at(silences, 0).resolve(undefined);
    await at(courses, 1).begun.promise;
    at(silences, 1).resolve(undefined);
    await at(courses, 2).begun.promise;
    at(courses, 0).end.resolve('a');
    expect(await outcome).toEqual({ result: 'a' });
    expect(courses.map(({ broken }) => broken)).toEqual([undefined, true, true]);
  });

  test('one that fails beside a silent one is replaced, though others are still tried', async () => {
    const { outcome, courses, silences } = trying(3);
    at(silences, 0).resolve(undefined);
    await at(courses, 1).begun.promise;
    at(courses, 0).end.reject(new Error('first'));
    await at(courses, 2).begun.promise;
    at(courses, 2).end.resolve('c');
    expect(await outcome).toEqual({ result: 'c' });
    expect(at(courses, 1).broken).toBe(true);
  });

  test('one that has been heard of gets no other beside it', async () => {
    const { outcome, courses, silences, order } = trying(2);
    await at(courses, 0).begun.promise;
    at(courses, 0).heard();
    at(silences, 0).resolve(undefined);
    at(courses, 0).end.resolve('a');
    expect(await outcome).toEqual({ result: 'a' });
    expect(order).toEqual([0]);
  });

  test('all end with the reason of the signal', async () => {
    const controller = new AbortController();
    const { outcome, courses, silences } = trying(3, controller.signal);
    at(silences, 0).resolve(undefined);
    await at(courses, 1).begun.promise;
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    expect(courses.map(({ broken }) => broken)).toEqual([true, true, undefined]);
  });

  test('none at all is no failure', async () => {
    expect(await trying(0).outcome).toEqual({ failures: [] });
  });
});
