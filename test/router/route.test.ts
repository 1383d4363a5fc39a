import { describe, expect, test } from 'vitest';
import { CancelledError, SlipstreamError } from '../../src/errors/index.ts';
import type { PlayItem } from '../../src/host/port.ts';
import { openFailures } from '../../src/library/index.ts';
import { PendingStream } from '../../src/resolver.ts';
import { type Entry, type RouterStages, route, router } from '../../src/router.ts';
import { memoryLog } from '../support/log.ts';
import { type RecordingHost, recordingHost } from '../support/recording-host.ts';

const ENTRY: Entry = { kind: 'direct-play', url: 'http://127.0.0.1:1/a.mkv', title: 'a' };
const ITEM: PlayItem = {
  stream: { url: 'http://127.0.0.1:1/stream/x/a.mkv', mime: 'video/mp4', size: 1 },
  title: 'a',
};

async function run(outlet: 'resolve' | 'player', playEntry: typeof router.playEntry, parse = () => ENTRY) {
  const host = recordingHost();
  const log = memoryLog();
  const played = await route(parse, outlet, host, log, { ...router, playEntry });
  return { host, log, played };
}

/** A play whose job remembers what became of it. */
function pending() {
  const fate: string[] = [];
  const settle = (what: string) => () => {
    fate.push(what);
    return Promise.resolve();
  };
  const job = { keep: settle('kept'), remove: settle('removed') };
  return { fate, play: { item: ITEM, pending: new PendingStream({ stream: ITEM.stream, job }) } };
}

const failing = (error: Error) => () => Promise.reject(error);
const FAILURES: [string, Error][] = [
  ['a failure with a code', new SlipstreamError('UNREACHABLE', { what: 'It is away.', next: 'Start it.' })],
  ['a defect of ours', new TypeError('undefined is not a function')],
  ['a cancel', new CancelledError('person')],
  ['a shutdown', new CancelledError('shutdown')],
];

describe('svc.active', () => {
  test('is raised before anything is searched for, and lowered after a failure', async () => {
    const host = recordingHost();
    const during: (string | undefined)[] = [];
    const playEntry = () => {
      during.push(host.propertyValues.get('svc.active'), host.propertyValues.get('svc.stream_url'));
      return Promise.reject(new SlipstreamError('NO_RESULTS', { what: 'Nothing.', next: 'Try later.' }));
    };
    await route(() => ENTRY, 'resolve', host, memoryLog(), { ...router, playEntry });
    expect(during).toEqual(['true', undefined]);
    expect(host.propertyValues.has('svc.active')).toBe(false);
  });

  test("is the announced stream's while what plays is noted: nothing is set up any more", async () => {
    const host = recordingHost();
    const during: Record<string, string>[] = [];
    const { play } = pending();
    play.pending.onCommit(() => Promise.resolve(void during.push(Object.fromEntries(host.propertyValues))));
    const playEntry = () => Promise.resolve(play);
    await route(() => ENTRY, 'resolve', host, memoryLog(), { ...router, playEntry });
    expect(during).toEqual([{ 'svc.active': 'true', 'svc.stream_url': ITEM.stream.url }]);
  });
});

