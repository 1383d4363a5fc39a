import { describe, expect, test } from 'vitest';
import { A, B, FOREIGN, LONG, setUp, take } from './monitored.ts';

const PROPERTIES = ['svc.active', 'svc.stream_url', 'svc.playing'];
const raised = (values: Map<string, string>) => PROPERTIES.filter((name) => values.has(name));

describe('the playback monitor', () => {
  test('raises svc.playing while our stream plays and clears all three after its stop', async () => {
    const { monitor, values, ended, announce } = setUp();
    announce(A);
    await take(monitor, ['started', A], ['av-started', A]);
    expect(values.get('svc.playing')).toBe('true');
    await take(monitor, ['stopped', '']);
    expect(raised(values)).toEqual([]);
    expect(ended).toEqual([A]);
  });

  test.each(['ended', 'error'] as const)('clears all three after "%s" too', async (kind) => {
    const { monitor, values, announce } = setUp();
    announce(A);
    await take(monitor, ['started', A], [kind, '']);
    expect(raised(values)).toEqual([]);
  });

  describe('tells how far a film has come', () => {
    const playing = async () => {
      const s = setUp();
      s.announce(A);
      await take(s.monitor, ['started', A], ['av-started', A]);
      return s;
    };

    test('at its stop, and that it is not over, however near its end', async () => {
      for (const time of [0, 3000, LONG - 5]) {
        const s = await playing();
        if (time > 0) await s.at(time);
        await take(s.monitor, ['stopped', '']);
        const duration = time > 0 ? LONG : 0;
        expect(s.stopped).toEqual([{ time, duration, finished: false }]);
      }
    });

    test('at its end, and that it is over', async () => {
      const s = await playing();
      await s.at(LONG - 5);
      await s.readsToEnd();
      expect(s.stopped).toEqual([{ time: LONG - 5, duration: LONG, finished: true }]);
      expect(s.marks).toEqual(['mark']);
    });

    test('when the service ends while it plays, and nothing when none does', async () => {
      const s = await playing();
      await s.at(3000);
      await s.monitor.close();
      expect(s.stopped).toMatchObject([{ time: 3000, duration: LONG, finished: false }]);
      expect(s.ended).toEqual([]);
      await take(s.monitor, ['stopped', '']);
      await s.monitor.close();
      expect(s.stopped).toHaveLength(2);
    });

    test('when it broke off for good', async () => {
      const s = await playing();
      await s.at(3000);
      s.world.source = { lost: { what: 'gone', next: '' } };
      await s.readsToEnd();
      expect(s.stopped).toEqual([]);
      await take(s.monitor, ['started', A]);
      await s.at(3001);
      await s.readsToEnd();
      expect(s.stopped).toEqual([{ time: 3001, duration: LONG, finished: false }]);
    });

    test("when a playlist's next film begins: over if it was at its end", async () => {
      for (const [time, finished] of [
        [LONG - 5, true],
        [3000, false],
      ] as const) {
        const s = await playing();
        await s.at(time);
        s.announce(B);
        await take(s.monitor, ['started', B]);
        expect(s.stopped).toEqual([{ time, duration: LONG, finished }]);
        await take(s.monitor, ['ended', B]);
        expect(s.stopped).toHaveLength(1);
      }
    });
  });

  test("leaves another add-on's playback alone", async () => {
    const { monitor, values, ended, announce } = setUp();
    announce(A);
    await take(monitor, ['started', FOREIGN], ['av-started', FOREIGN], ['stopped', '']);
    expect(raised(values)).toEqual(['svc.active', 'svc.stream_url']);
    expect(ended).toEqual([]);
  });

  test('a film that is replaced by a foreign one has ended', async () => {
    const { monitor, values, ended, announce } = setUp();
    announce(A);
    await take(monitor, ['started', A], ['started', FOREIGN]);
    expect(raised(values)).toEqual([]);
    expect(ended).toEqual([A]);
  });

  test("the stop of film A while film B is being set up leaves B's announcement", async () => {
    const { monitor, values, ended, announce } = setUp();
    announce(A);
    await take(monitor, ['started', A]);
    announce(B);
    await take(monitor, ['stopped', '']);
    expect(ended).toEqual([A]);
    expect(values.get('svc.stream_url')).toBe(B);
    expect(values.get('svc.active')).toBe('true');
    expect(values.has('svc.playing')).toBe(false);
  });

  test('a late stop of film A, heard while B already plays, leaves B playing', async () => {
    const { monitor, values, ended, announce } = setUp();
    announce(A);
    await take(monitor, ['started', A]);
    announce(B);
    await take(monitor, ['started', B], ['stopped', B]);
    expect(ended).toEqual([A]);
    expect(monitor.current()?.url).toBe(B);
    expect(values.get('svc.playing')).toBe('true');
    expect(values.get('svc.stream_url')).toBe(B);
  });

  test('a replacement engine still knows the film that plays', async () => {
    const { monitor, ended, announce } = setUp({ resumed: A });
    announce(A);
    await take(monitor, ['stopped', '']);
    expect(ended).toEqual([A]);
  });

  test('tells each change, so that it can be kept for a replacement', async () => {
    const { monitor, changes, announce } = setUp();
    announce(A);
    await take(monitor, ['started', A], ['av-started', A], ['stopped', '']);
    expect(changes).toEqual([A, undefined]);
  });
});

