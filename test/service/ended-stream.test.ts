import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PlayerState } from '../../src/host/port.ts';
import { openFailures } from '../../src/library/index.ts';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { recordingHost } from '../support/recording-host.ts';
import { announce, opens, type Service, sessions, startTestService, startUpstream } from './started.ts';

describe('a stream whose film has ended', () => {
  const FILM = { origin: 'origin', mark: 'mark', title: 'Sintel (2010)', item: 'all else' };

  /** It was played, then another one. */
  async function endedFilm(upstream: FileServer) {
    const service = await startTestService();
    const url = await announce(service, upstream);
    service.films.set(url, FILM);
    service.tell({ kind: 'started', file: url });
    await expect.poll(() => JSON.stringify(service.snapshots.at(-1))).toContain('all else');
    service.tell({ kind: 'stopped', file: '' });
    await expect.poll(() => sessions(service)).toBe(0);
    service.films.clear();
    return { service, url };
  }
  const raised = ({ host }: Service) =>
    ['svc.active', 'svc.stream_url', 'svc.playing'].map((name) => host.propertyValues.get(name));

  test.each(['before', 'after'])(
    'is announced and watched when it is asked for again, told of %s its start',
    async (when) => {
      const { service, url } = await endedFilm(await startUpstream());
      if (when === 'after') service.tell({ kind: 'started', file: url });
      expect(await opens(url)).toBe(true);
      if (when === 'before') service.tell({ kind: 'started', file: url });
      await expect.poll(() => raised(service)).toEqual(['true', url, 'true']);
      expect(service.films.get(url)).toEqual(FILM);
      service.tell({ kind: 'stopped', file: '' });
      await expect.poll(() => raised(service)).toEqual([undefined, undefined, undefined]);
      await expect.poll(() => sessions(service)).toBe(0);
    },
  );

  test('is played from its search on when its file is gone, once for all that the player asks', async () => {
    const upstream = await startUpstream();
    const { service, url } = await endedFilm(upstream);
    upstream.plan(() => ({ status: 404 }));
    expect([await opens(url), await opens(url)]).toEqual([false, false]);
    await expect.poll(() => service.played, { timeout: 5_000 }).toEqual([['origin', 0]]);
    const told = service.host.notified.map(({ what, level }) => [what, level]);
    // Not as an error: it goes on.
    expect(told).toEqual([['The film is no longer at the server that it was played from.', 'info']]);
    expect(raised(service)).toEqual([undefined, undefined, undefined]);
  });

  test('is not started by itself when its server is in trouble: that is told, once for all that the player asks', async () => {
    const upstream = await startUpstream();
    const { service, url } = await endedFilm(upstream);
    upstream.plan(() => ({ status: 500 }));
    expect([await opens(url), await opens(url)]).toEqual([false, false]);
    const what = `The file server (${new URL(upstream.url).host}) answered with an error of its own.`;
    await expect
      .poll(() => service.shown.map(({ title, text }) => [title, text.split('\n')[0]]))
      .toEqual([['Sintel (2010)', what]]);
    // As long as it would take to start a film.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect([service.played, service.shown.length, service.host.notified]).toEqual([[], 1, []]);
    const kept = await openFailures(service.host.dataFolder).read();
    expect(kept).toMatchObject([{ title: 'Sintel (2010)', what, code: 'SERVICE_ERROR' }]);
  });

  test('stands in no file', async () => {
    const { service, url } = await endedFilm(await startUpstream());
    const folder = service.host.dataFolder;
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile());
    for (const { parentPath, name } of files)
      expect(await readFile(join(parentPath, name), 'utf8')).not.toContain(url.split('/')[4]);
  });

  test('asks the settings again for what opens the share', async () => {
    const headers: (string | undefined)[] = [];
    const upstream = await startFileServer(100_000, (request) => {
      headers.push(request.headers.authorization);
      return {};
    });
    onTestFinished(() => upstream.close());
    const service = await startTestService();
    const login = `Basic ${Buffer.from('me:a-long-password').toString('base64')}`;
    const url = await announce(service, upstream, { headers: { authorization: login } });
    await expect.poll(() => sessions(service)).toBe(0);
    expect(JSON.stringify(service.snapshots.at(-1))).not.toContain(login.slice(6));
    Object.assign(service.host.settings, {
      webdav_api_url: new URL(upstream.url).origin,
      webdav_username: 'me',
      webdav_password: 'a-new-password',
    });
    service.tellChanged();
    await service.host.readSettings([]);
    expect(await opens(url)).toBe(true);
    expect(headers.at(-1)).toBe(`Basic ${Buffer.from('me:a-new-password').toString('base64')}`);
  });
});