describe('always resolve the handle', () => {
  test('with the stream on success, once', async () => {
    const { host, played } = await run('resolve', () => Promise.resolve(pending().play));
    expect(played).toBe(true);
    expect(host.resolved).toEqual([ITEM]);
  });

  test.each(FAILURES)('with nothing after %s, once', async (_what, error) => {
    const { host, played } = await run('resolve', failing(error));
    expect(played).toBe(false);
    expect(host.resolved).toEqual([undefined]);
    expect(host.propertyValues.size).toBe(0);
  });

  test('with nothing when the parameters make no sense', async () => {
    const { host } = await run('resolve', failing(new Error('never reached')), () => {
      throw new SlipstreamError('INVALID_REQUEST', { what: 'The title is missing.', next: 'Choose one.' });
    });
    expect(host.resolved).toEqual([undefined]);
    expect(host.notified).toEqual([{ what: 'The title is missing.', next: 'Choose one.' }]);
  });

  test('not again for a film that makes way, and nothing is played or told', async () => {
    const host = recordingHost({ makesWay: true });
    const stages = { ...router, playEntry: failing(new Error('never reached')) };
    expect(await route(() => ENTRY, 'resolve', host, memoryLog(), stages)).toBe(false);
    expect([host.resolved, host.notified]).toEqual([[], []]);
  });

  test('also when the notification itself fails', async () => {
    const host = recordingHost();
    const refusing = { ...host, notify: () => Promise.reject(new Error('refused')) };
    const stages = { ...router, playEntry: failing(new Error('x')) };
    await expect(route(() => ENTRY, 'resolve', refusing, memoryLog(), stages)).rejects.toThrow('refused');
    expect(host.resolved).toEqual([undefined]);
  });
});

describe('the job behind a stream', () => {
  test('stays once the stream was handed over', async () => {
    const { fate, play } = pending();
    await run('resolve', () => Promise.resolve(play));
    expect(fate).toEqual(['kept']);
  });

  test('is removed when the host does not take the stream', async () => {
    const { fate, play } = pending();
    const host = { ...recordingHost(), resolve: () => Promise.reject(new Error('refused')) };
    const stages = { ...router, playEntry: () => Promise.resolve(play) };
    await route(() => ENTRY, 'resolve', host, memoryLog(), stages).catch(() => undefined);
    expect(fate).toEqual(['removed']);
  });
});

describe('what the person is told', () => {
  test('a failure shows one message with what failed and the next step', async () => {
    const { host } = await run('resolve', failing(FAILURES[0]![1]));
    expect(host.notified).toEqual([{ what: 'It is away.', next: 'Start it.' }]);
  });

  test("the person's own cancel shows none on the handle path and one on the script path", async () => {
    expect((await run('resolve', failing(new CancelledError('person')))).host.notified).toEqual([]);
    expect((await run('player', failing(new CancelledError('person')))).host.notified).toMatchObject([
      { what: 'Slipstream', next: 'Cancelled.', level: 'info' },
    ]);
  });

  test('a shutdown shows none on either path', async () => {
    expect((await run('resolve', failing(new CancelledError('shutdown')))).host.notified).toEqual([]);
    expect((await run('player', failing(new CancelledError('shutdown')))).host.notified).toEqual([]);
  });

  test('the script path plays nothing and resolves nothing after a failure', async () => {
    const { host } = await run('player', failing(FAILURES[0]![1]));
    expect(host.played).toEqual([]);
    expect(host.resolved).toEqual([]);
  });
});

