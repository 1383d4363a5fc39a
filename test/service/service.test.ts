import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NZBDAV } from '../../sandbox/index.ts';
import { openLedger } from '../../src/backends/ledger.ts';
import { openFailures } from '../../src/library/index.ts';
import { serializePlan } from '../../src/resolver/replacement-plan.ts';
import type { ReplacementPlan } from '../../src/resolver.ts';
import { QUICK, startLab } from '../backends/webdav/lab.ts';
import { link, release } from '../release/candidates.ts';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { recordingHost } from '../support/recording-host.ts';
import {
  announce,
  opens,
  prepareIn,
  type Service,
  sessions,
  startTestService,
  startUpstream,
  TIMES,
} from './started.ts';

test('two services never share a token', async () => {
  const [one, two] = [await startTestService(), await startTestService()];
  expect(one.host.propertyValues.get('svc.proxy_token')).not.toBe(
    two.host.propertyValues.get('svc.proxy_token'),
  );
});

test('a stream that nobody opens is withdrawn and its session ended', async () => {
  const service = await startTestService();
  await announce(service, await startUpstream());
  await expect.poll(() => service.host.propertyValues.has('svc.stream_url')).toBe(false);
  expect(service.host.propertyValues.has('svc.active')).toBe(false);
  await expect.poll(() => sessions(service)).toBe(0);
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
  service.tell({ kind: 'av-started', file: url });
  await setTimeout(3 * TIMES.unplayed);
  expect(await opens(url)).toBe(true);
  service.tell({ kind: 'stopped', file: '' });
  await expect.poll(() => sessions(service)).toBe(0);
  expect(service.snapshots.at(-1)).toMatchObject({ playing: undefined });
});

test('nothing of a film is left once it has ended, nor of one that nobody has opened', async () => {
  const service = await startTestService();
  const film = { origin: 'origin', mark: '' };
  const played = await announce(service, await startUpstream());
  service.films.set(played, film);
  service.tell({ kind: 'started', file: played });
  service.tell({ kind: 'stopped', file: '' });
  await expect.poll(() => service.films.has(played)).toBe(false);
  const unopened = await announce(service, await startUpstream());
  service.films.set(unopened, film);
  await expect.poll(() => service.films.has(unopened)).toBe(false);
});

test('a stream that the proxy refuses is told to the host', async () => {
  const service = await startTestService();
  const port = service.host.propertyValues.get('svc.proxy_port')!;
  expect((await fetch(`http://127.0.0.1:${port}/stream/${'0'.repeat(32)}/Sintel.mkv`)).status).toBe(404);
  await expect.poll(() => service.refusals).toEqual(['refused']);
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
  service.tell({ kind: 'av-started', file: url });
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
  const PLAN: ReplacementPlan = {
    request: { kind: 'movie', title: 'Sintel', ids: {} },
    // No backend is set up, so none of them can be played.
    backend: 'webdav http://127.0.0.1:1',
    releases: [release({ name: 'a' }), release({ name: 'b', links: [link({ guid: '2' })] })],
  };

  /** It plays, and all of its plan has been tried in vain. */
  async function replacedInVain(
    plan: ReplacementPlan = PLAN,
  ): Promise<{ readonly service: Service; readonly url: string }> {
    const lost = new Set([1 / 2, 5 / 8, 3 / 4].map((part) => Math.floor((SIZE - PIECE) * part)));
    const upstream = await startFileServer(SIZE, ({ first }) => (lost.has(first) ? { status: 404 } : {}));
    onTestFinished(() => upstream.close());
    const service = await startTestService();
    const serving = { look: 'dear', windows: false, zeroFills: false, complete: true };
    service.player.refuses = true;
    const url = await announce(service, upstream, { serving, plan: serializePlan(plan) });
    service.tell({ kind: 'started', file: url });
    service.tell({ kind: 'av-started', file: url });
    await (await fetch(url, { headers: { range: `bytes=0-${12 * MIB}` } })).arrayBuffer();
    service.player.state = { file: url, time: 2900, duration: 6000, origin: 'origin', mark: '' };
    await expect.poll(() => told(service)).toContain(IN_VAIN);
    return { service, url };
  }

  const told = ({ host, shown }: Service) => [
    ...host.notified.map(({ what }) => what),
    ...shown.map(({ text }) => text.split('\n')[0]),
  ];
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
    const host = recordingHost();
    for (const [name, value] of service.host.propertyValues) host.propertyValues.set(name, value);
    const next = await startTestService(JSON.parse(JSON.stringify(service.snapshots.at(-1))), host);
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
      service.tell({ kind: 'av-started', file: url });
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
      .poll(() => service.shown.map(({ text }) => text))
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
  first.tell({ kind: 'av-started', file: url });
  await expect.poll(() => first.host.propertyValues.get('svc.playing')).toBe('true');
  await setTimeout(5 * TIMES.look);
  first.host.abort();
  await first.running;
  const next = () => {
    const host = recordingHost({ dataFolder: first.host.dataFolder });
    for (const [name, value] of first.host.propertyValues)
      if (!name.startsWith('svc.')) host.propertyValues.set(name, value);
    first.host.propertyValues.clear();
    return startTestService(undefined, host);
  };
  const second = await next();
  await expect.poll(() => second.played).toEqual([['origin', 595]]);
  expect((await next()).played).toEqual([]);
});

