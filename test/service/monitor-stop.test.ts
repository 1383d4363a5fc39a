import { describe, expect, test } from 'vitest';
import { A, setUp, take } from './monitored.ts';

describe('a player that was stopped while it waits for bytes', () => {
  const playing = async () => {
    const s = setUp();
    s.announce(A);
    await take(s.monitor, ['started', A], ['av-started', A]);
    await s.at(3000);
    s.waiting.inVain = true;
    return s;
  };

  test('has let go of the film, which has not ended before it says so', async () => {
    const s = await playing();
    await s.monitor.pollForStop();
    expect(s.letGo).toEqual([]);
    s.world.state = undefined;
    await s.monitor.pollForStop();
    expect(s.letGo).toEqual([A]);
    expect(s.ended).toEqual([]);
    await take(s.monitor, ['stopped', '']);
    await s.monitor.pollForStop();
    expect([s.letGo, s.ended]).toEqual([[A], [A]]);
  });

  test('has not where nothing is waited for, nor where the film is about to be played again', async () => {
    const s = await playing();
    s.waiting.inVain = false;
    s.world.state = undefined;
    await s.monitor.pollForStop();
    s.waiting.inVain = true;
    await s.readsToEnd();
    expect(s.played).toHaveLength(1);
    await s.monitor.pollForStop();
    expect(s.letGo).toEqual([]);
  });
});
