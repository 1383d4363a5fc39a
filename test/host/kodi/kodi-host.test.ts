import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CancelledError } from '../../../src/errors/index.ts';
import { kodiHost, kodiServiceHost, type StartMessage } from '../../../src/host/kodi/index.ts';
import type { PlayItem } from '../../../src/host/port.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { hostContract } from '../../contracts/host.ts';
import { fakeKodi, type KodiEndWindow } from '../../support/fake-kodi.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const START: StartMessage = {
  entry: 'resolve',
  argv: ['plugin://plugin.video.slipstream/play', '1', '?title=Sintel'],
  handle: 1,
  addon: { id: 'plugin.video.slipstream', version: '0.1.0', path: '/addon' },
  data: '/data',
  kodi: '21.2',
};

/** The window of ours that is open, once there is one. */
async function openWindow(kodi: ReturnType<typeof fakeKodi>): Promise<string> {
  await expect.poll(() => kodi.windows.size).toBeGreaterThan(0);
  return [...kodi.windows.keys()].at(-1)!;
}

function shownText({ properties, lists }: KodiEndWindow): string {
  const rows = Object.values(lists).flat();
  return [properties, ...rows.map((row) => ({ label: row.label, ...row.properties }))]
    .flatMap((texts) => Object.values(texts))
    .join('\n');
}

function setUp(settings: Record<string, string> = {}) {
  const kodi = fakeKodi();
  Object.assign(kodi.settings, settings);
  const data = temporaryFolder();
  return { kodi, data, host: kodiHost(kodi.peer, { ...START, data }, kodi.log) };
}

