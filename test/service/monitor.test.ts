import { describe, expect, test } from 'vitest';
import type { PlayerEvent, PlayerState } from '../../src/host/port.ts';
import {
  createMonitor,
  type PlaybackMonitor,
  type Stopped,
  type StreamSource,
} from '../../src/service/monitor.ts';
import { memoryLog } from '../support/log.ts';
import { recordingHost } from '../support/recording-host.ts';

const A = 'http://127.0.0.1:1/stream/a/Sintel.mkv';
const B = 'http://127.0.0.1:1/stream/b/Spring.mkv';
const FOREIGN = 'plugin://plugin.video.themoviedb.helper/dummy.mp4';

/** Seconds; far from any end that counts as one. */
const LONG = 6000;

function setUp({ resumed, refuse = false }: { resumed?: string; refuse?: boolean } = {}) {
  const { properties, propertyValues, notified, aborted } = recordingHost();
  const ended: string[] = [];
  const stopped: Omit<Stopped, 'mark'>[] = [];
  const marks: string[] = [];
  const changes: (string | undefined)[] = [];
  const played: [string, number][] = [];
  /** What the player holds, and what the proxy knows of each stream. */
  const world: { state: PlayerState | undefined; source: StreamSource | undefined } = {
    state: undefined,
    source: {},
  };
  const log = memoryLog();
  const monitor = createMonitor({
    properties,
    player: {
      state: () => Promise.resolve(world.state),
      play: (url, position) => {
        played.push([url, position]);
        return refuse ? Promise.reject(new Error('another film is starting')) : Promise.resolve();
      },
    },
    notify: (message) => {
      notified.push(message);
      return Promise.resolve();
    },
    signal: aborted,
    log,
    resumed,
    onChange: (playing) => changes.push(playing),
    onStopped: ({ mark, ...film }) => {
      stopped.push(film);
      marks.push(mark);
    },
    onEnd: (url) => ended.push(url),
    sourceOf: () => world.source,
    times: { next: 1, start: 20 },
  });
  const announce = (url: string) => {
    propertyValues.set('svc.stream_url', url);
    propertyValues.set('svc.active', 'true');
  };
  /** The player is at this second of a film, and the monitor sees it. */
  const at = async (time: number, file = A, duration = LONG) => {
    world.state = { file, time, duration, origin: 'origin', mark: 'mark' };
    await monitor.look();
  };
  /** The player reads to an end, and holds nothing any more. */
  const readsToEnd = async () => {
    world.state = undefined;
    await take(monitor, ['ended', '']);
  };
  return {
    monitor,
    values: propertyValues,
    ended,
    stopped,
    marks,
    changes,
    announce,
    played,
    notified,
    world,
    at,
    readsToEnd,
    log,
  };
}

async function take(monitor: PlaybackMonitor, ...events: [Exclude<PlayerEvent['kind'], 'seek'>, string][]) {
  for (const [kind, file] of events) monitor.take({ kind, file });
  await monitor.settled();
}

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