describe('an action', () => {
  const ACTION: Entry = { kind: 'action', request: { action: 'test', back: 'backends' } };

  async function act(outlet: 'resolve' | 'player', runAction: typeof router.runAction) {
    const host = recordingHost();
    const played = await route(() => ACTION, outlet, host, memoryLog(), { ...router, runAction });
    return { host, played };
  }

  test('answers a resolve with nothing before it begins, and plays nothing', async () => {
    let resolved: unknown;
    const { host, played } = await act('resolve', (_, context) => {
      resolved = [...(context.host as typeof host).resolved];
      return Promise.resolve();
    });
    expect(resolved).toEqual([undefined]);
    expect(host.resolved).toEqual([undefined]);
    expect(played).toBe(false);
  });

  test('that fails is told once, and answers no second time', async () => {
    const failure = new SlipstreamError('STORE_FAILED', { what: 'It is full.', next: 'Make room.' });
    for (const outlet of ['resolve', 'player'] as const) {
      const { host } = await act(outlet, () => Promise.reject(failure));
      expect(host.notified).toEqual([{ what: 'It is full.', next: 'Make room.' }]);
      expect(host.resolved).toEqual(outlet === 'resolve' ? [undefined] : []);
    }
  });

  test('may play a film, through the player, and says so', async () => {
    const { fate, play } = pending();
    const host = recordingHost();
    const stages: typeof router = {
      ...router,
      playEntry: () => Promise.resolve(play),
      runAction: async (_, { play: playFilm }) => {
        expect(await playFilm({ kind: 'movie', title: 'Sintel', ids: {} })).toBe(true);
      },
    };
    expect(await route(() => ACTION, 'resolve', host, memoryLog(), stages)).toBe(true);
    expect(host.played).toEqual([ITEM]);
    expect(host.resolved).toEqual([undefined]);
    expect(fate).toEqual(['kept']);
  });

  test.each([
    ['kept for it to show', undefined, []],
    ['told where it cannot be kept', '/dev/null/nowhere', [{ what: 'It is away.', next: 'Start it.' }]],
  ])('goes on when the film that it plays fails, which is %s', async (_how, dataFolder, notified) => {
    const host = recordingHost(dataFolder === undefined ? {} : { dataFolder });
    const stages: typeof router = {
      ...router,
      playEntry: failing(FAILURES[0]![1]),
      runAction: async (_, { play: playFilm }) => {
        expect(await playFilm({ kind: 'movie', title: 'Sintel', ids: {} })).toBe(false);
      },
    };
    expect(await route(() => ACTION, 'player', host, memoryLog(), stages)).toBe(false);
    expect(host.notified).toEqual(notified);
    const kept = await openFailures(host.dataFolder).read();
    expect(kept?.map(({ what }) => what)).toEqual(notified.length === 0 ? ['It is away.'] : undefined);
  });
});

describe('a first play', () => {
  const FILM: Entry = { kind: 'play', request: { kind: 'movie', title: 'Sintel', year: 2010, ids: {} } };
  const NOTHING = new SlipstreamError('NOT_CONFIGURED', {
    what: 'No indexer is set up yet.',
    next: 'Enter one.',
  });

  async function first(isDone: boolean, options: Parameters<typeof recordingHost>[0] = {}) {
    const host = recordingHost(options);
    const { play } = pending();
    let plays = 0;
    const setUps: unknown[] = [];
    const stages: typeof router = {
      ...router,
      playEntry: () => (plays++ === 0 ? Promise.reject(NOTHING) : Promise.resolve(play)),
      runFirstRun: (_, how) => {
        setUps.push(how);
        return Promise.resolve(isDone);
      },
    };
    const played = await route(() => FILM, 'resolve', host, memoryLog(), stages);
    return { host, played, setUps };
  }

  test('leads through the set-up, and goes on with its film', async () => {
    const { host, played, setUps } = await first(true);
    expect(setUps).toEqual([{ filmWaits: true }]);
    expect([played, host.resolved, host.notified]).toEqual([true, [ITEM], []]);
  });

  test('whose set-up is left tells what is missing', async () => {
    const { host, played } = await first(false);
    expect([played, host.resolved]).toEqual([false, [undefined]]);
    expect(host.notified).toEqual([NOTHING.explanation]);
  });

  test('of a playlist asks nobody', async () => {
    const { host, setUps } = await first(true, { startedBy: 'playlist' });
    expect(setUps).toEqual([]);
    expect(host.notified).toEqual([NOTHING.explanation]);
  });

  test('is none when all is set up: what is missing then is something else', async () => {
    const settings = {
      indexer_url: 'http://127.0.0.1:1',
      webdav_api_url: 'http://127.0.0.1:1',
      webdav_api_key: 'k',
    };
    expect((await first(true, { settings })).setUps).toEqual([]);
  });
});

