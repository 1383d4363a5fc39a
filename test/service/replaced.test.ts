import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startSandbox, whenQuery } from '../../sandbox/index.ts';
import type { PlayerEvent, PlayerState, ServiceHost, TextPage } from '../../src/host/port.ts';
import { openFailures } from '../../src/library/index.ts';
import { configuredBackends, route } from '../../src/router.ts';
import { runService } from '../../src/service/service.ts';
import { OFFLINE } from '../pipeline/whole.ts';
import { memoryLog } from '../support/log.ts';
import { recordingHost } from '../support/recording-host.ts';

// A lost film's place is taken: the real service, resolver and proxy, with the sandbox on the wire.

const CALL = 'plugin://plugin.video.slipstream/play';
const SINTEL = '?type=movie&title=Sintel&year=2010&imdb=tt1727587&tmdb=45745';
const TIMES = { round: 20, unplayed: 60_000, look: 20, stop: 10 };

/** Sintel plays at 10:00, and its stream is about to be lost for good. */
async function playing({ settings = {} }: { readonly settings?: Record<string, string> } = {}) {
  const sandbox = await startSandbox({ jobDuration: 50 });
  onTestFinished(() => sandbox.close());
  const host = recordingHost({
    // Another read of the same place is another test's.
    settings: {
      ...sandbox.settings,
      auto_select: 'true',
      download_timeout: '10',
      restart_broken: 'false',
      ...settings,
    },
  });
  const log = memoryLog();
  const played: [string, number][] = [];
  const given: string[] = [];
  /** Films of which nothing is to be left. */
  const forgotten: string[] = [];
  /** What stays until it is read. */
  const shown: TextPage[] = [];
  const player: { state: PlayerState | undefined } = { state: undefined };
  let tell: (event: PlayerEvent) => void = () => undefined;
  const serviceHost: ServiceHost = {
    ...host,
    player: {
      state: () => Promise.resolve(player.state),
      play: (url, position) => {
        played.push([url, position]);
        return Promise.resolve();
      },
      replay: () => Promise.reject(new Error('it is not searched for')),
      stop: () => Promise.reject(new Error('nothing is to be stopped')),
      releaseQueue: () => void given.push('the queue'),
    },
    streamRefused: () => undefined,
    show: (page) => Promise.resolve(void shown.push(page)),
    films: {
      of: () => Promise.resolve(undefined),
      restore: () => Promise.resolve(),
      forget: (url) => Promise.resolve(void forgotten.push(url)),
    },
    listen: { port: 0 },
    snapshot: undefined,
    saveSnapshot: () => Promise.resolve(),
    onPlayerEvent: (listener) => {
      tell = listener;
    },
    onPlayedToEnd: () => undefined,
    onSettingsChanged: () => undefined,
  };
  const running = runService(serviceHost, configuredBackends, log, TIMES);
  onTestFinished(async () => {
    host.abort();
    await running;
  });
  await vi.waitFor(() => {
    expect(host.propertyValues.has('svc.proxy_port')).toBe(true);
  });
  const parse = () => OFFLINE.parsePluginEntry([CALL, '1', SINTEL, 'resume:false']);
  expect(await route(parse, 'resolve', host, log, OFFLINE)).toBe(true);
  const { stream, mark = '' } = host.resolved[0]!;
  const { url } = stream;
  tell({ kind: 'started', file: url });
  tell({ kind: 'av-started', file: url });
  player.state = { file: url, time: 600, duration: 6000, origin: `${CALL}${SINTEL}`, mark };
  // The monitor has seen where it stands.
  await new Promise((resolve) => setTimeout(resolve, 10 * TIMES.look));
  const submissions = () => sandbox.requests.filter(whenQuery('mode', 'addfile')).length;
  return {
    sandbox,
    host,
    player,
    played,
    given,
    forgotten,
    shown,
    url,
    submissions,
    told: () => host.notified.map(({ what }) => what),
    tell: (event: PlayerEvent) => {
      tell(event);
    },
    breaksOff: () => {
      player.state = undefined;
      tell({ kind: 'ended', file: '' });
    },
    /** The next release's job is in the queue and stays there. */
    isBeingMadeReady: async () => {
      sandbox.faults.job = { kind: 'stuck', percent: 10 };
      player.state = undefined;
      tell({ kind: 'ended', file: '' });
      await vi.waitFor(() => {
        expect([submissions(), host.open()]).toEqual([2, 1]);
      }, WAIT);
    },
  };
}