describe('a film that ends short of its duration', () => {
  const playing = async (options: Parameters<typeof setUp>[0] = {}) => {
    const all = setUp(options);
    all.announce(A);
    await take(all.monitor, ['started', A], ['av-started', A]);
    return all;
  };

  test('is played again from a little before, with its properties as they were', async () => {
    const { values, ended, played, notified, at, readsToEnd } = await playing();
    await at(1000);
    await readsToEnd();
    expect(played).toEqual([[A, 995]]);
    expect(raised(values)).toEqual(PROPERTIES);
    expect(ended).toEqual([]);
    expect(notified).toEqual([
      { what: 'The film broke off before its end.', next: 'It goes on from 16:35.' },
    ]);
  });

  test('is left alone when the person stopped it', async () => {
    const { monitor, ended, played, world, at } = await playing();
    await at(1000);
    world.state = undefined;
    await take(monitor, ['stopped', '']);
    expect(played).toEqual([]);
    expect(ended).toEqual([A]);
  });

  test('is left alone when the person went to its end', async () => {
    const { monitor, ended, played, at, readsToEnd } = await playing();
    await at(1000);
    monitor.take({ kind: 'seek', file: A, time: LONG });
    await readsToEnd();
    expect(played).toEqual([]);
    expect(ended).toEqual([A]);
  });

  test('is left alone when nobody knows how long it is', async () => {
    const { ended, played, at, readsToEnd } = await playing();
    await at(1000, A, 0);
    await readsToEnd();
    expect([played, ended]).toEqual([[], [A]]);
  });

  test('is left alone when another film plays by then', async () => {
    const { monitor, values, ended, played, world, at } = await playing();
    await at(1000);
    world.state = { file: FOREIGN, time: 0, duration: 0, origin: '', mark: '' };
    await take(monitor, ['ended', '']);
    expect([played, ended]).toEqual([[], [A]]);
    expect(raised(values)).toEqual([]);
  });

  test("is not taken for ours when it is another add-on's", async () => {
    const { monitor, played } = setUp();
    await take(monitor, ['started', FOREIGN], ['ended', '']);
    expect(played).toEqual([]);
  });

  test('is played again three times without progress, then given up with a message', async () => {
    const { monitor, values, ended, played, notified, at, readsToEnd } = await playing();
    for (const time of [1000, 1010, 1020, 1030]) {
      await at(time);
      await readsToEnd();
      await take(monitor, ['started', A]);
    }
    expect(played.map(([, position]) => position)).toEqual([995, 1005, 1015]);
    expect(ended).toEqual([A]);
    expect(raised(values)).not.toContain('svc.playing');
    expect(notified.at(-1)).toEqual({
      what: 'The film broke off at 17:10 and cannot be played on.',
      next: 'Play it again, or choose another release.',
    });
  });

  test('is played again as often as it takes while it makes progress', async () => {
    const { monitor, ended, played, at, readsToEnd } = await playing();
    for (let time = 1000; time < 2000; time += 100) {
      await at(time);
      await readsToEnd();
      await take(monitor, ['started', A]);
    }
    expect(played).toHaveLength(10);
    expect(ended).toEqual([]);
  });

  test('a jump of the person is no progress', async () => {
    const { monitor, played, at, readsToEnd } = await playing();
    for (let time = 1000; time < 2000; time += 100) {
      monitor.take({ kind: 'seek', file: A, time });
      await at(time);
      await readsToEnd();
      await take(monitor, ['started', A]);
    }
    expect(played).toHaveLength(3);
  });

  test("is given up after one more try when its source was given up again, in the proxy's words", async () => {
    const { monitor, ended, played, notified, world, at, readsToEnd } = await playing();
    world.source = { lost: { what: 'Parts of it are missing.', next: 'Choose another release.' } };
    for (const time of [1000, 1001]) {
      await at(time);
      await readsToEnd();
      await take(monitor, ['started', A]);
    }
    expect(played).toHaveLength(1);
    expect(ended).toEqual([A]);
    expect(notified.at(-1)?.next).toBe('Parts of it are missing. Choose another release.');
  });

  test('is started anew by what it came from when its session is gone', async () => {
    const { ended, played, world, at, readsToEnd } = await playing();
    await at(1000);
    world.source = undefined;
    await readsToEnd();
    expect(played).toEqual([['origin', 995]]);
    expect(ended).toEqual([A]);
  });

  test('has ended when the player refuses to play it again', async () => {
    const { values, ended, notified, at, readsToEnd } = await playing({ refuse: true });
    await at(1000);
    await readsToEnd();
    expect(ended).toEqual([A]);
    expect(raised(values)).toEqual([]);
    expect(notified).toEqual([]);
  });

  test('has ended when it does not begin again', async () => {
    const { monitor, values, ended, at, readsToEnd } = await playing();
    await at(1000);
    await readsToEnd();
    await expect
      .poll(async () => {
        await monitor.look();
        return ended;
      })
      .toEqual([A]);
    expect(raised(values)).toEqual([]);
  });
});

describe('a film of which parts are missing further on', () => {
  /** From half of it on. */
  const BROKEN = { brokenFrom: 0.5 };

  test('is given up before it comes there, once, and plays on meanwhile', async () => {
    const { monitor, announce, world, at, lost, ended } = setUp();
    announce(A);
    await take(monitor, ['started', A], ['av-started', A]);
    world.source = BROKEN;
    await at(LONG / 2 - 200);
    expect(lost).toEqual([]);
    await at(LONG / 2 - 100);
    await at(LONG / 2 - 99);
    expect(lost).toMatchObject([{ url: A, time: LONG / 2 - 100, mark: 'mark', playsStill: true }]);
    expect(ended).toEqual([]);
  });

  test('is given up at once when it has not begun, for nobody knows how long it is', async () => {
    const { monitor, announce, world, at, lost } = setUp();
    announce(A);
    await take(monitor, ['started', A]);
    world.source = BROKEN;
    await at(0, A, 0);
    expect(lost).toMatchObject([{ url: A, time: 0, playsStill: true }]);
  });
});
