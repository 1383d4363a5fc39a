import { describe, expect, test } from 'vitest';
import { A, setUp, take } from './monitored.ts';

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
    world.source = { troubledSince: 1000 };
    for (let time = 100; time < 105; time++) await at(time);
    expect(told()).toEqual([TROUBLE]);
    world.source = {};
    for (let time = 105; time < 110; time++) await at(time);
    expect(told()).toEqual([TROUBLE, OVER]);
    world.source = { troubledSince: 9000 };
    await at(110);
    expect(told()).toEqual([TROUBLE, OVER, TROUBLE]);
  });

  test('is told before its first picture as well', async () => {
    const { world, monitor, notified } = await playing();
    world.source = { troubledSince: 1000 };
    await monitor.look();
    expect(notified).toHaveLength(1);
  });

  test('does not go on where the server has been given up', async () => {
    const { world, at, notified } = await playing();
    world.source = { troubledSince: 1000 };
    await at(100);
    // The verdict on what was asked for comes a moment after that on the server.
    world.source = {};
    await at(100);
    world.source = { lost: { what: 'It is gone.', next: 'Choose another one.' } };
    for (let look = 0; look < 3; look++) await at(100);
    expect(notified.map(({ what }) => what)).toEqual([TROUBLE]);
  });
});