const WAIT = { timeout: 10_000 };

describe('a film whose stream is lost while it plays', () => {
  test('goes on with the next release of its plan, at about the same second', async () => {
    const s = await playing();
    s.breaksOff();
    await vi.waitFor(() => {
      expect(s.played).toHaveLength(1);
    }, WAIT);
    const [[url, position] = ['', 0]] = s.played;
    expect([position, s.submissions()]).toEqual([585, 2]);
    expect(url).not.toBe(s.url);
    expect(s.host.propertyValues.get('svc.stream_url')).toBe(url);
    const bytes = await fetch(url, { headers: { range: 'bytes=0-9' } });
    expect([bytes.status, (await bytes.arrayBuffer()).byteLength]).toEqual([206, 10]);
    const lost = 'The film broke off at 10:00 and cannot be read any further.';
    expect([s.told(), s.host.open()]).toEqual([[lost], 0]);
    s.tell({ kind: 'started', file: url });
    s.tell({ kind: 'av-started', file: url });
    await vi.waitFor(() => {
      expect(s.told()).toEqual([lost, 'Another release of the film plays now.']);
    });
    // It can be lost as well: what has been tried is not tried again.
    expect(s.sandbox.jobs()).toHaveLength(2);
  });

  test('is told when its other release cannot be opened, and is not called one that plays', async () => {
    const s = await playing();
    s.breaksOff();
    await vi.waitFor(() => {
      expect(s.played).toHaveLength(1);
    }, WAIT);
    const [[url] = ['']] = s.played;
    await s.sandbox.shut('webdav');
    s.tell({ kind: 'started', file: url });
    // Without a head: Kodi gives the film up.
    await expect(fetch(url, { headers: { range: 'bytes=900000000-' } })).rejects.toThrow();
    s.tell({ kind: 'stopped', file: '' });
    await vi.waitFor(() => {
      expect(s.shown[0]?.text).toMatch(
        /^The film could not be opened\. The file server .* cannot be reached/,
      );
    });
    expect(s.told()).not.toContain('Another release of the film plays now.');
    const [kept] = (await openFailures(s.host.dataFolder).read()) ?? [];
    expect(kept?.code).toBe('UNREACHABLE');
  });

  test('is left as it is within 1 s of Back, and what was begun is removed', async () => {
    const s = await playing();
    await s.isBeingMadeReady();
    // It would play on under its title.
    expect(s.forgotten).toEqual([]);
    s.host.cancel();
    await vi.waitFor(() => {
      expect([s.host.open(), s.sandbox.queueLength()]).toEqual([0, 0]);
    });
    await vi.waitFor(() => {
      expect([s.given, s.forgotten]).toEqual([['the queue'], [s.url]]);
    });
    expect(s.played).toEqual([]);
    expect(s.told()).toHaveLength(1);
  });

  test('gives way to what the person plays meanwhile, which keeps its announcement and its queue', async () => {
    const s = await playing();
    await s.isBeingMadeReady();
    s.host.propertyValues.set('svc.stream_url', 'http://127.0.0.1:1/stream/next/film.mkv');
    await vi.waitFor(() => {
      expect([s.host.open(), s.sandbox.queueLength()]).toEqual([0, 0]);
    }, WAIT);
    expect([s.played, s.given]).toEqual([[], []]);
    expect(s.host.propertyValues.get('svc.stream_url')).toBe('http://127.0.0.1:1/stream/next/film.mkv');
    expect(s.told()).toHaveLength(1);
  });

  test('is not replaced when the person does not want that', async () => {
    const s = await playing({ settings: { replace_lost: 'false' } });
    s.breaksOff();
    await vi.waitFor(() => {
      expect(s.shown[0]?.text).toContain('The film broke off at 10:00 and cannot be played on.');
    });
    expect([s.played, s.submissions(), s.given, s.forgotten]).toEqual([[], 1, ['the queue'], [s.url]]);
  });
});
