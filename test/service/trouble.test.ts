import { describe, expect, test } from 'vitest';
import { A, LONG, setUp, take } from './monitored.ts';

describe('a film whose server is in trouble', () => {
  const TROUBLE = 'The file server calls missing what it had: its provider may be away.';
  const OVER = 'The film goes on.';

  async function playing() {
    const stage = setUp();
    stage.announce(A);
    await take(stage.monitor, ['started', A], ['av-started', A]);
    return stage;
  }

  test('is told once each time, and so is the end of it', async () => {
    const { world, at, notified } = await playing();
    const told = () => notified.map(({ what }) => what);
    world.source = { trouble: { kind: 'missing', since: 1000 } };
    for (let time = 100; time < 105; time++) await at(time);
    expect(told()).toEqual([TROUBLE]);
    world.source = {};
    for (let time = 105; time < 110; time++) await at(time);
    expect(told()).toEqual([TROUBLE, OVER]);
    world.source = { trouble: { kind: 'missing', since: 9000 } };
    await at(110);
    expect(told()).toEqual([TROUBLE, OVER, TROUBLE]);
  });

  test('is told before its first picture as well', async () => {
    const { world, monitor, notified } = await playing();
    world.source = { trouble: { kind: 'missing', since: 1000 } };
    await monitor.poll();
    expect(notified).toHaveLength(1);
  });

  test('does not go on where the server has been given up', async () => {
    const { world, at, notified } = await playing();
    world.source = { trouble: { kind: 'missing', since: 1000 } };
    await at(100);
    // The verdict on what was asked for comes a moment after that on the server.
    world.source = {};
    await at(100);
    world.source = { lost: { code: 'PREPARE_FAILED', what: 'It is gone.', next: 'Choose another one.' } };
    for (let look = 0; look < 3; look++) await at(100);
    expect(notified.map(({ what }) => what)).toEqual([TROUBLE]);
  });
});

describe('a film whose server does not answer', () => {
  const WHY = {
    code: 'UNREACHABLE',
    what: 'The file server (nas:8080) cannot be reached.',
    next: 'Check that it is running.',
  } as const;
  const REFUSED = { kind: 'refused', since: 1000, why: WHY } as const;

  async function playing() {
    const stage = setUp();
    stage.announce(A);
    await take(stage.monitor, ['started', A], ['av-started', A]);
    for (const time of [488, 489, 490]) await stage.at(time);
    return stage;
  }

  test.each(['refused', 'silent'] as const)(
    'is told while it still plays, once, and the good news as such (%s)',
    async (kind) => {
      const { world, at, notified } = await playing();
      world.source = { trouble: { ...REFUSED, kind } };
      for (let time = 491; time < 495; time++) await at(time);
      world.source = {};
      for (let time = 495; time < 498; time++) await at(time);
      expect(notified).toEqual([
        {
          what: WHY.what,
          next: 'The film plays on from what has been read ahead. If the server is not back by then, it ends there.',
          level: 'warning',
        },
        { what: 'The film goes on.', next: 'Its server is not waited for any longer.', level: 'info' },
      ]);
    },
  );

  test('is not told of a read or two that failed', async () => {
    const { world, at, notified } = await playing();
    world.source = { trouble: { kind: 'failing', since: 1000, why: WHY } };
    for (let time = 491; time < 495; time++) await at(time);
    expect(notified).toEqual([]);
  });

  test.each(['failing', 'refused', 'silent'] as const)(
    'ends when nothing is left of it (%s): the server is asked once, nothing is played again, nothing replaced',
    async (kind) => {
      const { world, asked, played, lost, ended, stopped, failures, notified, readsToEnd } = await playing();
      world.source = { trouble: { ...REFUSED, kind } };
      world.away = WHY;
      await readsToEnd();
      expect([asked.count, played, lost, ended]).toEqual([1, [], [], [A]]);
      expect(stopped).toEqual([{ time: 490, duration: LONG, isFinished: false }]);
      expect(failures.map(({ code, explanation }) => ({ code, ...explanation }))).toEqual([
        {
          code: 'UNREACHABLE',
          what: `The film broke off at 8:10. ${WHY.what}`,
          next: `${WHY.next} Then play the film again: it goes on from 8:10.`,
        },
      ]);
      expect(notified).toEqual([]);
    },
  );

  test('is played again where the server is back by then', async () => {
    const { world, asked, played, readsToEnd } = await playing();
    world.source = { trouble: REFUSED };
    await readsToEnd();
    expect([asked.count, played]).toEqual([1, [[A, 485]]]);
  });

  test.each(['refused', 'silent'] as const)(
    'is not replaced in time either, though parts of it are missing further on (%s)',
    async (kind) => {
      const { world, at, lost } = await playing();
      world.source = { trouble: { ...REFUSED, kind }, brokenFrom: 0.05 };
      await at(491);
      expect(lost).toEqual([]);
      world.source = { brokenFrom: 0.05 };
      await at(492);
      expect(lost).toHaveLength(1);
    },
  );
});
