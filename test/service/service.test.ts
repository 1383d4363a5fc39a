import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NZBDAV } from '../../sandbox/index.ts';
import type { Backend } from '../../src/backends/backend.ts';
import { openLedger } from '../../src/backends/ledger.ts';
import type { PlayerEvent, PlayerState, ServiceHost } from '../../src/host/port.ts';
import { writePlan } from '../../src/resolver/plan.ts';
import type { Plan } from '../../src/resolver.ts';
import { runService } from '../../src/service/service.ts';
import { QUICK, startLab } from '../backends/webdav/lab.ts';
import { link, release } from '../release/candidates.ts';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { memoryLog } from '../support/log.ts';
import { recordingHost } from '../support/recording-host.ts';

const TIMES = { round: 10, unplayed: 80, look: 10 };

/** A service in this process, with a player event or two to hear. */
async function startTestService(
  snapshot?: unknown,
  host = recordingHost(),
  { backends = [], round = TIMES.round }: { backends?: readonly Backend[]; round?: number } = {},
) {
  const log = memoryLog();
  const snapshots: unknown[] = [];
  const played: [string, number][] = [];
  const player: { state: PlayerState | undefined; refuses: boolean } = { state: undefined, refuses: false };
  let tell: (event: PlayerEvent) => void = () => undefined;
  let tellChanged: () => void = () => undefined;
  const serviceHost: ServiceHost = {
    ...host,
    player: {
      state: () => Promise.resolve(player.state),
      play: (url, position) => {
        played.push([url, position]);
        return player.refuses ? Promise.reject(new Error('Kodi refused')) : Promise.resolve();
      },
    },
    listen: { port: 0 },
    snapshot,
    saveSnapshot: (state) => {
      snapshots.push(state);
      return Promise.resolve();
    },
    onPlayerEvent: (listener) => {
      tell = listener;
    },
    onSettingsChanged: (listener) => {
      tellChanged = listener;
    },
  };
  const running = runService(serviceHost, () => Promise.resolve(backends), log, { ...TIMES, round });
  onTestFinished(async () => {
    host.abort();
    await running;
  });
  await expect.poll(() => host.propertyValues.has('svc.proxy_port')).toBe(true);
  return {
    host,
    log,
    running,
    snapshots,
    player,
    played,
    tell: (event: PlayerEvent) => {
      tell(event);
    },
    tellChanged: () => {
      tellChanged();
    },
  };
}

type Service = Awaited<ReturnType<typeof startTestService>>;

async function announce(service: Service, upstream: FileServer, more: object = {}): Promise<string> {
  const url = await prepareIn(service, upstream, more);
  service.host.propertyValues.set('svc.stream_url', url).set('svc.active', 'true');
  return url;
}

async function prepareIn({ host }: Service, upstream: FileServer, more: object = {}): Promise<string> {
  const values = host.propertyValues;
  const answer = await fetch(`http://127.0.0.1:${values.get('svc.proxy_port')}/prepare`, {
    method: 'POST',
    headers: { authorization: `Bearer ${values.get('svc.proxy_token')}` },
    body: JSON.stringify({ url: upstream.url, headers: {}, name: 'film.mkv', ...more }),
  });
  return ((await answer.json()) as { url: string }).url;
}

const opens = async (url: string) => {
  const answer = await fetch(url, { headers: { range: 'bytes=0-9' } });
  await answer.arrayBuffer();
  return answer.status === 206;
};

async function startUpstream(size = 100_000): Promise<FileServer> {
  const upstream = await startFileServer(size);
  onTestFinished(() => upstream.close());
  return upstream;
}

test('two services never share a token', async () => {
  const [one, two] = [await startTestService(), await startTestService()];
  expect(one.host.propertyValues.get('svc.proxy_token')).not.toBe(
    two.host.propertyValues.get('svc.proxy_token'),
  );
});

test('a stream that nobody opens is withdrawn and its session ended', async () => {
  const service = await startTestService();
  const url = await announce(service, await startUpstream());
  await expect.poll(() => service.host.propertyValues.has('svc.stream_url')).toBe(false);
  expect(service.host.propertyValues.has('svc.active')).toBe(false);
  await expect.poll(() => opens(url)).toBe(false);
});