describe('Kodi over the bridge', () => {
  test('ends a question as everything else when it is gone: that is no failure', async () => {
    const { kodi, host } = setUp();
    const question = { title: 'A test', text: 'Does it play?', yes: 'It plays', no: 'It does not' };
    const asked = host.questions.confirm(question, host.aborted);
    asked.catch(() => undefined);
    await openWindow(kodi);
    kodi.end();
    await expect(asked).rejects.toBeInstanceOf(CancelledError);
  });

  hostContract((settings) => {
    const { kodi, host } = setUp(settings);
    const event = async (params: Record<string, unknown>) => {
      kodi.notify('window.event', { window: await openWindow(kodi), ...params });
    };
    const back = async () => {
      await kodi.request('window.back', { window: await openWindow(kodi) });
    };
    const open = () => kodi.windows.size + (kodi.dialog === undefined ? 0 : 1);
    const isOpen = () => open() > 0;
    return {
      host,
      choose: async (id) => {
        await expect.poll(isOpen).toBe(true);
        await event({ kind: 'click', control: 50, row: id });
      },
      back: async () => {
        await expect.poll(isOpen).toBe(true);
        if (kodi.dialog === undefined) await back();
        else kodi.dialog.answer();
      },
      write: async (text) => {
        await expect.poll(() => kodi.dialog).toBeDefined();
        kodi.dialog?.answer(text);
      },
      confirm: (yes) => event({ kind: 'click', control: yes ? 10 : 11 }),
      goOn: () => event({ kind: 'click', control: 10 }),
      shown: () => [...kodi.windows.values()].map(shownText).join('\n'),
      begin: async (where) => {
        await expect.poll(() => kodi.dialog).toBeDefined();
        kodi.dialog?.answer(where === 'resume' ? 0 : 1);
      },
      listed: () => [...kodi.windows.values()].at(-1)?.lists[50]?.map(({ label }) => label) ?? [],
      cancel: back,
      abort: () => {
        kodi.notify('abort', {});
      },
      handedOver: () =>
        kodi.calls
          .filter(({ method }) => method === 'play' || method === 'resolve')
          .map(({ params }) => (params['item'] as { url: string } | null)?.url),
      notified: () =>
        kodi.calls
          .filter(({ method }) => method === 'notify')
          .map(({ params }) => `${String(params['heading'])} ${String(params['message'])}`),
      open,
    };
  });

  test.each([
    [undefined, null],
    ['no', 11],
  ] as const)('has the focus on the answer that is asked for: %s', async (focused, control) => {
    const { kodi, host } = setUp();
    const question = { title: 'T', text: 'Remove it?', yes: 'Remove', no: 'Keep' };
    const asked = host.questions.confirm({ ...question, ...(focused && { focused }) }, host.aborted);
    const window = await openWindow(kodi);
    const opened = kodi.calls.find(({ method }) => method === 'window.open');
    expect(opened?.params).toMatchObject({ xml: 'slipstream-confirm.xml', focus: control });
    await kodi.request('window.back', { window });
    expect(await asked).toBeUndefined();
  });

  test('what has not failed is told without the sign of an error', async () => {
    const kodi = fakeKodi();
    const host = kodiHost(kodi.peer, START, kodi.log);
    await host.notify({ what: 'It is away.', next: 'Start it.' });
    await host.notify({ what: 'Slipstream', next: 'Cancelled.', level: 'info' });
    const told = kodi.calls.filter(({ method }) => method === 'notify').map(({ params }) => params['icon']);
    expect(told).toEqual(['error', 'info']);
  });

  describe("where a window of ours cannot open, Kodi's own dialog", () => {
    const live = () => new AbortController().signal;
    const withoutWindows = () => {
      const { kodi, host } = setUp();
      kodi.refuse('window.open');
      return { kodi, host };
    };
    const dialog = async (kodi: ReturnType<typeof fakeKodi>, method: string) => {
      await expect.poll(() => kodi.dialog?.method).toBe(method);
      return kodi.dialog!;
    };

    test('asks for a row', async () => {
      const { kodi, host } = withoutWindows();
      const rows = [
        { id: 'a', label: 'Example' },
        { id: 'b', label: '[B]Another[/B]', detail: 'below' },
      ];
      const answer = host.questions.choose({ title: 'Which one?', rows }, live());
      const { params, answer: choose } = await dialog(kodi, 'dialog.select');
      expect(params).toEqual({
        heading: 'Which one?',
        rows: [
          { label: 'Example', label2: '' },
          { label: '(B]Another(/B]', label2: 'below' },
        ],
      });
      choose(1);
      expect(await answer).toBe('b');
      expect(kodi.log.lines.join('\n')).toContain("a question's window did not open");
    });

    test('asks for yes or no, and tells no from Back', async () => {
      const { kodi, host } = withoutWindows();
      for (const told of [true, false, null]) {
        const question = { title: 'A test', text: 'Does it play?', yes: 'Yes', no: 'No' };
        const answer = host.questions.confirm(question, live());
        (await dialog(kodi, 'dialog.confirm')).answer(told);
        expect(await answer).toBe(told ?? undefined);
      }
    });

    test('shows a text', async () => {
      const { kodi, host } = withoutWindows();
      const shown = host.questions.show({ title: 'A report', text: 'one\ntwo' }, live());
      const page = await dialog(kodi, 'dialog.text');
      expect(page.params).toEqual({ heading: 'A report', text: 'one\ntwo' });
      page.answer(true);
      await shown;
    });

    test('shows the address of a code, and closes with it', async () => {
      const { kodi, host } = withoutWindows();
      const card = { title: 'Phone', address: 'http://nas:1/#47', code: '47', text: 'Scan it', status: '' };
      const open = await host.openCodeCard(card, live());
      expect((await dialog(kodi, 'dialog.text')).params['text']).toBe('Scan it\n\nhttp://nas:1/\n\n47');
      await open.update({ ...card, status: 'Here' });
      await open.close();
      await open.closed;
      await expect.poll(() => kodi.dialog).toBeUndefined();
    });
  });

  test('the picture of a code is there for as long as it is shown', async () => {
    const { kodi, host, data } = setUp();
    const card = { title: 'Phone', address: 'http://nas:1', code: '47', text: 'Scan it', status: '' };
    const open = await host.openCodeCard(card, new AbortController().signal);
    const picture = () => [...kodi.windows.values()][0]?.properties['picture'] ?? '';
    const first = picture();
    expect((await readFile(first)).subarray(1, 4).toString()).toBe('PNG');
    await open.update({ ...card, status: 'Here' });
    expect(picture()).toBe(first);
    await open.update({ ...card, address: 'http://nas:2' });
    expect(picture()).not.toBe(first);
    expect(await readdir(join(data, 'code'))).toEqual([basename(picture())]);
    await open.close();
    expect(await readdir(data)).toEqual([]);
  });

  test('without a progress window the play goes on, and the log says so', async () => {
    const { kodi, host } = setUp();
    kodi.refuse('window.open');
    const progress = await host.openProgress('Sintel (2010)');
    await progress.update({ stage: 'Searching Example' });
    await progress.close();
    expect(progress.cancelled.aborted).toBe(false);
    expect(kodi.log.lines.join('\n')).toContain('the progress window did not open');
  });

  test('a host that is gone aborts, and open calls are refused', async () => {
    const { kodi, host } = setUp();
    kodi.end();
    await expect.poll(() => host.aborted.aborted).toBe(true);
    await expect(host.properties.get('svc.active')).rejects.toMatchObject({ code: 'HOST_FAILED' });
  });

  describe('what was handed over', () => {
    const stream = { url: 'http://127.0.0.1:1/stream/x/a.mkv', mime: 'video/mp4', size: 1 };
    const request: MediaRequest = { kind: 'movie', title: 'Sintel', ids: {} };
    const call = 'plugin://plugin.video.slipstream/play?title=Sintel';
    const setUpBoth = () => {
      const { kodi, host } = setUp();
      // From the row of a list.
      kodi.playlist.position = 0;
      return { kodi, host, service: kodiServiceHost(kodi.peer, { ...START, entry: 'service' }, kodi.log) };
    };
    const lastItem = (kodi: ReturnType<typeof fakeKodi>) => kodi.calls.at(-1)?.params['item'];

    test('is played again with all that Kodi was told, and remembered by its plugin call', async () => {
      const { kodi, host, service } = setUpBoth();
      await host.resolve({ stream, request, title: 'Sintel (2010)' });
      const told = lastItem(kodi) as object;
      await service.player.play(stream.url, 90.4);
      expect(kodi.calls.at(-1)).toMatchObject({ method: 'player.play', params: { position: 90 } });
      expect(lastItem(kodi)).toEqual({ ...told, properties: { original_listitem_url: call } });
    });

    test('tells what starts it anew, unless that may hold a secret', async () => {
      const { kodi, host, service } = setUpBoth();
      kodi.player = { file: stream.url, time: 1, duration: 2 };
      await host.resolve({ stream, request, title: 'Sintel' });
      expect((await service.player.state())?.origin).toBe(call);
      await host.resolve({ stream, title: 'a bare address' });
      expect((await service.player.state())?.origin).toBe('');
    });

    test('is kept without an address that may hold a secret, and without where it began', async () => {
      const { kodi, host, service } = setUpBoth();
      const url = 'https://nas.example/play?token=hunter2';
      const secret = { url, subtitles: ['https://nas.example/sub?token=hunter2'] };
      await host.resolve({ stream: secret, request, title: 'Sintel' });
      expect(JSON.stringify([...kodi.properties])).not.toContain('hunter2');
      kodi.player = { file: url, time: 1, duration: 2 };
      expect((await service.player.state())?.origin).toBe(call);
      await host.resolve({ stream: { ...stream, subtitles: ['s'] }, request, title: 'Sintel', startAt: 60 });
      await service.player.play(stream.url, 90);
      expect(lastItem(kodi)).toMatchObject({ url: stream.url, subtitles: ['s'] });
      expect(lastItem(kodi)).not.toHaveProperty('startAt');
    });

    test('stands for what plays in its place, under a mark of its own', async () => {
      const { kodi, host, service } = setUpBoth();
      const other = 'http://127.0.0.1:1/stream/y/b.mp4';
      await host.resolve({ stream: { ...stream, subtitles: ['s'] }, request, title: 'Sintel', mark: 'old' });
      const { mime: _, subtitles: __, ...told } = lastItem(kodi) as Record<string, unknown>;
      await service.player.play(other, 90, { url: stream.url, mark: 'new' });
      expect(lastItem(kodi)).toEqual({ ...told, url: other, properties: { original_listitem_url: call } });
      kodi.player = { file: other, time: 1, duration: 2 };
      expect(await service.player.state()).toMatchObject({ origin: call, mark: 'new' });
      kodi.player = { file: stream.url, time: 1, duration: 2 };
      expect(await service.player.state()).toMatchObject({ origin: '', mark: '' });
    });

    test('under another address is nothing that is known', async () => {
      const { kodi, host, service } = setUpBoth();
      await host.resolve({ stream, request, title: 'Sintel' });
      await service.player.play(call, 0);
      expect(lastItem(kodi)).toEqual({ url: call, properties: {} });
      kodi.player = { file: 'http://127.0.0.1:1/other.mkv', time: 1, duration: 2 };
      expect((await service.player.state())?.origin).toBe('');
      kodi.player = null;
      expect(await service.player.state()).toBeUndefined();
    });
  });

  describe('tells Kodi all it knows', () => {
    const stream = { url: 'http://127.0.0.1:1/stream/x/e.mkv', mime: 'video/x-matroska', size: 1 };
    const handed = async (item: PlayItem) => {
      const { kodi, host } = setUp();
      // From the row of a list.
      kodi.playlist.position = 0;
      await host.resolve(item);
      return { kodi, item: kodi.calls.at(-1)?.params['item'] };
    };

    test('of an episode, whose ids are its own', async () => {
      const { kodi, item } = await handed({
        stream: { ...stream, subtitles: ['http://127.0.0.1:1/stream/x/sub/0/e.srt'] },
        title: 'Caminandes 1x02 Gran Dillama',
        startAt: 61.7,
        request: {
          kind: 'episode',
          title: 'Caminandes',
          year: 2013,
          ids: { tvdb: '12', imdb: 'tt0000012', tmdb: '34' },
          episode: {
            season: 1,
            episode: 2,
            title: 'Gran Dillama',
            aired: '2013-11-22',
            ids: { tmdb: '567' },
          },
          runtime: 2.5,
          poster: 'http://127.0.0.1/p.jpg',
          thumb: 'http://127.0.0.1/t.jpg',
        },
      });
      expect(item).toEqual({
        url: 'http://127.0.0.1:1/stream/x/e.mkv',
        mime: 'video/x-matroska',
        label: 'Caminandes 1x02 Gran Dillama',
        subtitles: ['http://127.0.0.1:1/stream/x/sub/0/e.srt'],
        startAt: 62,
        info: {
          mediatype: 'episode',
          title: 'Gran Dillama',
          tvshowtitle: 'Caminandes',
          season: 1,
          episode: 2,
          premiered: '2013-11-22',
          year: 2013,
          duration: 150,
        },
        art: { poster: 'http://127.0.0.1/p.jpg', thumb: 'http://127.0.0.1/t.jpg' },
        ids: { tmdb: '567', 'tvshow.tvdb': '12', 'tvshow.imdb': 'tt0000012', 'tvshow.tmdb': '34' },
        properties: {},
      });
      expect(JSON.parse(kodi.properties.get('script.trakt.ids') ?? '')).toEqual({
        imdb: 'tt0000012',
        tmdb: 34,
        tvdb: 12,
      });
    });

    test('of a film, and nothing of a bare address that only Kodi can look at', async () => {
      const request: MediaRequest = {
        kind: 'movie',
        title: 'Sintel',
        year: 2010,
        premiered: '2010-09-27',
        ids: { imdb: 'tt1727587' },
        plot: 'A girl and her dragon',
        fanart: 'f',
        clearlogo: 'c',
        runtime: 15,
      };
      expect((await handed({ stream, title: 'Sintel (2010)', request })).item).toMatchObject({
        info: {
          mediatype: 'movie',
          title: 'Sintel',
          year: 2010,
          premiered: '2010-09-27',
          plot: 'A girl and her dragon',
          duration: 900,
        },
        art: { fanart: 'f', clearlogo: 'c' },
        ids: { imdb: 'tt1727587' },
      });
      const bare = await handed({ stream: { url: 'smb://nas/films/a.mkv' }, title: 'a.mkv' });
      expect(bare.item).toEqual({
        url: 'smb://nas/films/a.mkv',
        label: 'a.mkv',
        info: { title: 'a.mkv' },
        art: {},
        ids: {},
        properties: {},
      });
    });
  });

  describe('what script.trakt reads', () => {
    const request: MediaRequest = { kind: 'movie', title: 'Sintel', ids: { imdb: 'tt1727587' } };
    const stream = { url: 'http://127.0.0.1:1/stream/x/a.mkv', mime: 'video/mp4', size: 1 };
    const ids = '{"imdb":"tt1727587"}';
    const playing = async () => {
      const { kodi, host } = setUp();
      kodiServiceHost(kodi.peer, { ...START, entry: 'service' }, kodi.log).onPlayerEvent(() => undefined);
      await host.resolve({ stream, request, title: 'Sintel' });
      const start = async (file: string) => {
        kodi.notify('player', { kind: 'started', file });
        kodi.notify('film.ended', {});
        await expect.poll(() => kodi.properties.get('slipstream.went-on')).toBeDefined();
      };
      return { kodi, host, start };
    };

    test('stays while our film starts, also again, and goes with another film', async () => {
      const { kodi, start } = await playing();
      await start(stream.url);
      expect(kodi.properties.get('script.trakt.ids')).toBe(ids);
      await start('http://127.0.0.1:2/other.mkv');
      await expect.poll(() => kodi.properties.get('script.trakt.ids')).toBeUndefined();
    });

    test('is left alone when another add-on has written it', async () => {
      const { kodi, start } = await playing();
      kodi.properties.set('script.trakt.ids', '{"tmdb":1}');
      await start('http://127.0.0.1:2/other.mkv');
      expect(kodi.properties.get('script.trakt.ids')).toBe('{"tmdb":1}');
    });

    test('is nothing for a film without ids', async () => {
      const { kodi, host } = await playing();
      await host.play({ stream, title: 'a bare address' });
      expect(kodi.properties.get('script.trakt.ids')).toBeUndefined();
    });
  });
});