test('svc.active goes with the process that raised it', async () => {
  const service = await startTestService();
  const { propertyValues } = service.host;
  const { pid } = spawnSync(process.execPath, ['--version']);
  propertyValues.set('slipstream.setting-up', String(pid)).set('svc.active', 'true');
  await expect.poll(() => propertyValues.has('svc.active')).toBe(false);
});

describe('a job whose process died right after the hand-over', () => {
  test('is never removed while its stream is announced, nor once that has played', async () => {
    const lab = await startLab(NZBDAV, { times: QUICK });
    onTestFinished(() => lab.close());
    const service = await startTestService(undefined, undefined, {
      backends: [lab.backend],
      unplayed: 60_000,
    });
    const { host } = service;
    const url = await prepareIn(service, await startUpstream());
    host.propertyValues.set('svc.stream_url', url);
    const name = 'Sintel-0a1b2c3d';
    // Its time is over in a second, as that of a process that is gone.
    const entry = await openLedger(host.dataFolder, 1_000).enter(name, 'movies', lab.backend.identity);
    await entry.markPlaying(url);
    await lab.backend.submit(lab.film.nzb, name, lab.film.request, new AbortController().signal);
    const abandoned = () => openLedger(host.dataFolder, 0).abandoned();
    await expect.poll(abandoned, { timeout: 5_000 }).toMatchObject([{ name, stream: url }]);
    await setTimeout(20 * TIMES.look);
    expect(lab.jobs()).toEqual([name]);
    service.tell({ kind: 'started', file: url });
    await expect.poll(abandoned).toEqual([]);
    service.tell({ kind: 'stopped', file: '' });
    await expect.poll(() => host.propertyValues.has('svc.stream_url')).toBe(false);
    await setTimeout(5 * TIMES.look);
    expect(lab.jobs()).toEqual([name]);
  });
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

describe('a film whose server goes away', () => {
  const SIZE = 60 * 1024 * 1024;
  const FRONT_END: ReplacementPlan = {
    request: { kind: 'movie', title: 'Sintel', ids: {} },
    backend: 'b',
    releases: [],
  };

  /** It plays: a player reads on and on, and what it has read is what the film has come to. */
  async function playing(upstream: FileServer, plan: ReplacementPlan) {
    const service = await startTestService();
    const url = await announce(service, upstream, { plan: serializePlan(plan) });
    for (const kind of ['started', 'av-started'] as const) service.tell({ kind, file: url });
    service.player.state = {
      file: url,
      time: 490,
      duration: 6000,
      origin: 'o',
      mark: '',
      title: 'Sintel (2010)',
    };
    await setTimeout(5 * TIMES.look);
    return { service, url };
  }
  const what = ({ host }: Service) => host.notified.map((message) => message.what);

  test.each([
    ['refuses connections', 'cannot be reached'],
    ['has a front end that answers 504', 'does not answer'],
    ['falls silent', 'did not answer in time'],
  ] as const)(
    'is told while it plays, ends with what failed kept, and asks for nothing (one that %s)',
    async (how, words) => {
      // The stream breaks off, and from then on nothing comes.
      const upstream = await startFileServer(SIZE, (_, index) =>
        index === 0
          ? { dropAfter: 10 * 1024 * 1024 }
          : how === 'falls silent'
            ? { stallAfter: -1 }
            : { status: 504 },
      );
      onTestFinished(() => upstream.close());
      const plan = { ...FRONT_END, releases: [release({ name: 'another' })] };
      const { service, url } = await playing(upstream, plan);
      const body = await fetch(url);
      const reader = body.body!.getReader();
      await reader.read();
      if (how === 'refuses connections') await upstream.close();
      await expect.poll(() => what(service), { timeout: 20_000 }).toEqual([expect.stringContaining(words)]);
      // What is there is still given out; then the player is not kept waiting.
      await expect(read(reader)).rejects.toThrow();
      const asked = upstream.requests.length;
      service.player.state = undefined;
      service.tell({ kind: 'ended', file: '' });
      await expect.poll(() => service.shown, { timeout: 10_000 }).toHaveLength(1);
      expect(service.shown[0]).toEqual({
        title: 'Sintel (2010)',
        text: expect.stringMatching(new RegExp(`^The film broke off at 8:10\\. .*${words}`)) as string,
      });
      if (how.startsWith('has')) expect(upstream.requests).toHaveLength(asked + 1);
      expect(service.played).toEqual([]);
      expect(what(service)).toHaveLength(1);
      const [kept] = (await openFailures(service.host.dataFolder).read()) ?? [];
      expect(kept).toMatchObject({ title: 'Sintel (2010)', what: service.shown[0]?.text.split('\n')[0] });
      expect(kept?.lines.join('\n')).toContain('our stream broke off at 490 s');
    },
    60_000,
  );
});

/** Reads to the end. */
async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}