describe('what failed', () => {
  test('is kept with its title, for who asks later', async () => {
    const film: Entry = { kind: 'play', request: { kind: 'movie', title: 'Sintel', year: 2010, ids: {} } };
    const { host } = await run('resolve', failing(FAILURES[0]![1]), () => film);
    expect(await openFailures(host.dataFolder).read()).toMatchObject([
      { title: 'Sintel (2010)', code: 'UNREACHABLE', what: 'It is away.', next: 'Start it.' },
    ]);
  });

  test('is not what failed beside playing', async () => {
    const host = recordingHost();
    const runAction: typeof router.runAction = () => Promise.reject(FAILURES[0]![1]);
    const action = () => ({ kind: 'action', request: { action: 'phone' } }) as const;
    expect(await route(action, 'player', host, memoryLog(), { ...router, runAction })).toBe(false);
    expect(host.notified).toHaveLength(1);
    expect(await openFailures(host.dataFolder).read()).toBeUndefined();
  });

  test.each([FAILURES[2]!, FAILURES[3]!])('is not %s', async (_what, error) => {
    const { host } = await run('resolve', failing(error));
    expect(await openFailures(host.dataFolder).read()).toBeUndefined();
  });
});

describe('the menu', () => {
  const menu = async (settings: Readonly<Record<string, string>>, failed = false) => {
    const host = recordingHost({ settings });
    if (failed)
      await route(() => ENTRY, 'player', host, memoryLog(), {
        ...router,
        playEntry: failing(new Error('x')),
      });
    await route(() => ({ kind: 'menu' }), 'player', host, memoryLog(), router);
    return host.menus.flat().map(({ route: to }) => to);
  };

  test('begins with the set-up as long as nothing can be played', async () => {
    expect((await menu({})).slice(0, 2)).toEqual(['/setup/first-run', '/setup/phone']);
    expect(await menu({})).not.toContain('/search');
  });

  test('begins with the search then, and names a failure only when there was one', async () => {
    const settings = { indexer_url: 'http://127.0.0.1:1', webdav_api_url: 'http://127.0.0.1:1' };
    expect((await menu(settings))[0]).toBe('/search');
    expect(await menu(settings)).not.toContain('/setup/failure');
    expect(await menu(settings, true)).toContain('/setup/failure');
  });

  test('opens the set-up by itself where nothing is set up, once, and only before a person', async () => {
    const open = async (host: RecordingHost) => {
      await route(() => ({ kind: 'menu' }), 'resolve', host, memoryLog(), router);
      return host.started;
    };
    const seen = recordingHost({ menuIsSeen: true });
    expect(await open(seen)).toEqual(['/setup/first-run']);
    expect(await open(seen)).toHaveLength(1);
    expect(await open(recordingHost())).toEqual([]);
    const settings = { indexer_url: 'http://x', webdav_api_url: 'http://x' };
    expect(await open(recordingHost({ settings, menuIsSeen: true }))).toEqual([]);
  });

  test('is shown anew when what was chosen in it has changed its rows, but not behind a film', async () => {
    const settings = { indexer_url: 'http://x', webdav_api_url: 'http://x' };
    const entry: Entry = { kind: 'action', request: { action: 'first-run' } };
    const renewals = async (runAction: RouterStages['runAction']) => {
      const host = recordingHost();
      await route(() => entry, 'player', host, memoryLog(), { ...router, runAction });
      return host.menusRenewed;
    };
    const setsUp: RouterStages['runAction'] = (_, { host }) => host.writeSettings(settings);
    expect(await renewals(setsUp)).toBe(1);
    expect(await renewals(() => Promise.resolve())).toBe(0);
    const fails: RouterStages['runAction'] = async (...given) => {
      await setsUp(...given);
      throw new Error('x');
    };
    expect(await renewals(fails)).toBe(1);
  });

  test('leads to what there is', async () => {
    const routes = [
      ...(await menu({})),
      ...(await menu({ indexer_url: 'http://x', webdav_api_url: 'http://x' }, true)),
    ];
    for (const to of routes) {
      const entry = router.parsePluginEntry([`plugin://plugin.video.slipstream${to}`, '1', '']);
      expect(['search', 'action']).toContain(entry.kind);
    }
  });
});
