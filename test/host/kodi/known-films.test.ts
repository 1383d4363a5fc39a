import { describe, expect, test } from 'vitest';
import { kodiHost, kodiServiceHost, type StartMessage } from '../../../src/host/kodi/index.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { fakeKodi } from '../../support/fake-kodi.ts';

const START: StartMessage = {
  entry: 'resolve',
  argv: ['plugin://plugin.video.slipstream/play', '1', '?title=Sintel'],
  handle: 1,
  addon: { id: 'plugin.video.slipstream', version: '0.1.0', path: '/addon' },
  data: '/data',
  kodi: '21.2',
};
const CALL = 'plugin://plugin.video.slipstream/play?title=Sintel';
const URL_A = 'http://127.0.0.1:1/stream/a/Sintel.mkv';
const URL_B = 'http://127.0.0.1:1/stream/b/Spring.mkv';
const SINTEL: MediaRequest = { kind: 'movie', title: 'Sintel', ids: { imdb: 'tt1727587' } };
const SPRING: MediaRequest = { kind: 'movie', title: 'Spring', ids: {} };

async function handedOver() {
  const kodi = fakeKodi();
  // From the row of a list.
  kodi.playlist.position = 0;
  const service = kodiServiceHost(kodi.peer, { ...START, entry: 'service' }, kodi.log);
  const play = (url: string, request: MediaRequest, mark: string) =>
    kodiHost(kodi.peer, START, kodi.log).resolve({
      stream: { url, mime: 'video/x-matroska', size: 1 },
      request,
      title: request.title,
      mark,
    });
  await play(URL_A, SINTEL, 'mark of Sintel');
  return { kodi, service, play };
}

test('a film that was handed over before others is known again, with all that Kodi was told', async () => {
  const { kodi, service, play } = await handedOver();
  const told = kodi.calls.at(-1)?.params['item'] as object;
  const film = JSON.parse(JSON.stringify(await service.films.of(URL_A))) as { origin: string; mark: string };
  expect(film).toMatchObject({ origin: CALL, mark: 'mark of Sintel' });
  await play(URL_B, SPRING, 'mark of Spring');
  expect(await service.films.of(URL_A)).toBeUndefined();
  expect(kodi.properties.has('script.trakt.ids')).toBe(false);
  await service.films.restore(URL_A, film);
  kodi.player = { file: URL_A, time: 1, duration: 2 };
  expect(await service.player.state()).toMatchObject({ origin: CALL, mark: 'mark of Sintel' });
  expect(kodi.properties.get('script.trakt.ids')).toBe('{"imdb":"tt1727587"}');
  await service.player.play(URL_A, 90);
  expect(kodi.calls.at(-1)?.params['item']).toEqual({
    ...told,
    properties: { original_listitem_url: CALL },
  });
});

describe('of a film that is over', () => {
  const LEFT = ['slipstream.item', 'script.trakt.ids'];

  test('nothing is left in Kodi', async () => {
    const { kodi, service } = await handedOver();
    expect(LEFT.filter((name) => kodi.properties.has(name))).toEqual(LEFT);
    await service.films.forget(URL_A);
    expect(LEFT.filter((name) => kodi.properties.has(name))).toEqual([]);
  });

  test('what was handed over since, and what another add-on has written, stays', async () => {
    const { kodi, service, play } = await handedOver();
    kodi.properties.set('script.trakt.ids', '{"tmdb":1}');
    await service.films.forget(URL_A);
    expect(kodi.properties.get('script.trakt.ids')).toBe('{"tmdb":1}');
    await play(URL_B, SINTEL, '');
    await service.films.forget(URL_A);
    expect(LEFT.filter((name) => kodi.properties.has(name))).toEqual(LEFT);
  });
});

test('what is no film leaves what is known as it is', async () => {
  const { kodi, service } = await handedOver();
  await expect(service.films.restore(URL_B, { origin: CALL, mark: '' })).rejects.toMatchObject({
    code: 'HOST_FAILED',
  });
  kodi.player = { file: URL_A, time: 1, duration: 2 };
  expect((await service.player.state())?.origin).toBe(CALL);
});

test('a release that Kodi does not take leaves the film known under the one before', async () => {
  const { kodi, service } = await handedOver();
  const known = () => JSON.parse(kodi.properties.get('slipstream.item') ?? '') as unknown;
  const before = known();
  // It refuses at once what is to come over another film that plays.
  kodi.player = { file: 'other', time: 1, duration: 2 };
  kodi.refuse('player.play');
  const refused = service.player.play(URL_B, 90, { url: URL_A, mark: 'mark of another release' });
  await expect(refused).rejects.toMatchObject({ code: 'HOST_FAILED' });
  expect(kodi.calls.find(({ method }) => method === 'player.play')?.params).toMatchObject({
    item: { url: URL_B },
  });
  expect(known()).toEqual(before);
  kodi.allow('player.play');
  await service.player.play(URL_B, 90, { url: URL_A, mark: 'mark of another release' });
  kodi.player = { file: URL_B, time: 90, duration: 2 };
  expect(await service.player.state()).toMatchObject({ origin: CALL, mark: 'mark of another release' });
});