test('a stream that somebody reads is kept, also when no player was heard of', async () => {
  const service = await startTestService();
  const url = await prepareIn(service, await startUpstream(50_000_000));
  // It stays open: nobody takes so much of it.
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  service.host.propertyValues.set('svc.stream_url', url);
  await setTimeout(5 * TIMES.unplayed);
  expect(service.host.propertyValues.get('svc.stream_url')).toBe(url);
  await answer.body?.cancel();
  await expect.poll(() => service.host.propertyValues.has('svc.stream_url')).toBe(false);
});

test('a stream that plays is kept while it is paused, and its session ends with it', async () => {
  const service = await startTestService();
  const url = await announce(service, await startUpstream());
  service.tell({ kind: 'started', file: url });
  await setTimeout(3 * TIMES.unplayed);
  expect(await opens(url)).toBe(true);
  service.tell({ kind: 'stopped', file: '' });
  await expect.poll(() => opens(url)).toBe(false);
  expect(service.snapshots.at(-1)).toMatchObject({ playing: undefined });
});

test('a property that holds no address does not end the service', async () => {
  const service = await startTestService();
  service.host.propertyValues.set('svc.stream_url', '/storage/movies/a.mkv');
  await expect.poll(() => service.host.propertyValues.has('svc.stream_url')).toBe(false);
  const url = await announce(service, await startUpstream());
  expect(await opens(url)).toBe(true);
});

test('a replacement takes over token and sessions', async () => {
  const first = await startTestService();
  const url = await announce(first, await startUpstream());
  const second = await startTestService(first.snapshots.at(-1));
  expect(second.host.propertyValues.get('svc.proxy_token')).toBe(
    first.host.propertyValues.get('svc.proxy_token'),
  );
  const moved = new URL(url);
  moved.port = second.host.propertyValues.get('svc.proxy_port') ?? '';
  expect(await opens(moved.href)).toBe(true);
});

test('a film that breaks off is played again while its session is there', async () => {
  const service = await startTestService();
  const url = await announce(service, await startUpstream());
  service.player.state = { file: url, time: 600, duration: 6000, origin: '', mark: '' };
  service.tell({ kind: 'started', file: url });
  await setTimeout(5 * TIMES.look);
  service.player.state = undefined;
  service.tell({ kind: 'ended', file: '' });
  await expect.poll(() => service.played).toEqual([[url, 595]]);
  expect(await opens(url)).toBe(true);
});

describe('a film of which parts are missing further on', () => {
  const MIB = 1024 * 1024;
  const SIZE = 40 * MIB;
  const PIECE = 65_536;
  const IN_VAIN = 'Parts of this release are missing further on, and no other release can be played.';
  const PLAN: Plan = {
    request: { kind: 'movie', title: 'Sintel', ids: {} },
    // No backend is set up, so none of them can be played.
    backend: 'webdav http://127.0.0.1:1',
    releases: [release({ name: 'a' }), release({ name: 'b', links: [link({ guid: '2' })] })],
  };

  /** It plays, and all of its plan has been tried in vain. */
  async function replacedInVain(
    plan: Plan = PLAN,
  ): Promise<{ readonly service: Service; readonly url: string }> {
    const lost = new Set([1 / 2, 5 / 8, 3 / 4].map((part) => Math.floor((SIZE - PIECE) * part)));
    const upstream = await startFileServer(SIZE, ({ first }) => (lost.has(first) ? { status: 404 } : {}));
    onTestFinished(() => upstream.close());
    const service = await startTestService();
    const serving = { look: 'dear', windows: false, zeroFills: false, complete: true };
    service.player.refuses = true;
    const url = await announce(service, upstream, { serving, plan: writePlan(plan) });
    service.tell({ kind: 'started', file: url });
    await (await fetch(url, { headers: { range: `bytes=0-${12 * MIB}` } })).arrayBuffer();
    service.player.state = { file: url, time: 2900, duration: 6000, origin: 'origin', mark: '' };
    await expect.poll(() => told(service)).toContain(IN_VAIN);
    return { service, url };
  }

  const told = ({ host }: Service) => host.notified.map(({ what }) => what);
  const comesThere = async (service: Service) => {
    service.host.settings['restart_broken'] = 'false';
    service.tellChanged();
    await service.host.readSettings([]);
    service.player.state = undefined;
    service.tell({ kind: 'ended', file: '' });
    await expect.poll(() => told(service).at(-1)).toContain('The film broke off at 48:20');
  };

  test('is told when it comes there, and what was tried in vain is not tried again', async () => {
    const { service } = await replacedInVain();
    await comesThere(service);
    expect(told(service)).toEqual([
      'Parts of this release are missing further on.',
      IN_VAIN,
      'The film broke off at 48:20 and cannot be played on.',
    ]);
  });

  test('nor is the search, when the film could not be started anew from it', async () => {
    const { service } = await replacedInVain({ ...PLAN, releases: [], unsearched: true });
    await comesThere(service);
    expect(told(service).slice(1)).toEqual([IN_VAIN, 'The film broke off at 48:20 and cannot be played on.']);
    expect(service.played).toHaveLength(1);
  });

  test('nor is it after the engine was replaced', async () => {
    const { service, url } = await replacedInVain();
    const next = await startTestService(JSON.parse(JSON.stringify(service.snapshots.at(-1))));
    next.player.state = { file: url, time: 2900, duration: 6000, origin: '', mark: '' };
    await setTimeout(10 * TIMES.look);
    await comesThere(next);
    expect(told(next)).toEqual(['The film broke off at 48:20 and cannot be played on.']);
  });
});

