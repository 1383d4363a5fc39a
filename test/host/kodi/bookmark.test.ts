import { describe, expect, test } from 'vitest';
import { bookmarkUrl } from '../../../src/host/kodi/bookmark.ts';
import { kodiHost } from '../../../src/host/kodi/index.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { parsePluginEntry } from '../../../src/router/entry.ts';
import { fakeKodi } from '../../support/fake-kodi.ts';

const ADDON = 'plugin.video.slipstream';
const FILM: MediaRequest = { kind: 'movie', title: 'Rock & Bunny', year: 2008, ids: {} };
const SHOW: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  year: 2013,
  ids: { tvdb: '271632', tmdb: '63190' },
  episode: { season: 1, episode: 2, title: 'Gran Dillama' },
};

describe("the name of Kodi's bookmark", () => {
  test('is made of an id, whatever else is told of the film', () => {
    const key = `plugin://${ADDON}/play?type=movie&tmdb=10378`;
    const ids = { imdb: 'tt1254207', tmdb: '10378' };
    expect(bookmarkUrl({ ...FILM, ids }, ADDON)).toBe(key);
    const later = {
      ...FILM,
      ids,
      title: 'Der Hase',
      plot: 'A rabbit',
      poster: 'https://image.example/a.jpg',
    };
    expect(bookmarkUrl(later, ADDON)).toBe(key);
  });

  test('is that of the episode', () => {
    expect(bookmarkUrl(SHOW, ADDON)).toBe(
      `plugin://${ADDON}/play?type=episode&tmdb=63190&season=1&episode=2`,
    );
  });

  test.each([
    ['a film', FILM],
    ['an episode', { ...SHOW, ids: {} }],
  ])('is a call that plays it where nobody knows an id: %s', (_, request) => {
    const url = new URL(bookmarkUrl(request, ADDON));
    const entry = parsePluginEntry([`plugin://${ADDON}/play`, '1', url.search, 'resume:false']);
    expect(entry).toMatchObject({ kind: 'play', request: { title: request.title, year: request.year } });
  });

  test.each([
    ['as it was given', {}],
    // A search has found an id that the call did not give: it may not the next time.
    ['without what was looked up', { request: { ...FILM, ids: { tmdb: '10378' } }, given: FILM }],
  ])('goes to Kodi with what is played outside of a row, %s, never the stream', async (_, item) => {
    const kodi = fakeKodi();
    const argv = ['addon.py', 'meta_play', 'type=movie', 'title=Rock%20%26%20Bunny'];
    const addon = { id: ADDON, version: '0.1.0', path: '/addon' };
    const start = { entry: 'script', argv, handle: -1, addon, data: '/data', kodi: '21.2' } as const;
    const stream = { url: 'http://127.0.0.1:1/stream/x/a.mkv', mime: 'video/mp4', size: 1 };
    await kodiHost(kodi.peer, { ...start, argv }, kodi.log).play({
      stream,
      request: FILM,
      title: 'a',
      ...item,
    });
    expect(kodi.calls.at(-1)?.params['item']).toMatchObject({
      properties: { original_listitem_url: bookmarkUrl(FILM, ADDON) },
    });
  });

  test.each([
    [
      'without a row, as what an add-on plays by itself',
      -1,
      { original_listitem_url: bookmarkUrl(FILM, ADDON) },
    ],
    ['not from the row of a list, which Kodi knows by its own name', 0, {}],
  ])('goes to Kodi with what is resolved %s', async (_, position, properties) => {
    const kodi = fakeKodi();
    kodi.playlist.position = position;
    const start = {
      entry: 'resolve' as const,
      argv: [`plugin://${ADDON}/play`, '1', '?title=Rock'],
      handle: 1,
      data: '/data',
      addon: { id: ADDON, version: '0.1.0', path: '/addon' },
      kodi: '21.2',
    };
    const stream = { url: 'http://127.0.0.1:1/stream/x/a.mkv', mime: 'video/mp4', size: 1 };
    const host = kodiHost(kodi.peer, start, kodi.log);
    await host.resolve({ stream, request: { ...FILM, plot: 'of today' }, given: FILM, title: 'a' });
    expect(kodi.calls.at(-1)?.params['item']).toMatchObject({ properties });
  });
});
