import { describe, expect, test, vi } from 'vitest';
import { A, B, FOREIGN, LONG, MARK, RELEASE, setUp, take } from './monitored.ts';

const PROPERTIES = ['svc.active', 'svc.stream_url', 'svc.playing'];
const raised = (values: Map<string, string>) => PROPERTIES.filter((name) => values.has(name));

describe('the playback monitor', () => {
  test('raises all three for a film of ours that plays on while the add-on is updated', async () => {
    const { monitor, values, changes } = setUp();
    monitor.adopt({ url: A, origin: 'origin', time: 600, mark: '' });
    await monitor.settled();
    expect(raised(values)).toEqual(PROPERTIES);
    expect(values.get('svc.stream_url')).toBe(A);
    expect(changes).toEqual([A]);
    await take(monitor, ['stopped', '']);
    expect(raised(values)).toEqual([]);
  });

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
        expect(s.stopped).toEqual([{ time, duration, isFinished: false }]);
      }
    });

    test('at its end, and that it is over', async () => {
      const s = await playing();
      await s.at(LONG - 5);
      await s.readsToEnd();
      expect(s.stopped).toEqual([{ time: LONG - 5, duration: LONG, isFinished: true }]);
      expect(s.marks).toEqual([MARK]);
    });

    test('when the service ends while it plays, and nothing when none does', async () => {
      const s = await playing();
      await s.at(3000);
      await s.monitor.close();
      expect(s.stopped).toMatchObject([{ time: 3000, duration: LONG, isFinished: false }]);
      expect(s.ended).toEqual([]);
      await take(s.monitor, ['stopped', '']);
      await s.monitor.close();
      expect(s.stopped).toHaveLength(2);
    });

    test('when it broke off for good', async () => {
      const s = await playing();
      await s.at(3000);
      s.world.source = { lost: { code: 'PREPARE_FAILED', what: 'gone', next: '' } };
      await s.readsToEnd();
      expect(s.stopped).toEqual([]);
      await take(s.monitor, ['started', A], ['av-started', A]);
      await s.at(3001);
      await s.at(3002);
      s.world.source = { lost: { code: 'PREPARE_FAILED', what: 'gone again', next: '' } };
      await s.readsToEnd();
      expect(s.stopped).toEqual([{ time: 3002, duration: LONG, isFinished: false }]);
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
        expect(s.stopped).toEqual([{ time, duration: LONG, isFinished: finished }]);
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

  test('has told where a film was left, and that it has ended, though its properties cannot be cleared', async () => {
    const s = setUp();
    s.announce(A);
    await take(s.monitor, ['started', A], ['av-started', A]);
    await s.at(3000);
    const lost = new Error('the media centre is gone');
    for (const call of ['get', 'set', 'clear'] as const) vi.spyOn(s.properties, call).mockRejectedValue(lost);
    await take(s.monitor, ['stopped', '']);
    expect(s.stopped).toMatchObject([{ time: 3000, duration: LONG }]);
    expect([s.ended, s.changes.at(-1)]).toEqual([[A], undefined]);
  });

  test('clears each property of a film that has ended, though another one cannot be', async () => {
    const s = setUp();
    s.announce(A);
    await take(s.monitor, ['started', A], ['av-started', A]);
    vi.spyOn(s.properties, 'clear').mockRejectedValueOnce(new Error('refused'));
    await take(s.monitor, ['stopped', '']);
    expect(raised(s.values)).toEqual(['svc.playing']);
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

describe('a stream of ours that is opened again', () => {
  const know = () => Promise.resolve();
  const reopens = async (s: ReturnType<typeof setUp>, knows = know) => {
    s.monitor.reopened(A, knows);
    await s.monitor.settled();
  };

  test('is announced, and watched once the player holds it', async () => {
    const s = setUp();
    await reopens(s);
    expect(raised(s.values)).toEqual(['svc.active', 'svc.stream_url']);
    await take(s.monitor, ['started', A]);
    expect(s.monitor.current()?.url).toBe(A);
  });

  test('is not announced in the place of another one, which is watched when it begins', async () => {
    const s = setUp();
    await take(s.monitor, ['started', A]);
    s.announce(B);
    await reopens(s);
    expect(s.values.get('svc.stream_url')).toBe(B);
    await take(s.monitor, ['started', B], ['av-started', B]);
    expect(s.monitor.current()?.url).toBe(B);
  });

  test('is not announced while another one is being set up', async () => {
    const s = setUp();
    s.values.set('slipstream.setting-up', String(process.pid));
    await reopens(s);
    expect(raised(s.values)).toEqual([]);
  });

  test('is watched when the player takes it in the place of a film that it has told no end of yet', async () => {
    const s = setUp();
    s.announce(B);
    await take(s.monitor, ['started', B], ['av-started', B]);
    await reopens(s);
    await take(s.monitor, ['started', A], ['av-started', A], ['stopped', A]);
    expect(s.ended).toEqual([B]);
    expect(s.monitor.current()?.url).toBe(A);
    expect(s.values.get('svc.stream_url')).toBe(A);
  });

  test('is watched though the stop of the item before it is told after its start', async () => {
    const s = setUp();
    await take(s.monitor, ['started', A], ['stopped', A]);
    await reopens(s);
    expect(s.monitor.current()?.url).toBe(A);
  });

  test('is announced though the media centre does not know it again', async () => {
    const s = setUp();
    await reopens(s, () => Promise.reject(new Error('refused')));
    expect(s.values.get('svc.stream_url')).toBe(A);
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
    const { monitor, values, ended, played, notified, at, readsToEnd } = await playing();
    await at(1000);
    await readsToEnd();
    expect(played).toEqual([[A, 995]]);
    expect(raised(values)).toEqual(PROPERTIES);
    expect(ended).toEqual([]);
    await take(monitor, ['started', A]);
    // It may fail to open yet.
    expect(notified).toEqual([]);
    await take(monitor, ['av-started', A], ['av-started', A]);
    expect(notified).toEqual([
      { what: 'The film broke off before its end.', next: 'It goes on from 16:35.', level: 'info' },
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
    monitor.handle({ kind: 'seek', file: A, time: LONG });
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
    const { monitor, values, ended, played, failures, at, readsToEnd } = await playing();
    for (const time of [1000, 1010, 1020, 1030]) {
      await at(time);
      await readsToEnd();
      await take(monitor, ['started', A], ['av-started', A]);
    }
    expect(played.map(([, position]) => position)).toEqual([995, 1005, 1015]);
    expect(ended).toEqual([A]);
    expect(raised(values)).not.toContain('svc.playing');
    expect(failures.at(-1)?.explanation).toEqual({
      what: 'The film broke off at 17:10 and cannot be played on.',
      next: 'Play it again, or choose another release.',
    });
  });

  test('is played again as often as it takes while it makes progress', async () => {
    const { monitor, ended, played, at, readsToEnd } = await playing();
    for (let time = 1000; time < 2000; time += 100) {
      await at(time);
      await readsToEnd();
      await take(monitor, ['started', A], ['av-started', A]);
    }
    expect(played).toHaveLength(10);
    expect(ended).toEqual([]);
  });

  test('a jump of the person is no progress', async () => {
    const { monitor, played, at, readsToEnd } = await playing();
    for (let time = 1000; time < 2000; time += 100) {
      monitor.handle({ kind: 'seek', file: A, time });
      await at(time);
      await readsToEnd();
      await take(monitor, ['started', A], ['av-started', A]);
    }
    expect(played).toHaveLength(3);
  });

  test("is given up after one more try when its source was given up again, in the proxy's words", async () => {
    const { monitor, ended, played, failures, world, at, readsToEnd } = await playing();
    for (const time of [1000, 1001]) {
      await at(time);
      world.source = {
        lost: { code: 'PREPARE_FAILED', what: 'Parts of it are missing.', next: 'Choose another release.' },
      };
      await readsToEnd();
      await take(monitor, ['started', A], ['av-started', A]);
    }
    expect(played).toHaveLength(1);
    expect(ended).toEqual([A]);
    expect(failures.at(-1)?.explanation.next).toBe('Parts of it are missing. Choose another release.');
  });

  test('is known to have broken off before a playlist goes on', async () => {
    const { monitor, at } = await playing();
    expect(monitor.isBrokenOff()).toBe(false);
    await at(1000);
    expect(monitor.isBrokenOff()).toBe(true);
    await at(LONG - 10);
    expect(monitor.isBrokenOff()).toBe(false);
    await at(1000);
    await take(monitor, ['stopped', '']);
    expect(monitor.isBrokenOff()).toBe(false);
  });

  test('is started anew by what it came from when its session is gone', async () => {
    const { ended, played, anew, world, at, readsToEnd } = await playing();
    await at(1000);
    world.source = undefined;
    await readsToEnd();
    expect(played).toEqual([]);
    expect(anew).toEqual([['origin', { release: RELEASE, position: 995 }]]);
    expect(ended).toEqual([A]);
  });

  describe('and is not played again', () => {
    const TOLD = 'The film broke off at 16:40, and Kodi did not start it again.';
    const told = ({ failures }: ReturnType<typeof setUp>) =>
      failures.map(({ explanation }) => explanation.what);

    test.each(['from its session', 'from the search on'])(
      'because the player refuses, is told (%s)',
      async (how) => {
        const s = await playing({ refuse: true });
        await s.at(1000);
        if (how === 'from the search on') s.world.source = undefined;
        await s.readsToEnd();
        expect(s.ended).toEqual([A]);
        expect(raised(s.values)).toEqual([]);
        expect(told(s)).toEqual([TOLD]);
        expect(s.failures[0]?.explanation.next).toBe('Play the film again: it goes on from 16:40.');
        expect(s.failed).toMatchObject([{ url: A, title: 'Sintel (2010)', isStillPlaying: false }]);
        expect(s.notified).toEqual([]);
      },
    );

    test.each([
      ['plays', (s: ReturnType<typeof setUp>) => (s.world.state = { ...s.world.state!, file: FOREIGN })],
      [
        'sets up',
        (s: ReturnType<typeof setUp>) => s.values.set('slipstream.setting-up', String(process.ppid)),
      ],
    ] as const)('because the person %s another film meanwhile, ends without a word', async (_, meanwhile) => {
      const s = await playing();
      await s.at(1000);
      const state = s.world.state!;
      s.player.play = () => {
        s.world.state = state;
        meanwhile(s);
        return Promise.reject(new Error('another film is starting'));
      };
      await s.readsToEnd();
      expect(s.ended).toEqual([A]);
      expect(told(s)).toEqual([]);
    });

    test('because the player does not begin, is told', async () => {
      const s = await playing();
      await s.at(1000);
      await s.readsToEnd();
      await expect
        .poll(async () => {
          await s.monitor.poll();
          return s.ended;
        })
        .toEqual([A]);
      expect(raised(s.values)).toEqual([]);
      expect(told(s)).toEqual([TOLD]);
    });
  });
});