describe('the settings', () => {
  test('are followed: a film that breaks off is played again only while that is wanted', async () => {
    const host = recordingHost();
    const service = await startTestService(undefined, host);
    const breaksOff = async () => {
      const url = await announce(service, await startUpstream());
      service.player.state = { file: url, time: 600, duration: 6000, origin: '', mark: '' };
      service.tell({ kind: 'started', file: url });
      await setTimeout(5 * TIMES.look);
      service.player.state = undefined;
      service.tell({ kind: 'ended', file: '' });
      return url;
    };
    host.settings['restart_broken'] = 'false';
    service.tellChanged();
    // The next reading comes after that one.
    const { readSettings } = host;
    await readSettings([]);
    await breaksOff();
    await expect
      .poll(() => host.notified.map(({ what }) => what))
      .toEqual([expect.stringContaining('cannot be played on')]);
    expect(service.played).toEqual([]);
    host.settings['restart_broken'] = 'true';
    service.tellChanged();
    await readSettings([]);
    const url = await breaksOff();
    await expect.poll(() => service.played).toEqual([[url, 595]]);
  });

  test('that cannot be read keep no service from running', async () => {
    const host = recordingHost();
    host.readSettings = () => Promise.reject(new Error('Kodi is busy'));
    const service = await startTestService(undefined, host);
    expect(service.log.lines.join('\n')).toContain('the settings could not be taken over');
    const url = await announce(service, await startUpstream());
    expect(await opens(url)).toBe(true);
  });
});

test('what plays when the service is ended is resumed by the next one, once', async () => {
  const first = await startTestService();
  const url = await announce(first, await startUpstream());
  first.player.state = { file: url, time: 600, duration: 6000, origin: 'origin', mark: '' };
  first.tell({ kind: 'started', file: url });
  await expect.poll(() => first.host.propertyValues.get('svc.playing')).toBe('true');
  await setTimeout(5 * TIMES.look);
  first.host.abort();
  await first.running;
  const next = () => {
    const host = recordingHost();
    for (const [name, value] of first.host.propertyValues)
      if (!name.startsWith('svc.')) host.propertyValues.set(name, value);
    first.host.propertyValues.clear();
    return startTestService(undefined, host);
  };
  const second = await next();
  await expect.poll(() => second.played).toEqual([['origin', 595]]);
  expect((await next()).played).toEqual([]);
});

describe('a job that a play gives up', () => {
  test('is removed at once, however long its server needs to let go of it', async () => {
    const lab = await startLab(NZBDAV, { times: { ...QUICK, request: 10_000, deletion: 10_000 } });
    onTestFinished(() => lab.close());
    // No round comes while this test runs: what was left before is another matter.
    const { host } = await startTestService(undefined, undefined, { backends: [lab.backend], round: 60_000 });
    lab.nextJobs('stuck');
    const name = 'Sintel-0a1b2c3d';
    const entry = await openLedger(host.dataFolder, 60_000).enter(name, 'movies', lab.backend.identity);
    await lab.backend.submit(lab.film.nzb, name, lab.film.request, new AbortController().signal);
    lab.sandbox.faults.deletion = 1_500;
    await entry.abandon();
    await expect.poll(() => lab.jobs(), { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => openLedger(host.dataFolder, 0).abandoned(), { timeout: 10_000 }).toEqual([]);
  });
});