describe('a stream that was played before an update of the add-on', () => {
  const FILM = { origin: 'origin', mark: 'mark' };

  /** A film plays at its tenth minute. */
  async function plays() {
    const service = await startTestService();
    const url = await announce(service, await startUpstream());
    const state = { file: url, time: 600, duration: 6000, ...FILM };
    service.films.set(url, FILM);
    service.player.state = state;
    service.tell({ kind: 'started', file: url });
    await expect.poll(() => service.host.propertyValues.get('slipstream.played')).toContain('origin');
    await expect.poll(() => service.host.propertyValues.get('slipstream.place')).toContain('600');
    return { service, url, state };
  }

  /** The next version, in the same media centre; and where the stream would be. */
  async function updated({ host: before, running }: Service, url: string, state?: PlayerState) {
    before.abort();
    await running;
    const host = recordingHost({ dataFolder: before.dataFolder });
    for (const [name, value] of before.propertyValues)
      if (!name.startsWith('svc.')) host.propertyValues.set(name, value);
    const service = await startTestService(undefined, host, { ...(state !== undefined && { state }) });
    const there = new URL(url);
    there.port = host.propertyValues.get('svc.proxy_port')!;
    return { service, url: there.href };
  }

  const told = ({ host }: Service) => host.notified.map(({ next }) => next);
  /** As long as it would take to start a film. */
  const soon = () => new Promise((resolve) => setTimeout(resolve, 2_000));

  test('has its film played from the search on, once for all that the player asks', async () => {
    const before = await plays();
    before.service.player.state = undefined;
    before.service.tell({ kind: 'stopped', file: '' });
    await expect.poll(() => before.service.host.propertyValues.has('svc.playing')).toBe(false);
    const { service, url } = await updated(before.service, before.url);
    service.tell({ kind: 'started', file: url });
    expect([await opens(url), await opens(url)]).toEqual([false, false]);
    await expect.poll(() => service.refusals).toEqual(['refused', 'refused']);
    await expect.poll(() => service.played, { timeout: 5_000 }).toEqual([['origin', 0]]);
    expect(told(service)).toEqual(['The film is looked for anew.']);
  });

  test('has it played anew where the player failed sooner than it could say what it had begun with', async () => {
    const before = await plays();
    before.service.player.state = undefined;
    before.service.tell({ kind: 'stopped', file: '' });
    await expect.poll(() => before.service.host.propertyValues.has('svc.playing')).toBe(false);
    const { service, url } = await updated(before.service, before.url);
    expect(await opens(url)).toBe(false);
    service.tell({ kind: 'started', file: '' });
    service.tell({ kind: 'stopped', file: '' });
    await expect.poll(() => service.played, { timeout: 5_000 }).toEqual([['origin', 0]]);
  });

  const unknown = ({ host }: Service) =>
    `http://127.0.0.1:${host.propertyValues.get('svc.proxy_port')}/stream/${'0'.repeat(32)}/Sintel.mkv`;

  test('and of which nothing is known is told, once for all that the player asks', async () => {
    const service = await startTestService();
    const url = unknown(service);
    service.tell({ kind: 'started', file: url });
    expect([await opens(url), await opens(url)]).toEqual([false, false]);
    await expect.poll(() => service.shown, { timeout: 5_000 }).toHaveLength(1);
    await soon();
    expect(service.shown.map(({ text }) => text)).toEqual([
      expect.stringContaining('Open its list anew, and start the film from there.'),
    ]);
    expect(await openFailures(service.host.dataFolder).read()).toHaveLength(1);
    expect(service.played).toEqual([]);
  });

  test('nothing is told nor started for what anybody else asks', async () => {
    const before = await plays();
    before.service.player.state = undefined;
    const { service, url } = await updated(before.service, before.url);
    await expect.poll(() => service.played).toEqual([['origin', 595]]);
    service.tell({ kind: 'started', file: 'http://127.0.0.1:1/another.mkv' });
    expect([await opens(url), await opens(unknown(service))]).toEqual([false, false]);
    await soon();
    expect(told(service)).toEqual(['It goes on from 9:55.']);
    expect(service.played).toHaveLength(1);
  });

  test('and plays on through it is played anew once only, where it breaks off', async () => {
    const before = await plays();
    const { service, url } = await updated(before.service, before.url, before.state);
    await expect.poll(() => service.host.propertyValues.has('svc.playing')).toBe(true);
    expect(await opens(url)).toBe(false);
    service.player.state = undefined;
    service.tell({ kind: 'ended', file: '' });
    await expect.poll(() => service.played, { timeout: 5_000 }).toEqual([['origin', 595]]);
    await soon();
    expect(service.played).toHaveLength(1);
    expect(told(service)).toEqual(['It goes on from 9:55.']);
  });
});
