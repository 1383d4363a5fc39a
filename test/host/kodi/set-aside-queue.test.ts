import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { kodiHost, kodiServiceHost, type StartMessage } from '../../../src/host/kodi/index.ts';
import { pause } from '../../../src/io/wait.ts';
import { type FakeKodi, fakeKodi } from '../../support/fake-kodi.ts';

const episode = (number: number) => `plugin://plugin.video.slipstream/play?n=${number}`;
const START: StartMessage = {
  entry: 'resolve',
  argv: ['plugin://plugin.video.slipstream/play', '1', '?n=2', 'resume:false'],
  handle: 1,
  addon: { id: 'plugin.video.slipstream', version: '0.1.0', path: '/addon' },
  data: '/data',
  kodi: '21.2',
};
/** How often a call looks where the list stands for other reasons: has Kodi asked, and was the list rebuilt. */
const OTHER_LOOKS = 2;
const STREAM = 'http://127.0.0.1:1/stream/a/one.mkv';

/** A film plays in a list of three. */
async function playing(isBrokenOff: boolean) {
  const kodi = fakeKodi();
  const service = kodiServiceHost(kodi.peer, { ...START, entry: 'service' }, kodi.log);
  service.onPlayedToEnd(() => isBrokenOff);
  service.onPlayerEvent(() => undefined);
  kodi.notify('player', { kind: 'started', file: STREAM });
  await expect.poll(() => kodi.properties.has('svc.film_open')).toBe(true);
  Object.assign(kodi.playlist, { position: 1, entries: [1, 2, 3].map(episode) });
  return { kodi, service, host: () => kodiHost(kodi.peer, START, kodi.log) };
}

/** It has been read to an end, and the second is called for. */
async function setUp(isBrokenOff: boolean) {
  const stage = await playing(isBrokenOff);
  stage.kodi.notify('film.ended', {});
  await expect.poll(() => stage.kodi.properties.has('svc.film_open')).toBe(false);
  return stage;
}

const answers = ({ calls }: FakeKodi) =>
  calls.filter(({ method }) => method === 'resolve').map(({ params }) => params);
const plays = ({ calls }: FakeKodi) =>
  calls.filter(({ method }) => method === 'player.play').map(({ params }) => params['following']);
const REST = [2, 3].map((number) => ({ file: episode(number), label: episode(number) }));

describe('the call of a playlist for its next film', () => {
  test('goes on when the film before was over', async () => {
    const { kodi, host } = await setUp(false);
    expect([await host().deferToBrokenFilm(), answers(kodi)]).toEqual([false, []]);
  });

  test('makes way, once, for a film that broke off, and follows what is played then', async () => {
    const { kodi, service, host } = await setUp(true);
    expect(await host().deferToBrokenFilm()).toBe(true);
    expect(answers(kodi)).toEqual([{ item: null, endPlaylist: true }]);
    expect(await host().deferToBrokenFilm()).toBe(false);
    await service.player.play(STREAM, 90);
    await service.player.play(STREAM, 90);
    expect(plays(kodi)).toEqual([REST, []]);
  });

  test('makes way also when it comes before the service has heard of the end', async () => {
    const { kodi, host } = await playing(true);
    const way = host().deferToBrokenFilm();
    const looks = () => kodi.calls.filter(({ method }) => method === 'playlist.state').length;
    await expect.poll(looks).toBeGreaterThan(OTHER_LOOKS + 1);
    kodi.notify('film.ended', {});
    expect(await way).toBe(true);
  });

  test('is known as the playlist’s also when it comes before the service has heard of the end', async () => {
    const { kodi, host } = await playing(false);
    const by = host().startedBy();
    const looks = () => kodi.calls.filter(({ method }) => method === 'playlist.state').length;
    await expect.poll(looks).toBeGreaterThan(OTHER_LOOKS + 1);
    kodi.notify('film.ended', {});
    expect(await by).toBe('playlist');
  });

  test.each([
    ['a film that plays still', 'av-started', STREAM],
    ['a film that was stopped', 'stopped', ''],
  ])('waits for no end of %s', async (_, kind, file) => {
    const { kodi, host } = await playing(true);
    kodi.player = file === '' ? null : { file, time: 1, duration: 2 };
    kodi.notify('player', { kind, file });
    await expect.poll(() => kodi.properties.has('svc.film_open')).toBe(file !== '');
    const since = kodi.calls.length;
    expect(await host().deferToBrokenFilm()).toBe(false);
    const looks = kodi.calls.slice(since).filter(({ method }) => method === 'playlist.state');
    expect(looks).toHaveLength(OTHER_LOOKS + (file === '' ? 0 : 1));
  });

  test('is answered when the service never hears of the end', async () => {
    const { host } = await playing(true);
    expect(await host().deferToBrokenFilm()).toBe(false);
  });

  test('follows a film that is played anew as well', async () => {
    const { kodi, service, host } = await setUp(true);
    await host().deferToBrokenFilm();
    await service.player.replay(episode(1), { release: '', position: 90 });
    expect(plays(kodi)).toEqual([REST]);
  });

  const filled = ({ calls }: FakeKodi) =>
    calls.filter(({ method }) => method === 'playlist.fill').map(({ params }) => params);

  test('is in the playlist again, once, when nothing takes the place of that film', async () => {
    const { kodi, service, host } = await setUp(true);
    await host().deferToBrokenFilm();
    service.player.releaseQueue();
    await expect.poll(() => filled(kodi)).toEqual([{ entries: REST }]);
    service.player.releaseQueue();
    kodi.refuse('property.get');
    service.player.releaseQueue();
    await expect.poll(() => kodi.log.lines.join('\n')).toContain('is not in the playlist again');
    expect(filled(kodi)).toHaveLength(1);
  });

  test('is in the playlist again also when it makes way only after that was known', async () => {
    const { kodi, service, host } = await setUp(true);
    service.player.releaseQueue();
    await host().deferToBrokenFilm();
    await expect.poll(() => filled(kodi)).toEqual([{ entries: REST }]);
    expect(kodi.properties.has('slipstream.queue')).toBe(false);
  });

  test('is not in the playlist again once something else has been played', async () => {
    const { kodi, service, host } = await setUp(true);
    service.player.releaseQueue();
    kodi.notify('player', { kind: 'started', file: 'other' });
    await expect.poll(() => kodi.properties.has('svc.film_open')).toBe(true);
    kodi.player = null;
    kodi.notify('player', { kind: 'stopped', file: '' });
    await expect.poll(() => kodi.properties.has('svc.film_open')).toBe(false);
    await host().deferToBrokenFilm();
    // As long as it would be looked for.
    await pause(1_000, new AbortController().signal);
    expect(filled(kodi)).toEqual([]);
  });

  test('leaves nothing of a film that broke off, once it can come no more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { kodi } = await playing(true);
    kodi.notify('film.ended', {});
    await vi.waitFor(() => {
      expect(kodi.properties.has('slipstream.broke-off')).toBe(true);
    });
    await vi.advanceTimersByTimeAsync(30_000);
    await vi.waitFor(() => {
      expect(kodi.properties.has('slipstream.broke-off')).toBe(false);
    });
  });

  test('follows nothing once something else has been played', async () => {
    const { kodi, service, host } = await setUp(true);
    await host().deferToBrokenFilm();
    kodi.notify('player', { kind: 'started', file: 'other' });
    await expect.poll(() => kodi.properties.has('slipstream.queue')).toBe(false);
    await service.player.play(STREAM, 90);
    expect(plays(kodi)).toEqual([[]]);
  });

  test('is no call of a person, nor one that comes late', async () => {
    const first = await setUp(true);
    first.kodi.playlist.position = 0;
    expect(await first.host().deferToBrokenFilm()).toBe(false);
    const second = await setUp(true);
    vi.useFakeTimers({ toFake: ['hrtime'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.advanceTimersByTime(3_600_000);
    expect(await second.host().deferToBrokenFilm()).toBe(false);
  });

  test('is known for what it is, whatever is done to the system’s clock', async () => {
    const { kodi, host } = await setUp(true);
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await host().startedBy()).toBe('playlist');
    vi.setSystemTime(Date.now() + 7_200_000);
    expect(await host().startedBy()).toBe('playlist');
    expect(await host().deferToBrokenFilm()).toBe(true);
    expect(answers(kodi)).toHaveLength(1);
  });
});

describe('a film that the service plays', () => {
  const OTHER = 'http://127.0.0.1:1/stream/b/two.mkv';

  /** Kodi is about something else until it has refused twice. */
  async function refusedTwice(kodi: FakeKodi, playing: Promise<void>) {
    await expect.poll(() => plays(kodi).length).toBe(2);
    kodi.allow('player.play');
    await playing;
    expect(plays(kodi).length).toBeGreaterThan(2);
  }

  test('waits until Kodi is free', async () => {
    const { kodi, service } = await setUp(false);
    kodi.refuse('player.play');
    await refusedTwice(kodi, service.player.play(STREAM, 90));
  });

  test('waits also over the film whose place it takes, which may be buffering', async () => {
    const { kodi, service } = await setUp(false);
    kodi.refuse('player.play');
    kodi.player = { file: STREAM, time: 1, duration: 2 };
    await refusedTwice(kodi, service.player.play(OTHER, 90, { url: STREAM, mark: '' }));
  });

  test('waits also over itself, when it is to be played anew', async () => {
    const { kodi, service, host } = await setUp(false);
    await host().resolve({
      stream: { url: STREAM, mime: 'video/x-matroska', size: 1 },
      request: { kind: 'movie', title: 'one', ids: {} },
      title: 'one',
    });
    kodi.refuse('player.play');
    kodi.player = { file: STREAM, time: 1, duration: 2 };
    await refusedTwice(kodi, service.player.replay(episode(2), { release: '', position: 90 }));
  });

  test('is followed by what is set aside while it waits', async () => {
    const { kodi, service, host } = await setUp(true);
    kodi.refuse('player.play');
    const playing = service.player.play(STREAM, 90);
    await expect.poll(() => plays(kodi).length).toBe(1);
    expect(await host().deferToBrokenFilm()).toBe(true);
    kodi.allow('player.play');
    await playing;
    expect(plays(kodi).at(-1)).toEqual(REST);
    expect(kodi.properties.has('slipstream.queue')).toBe(false);
  });

  test.each(['play', 'playAnew'] as const)('gives way to what plays by then (%s)', async (how) => {
    const { kodi, service } = await setUp(false);
    kodi.refuse('player.play');
    kodi.player = { file: OTHER, time: 1, duration: 2 };
    const playing =
      how === 'play'
        ? service.player.play(STREAM, 90)
        : service.player.replay(episode(2), { release: '', position: 90 });
    await expect(playing).rejects.toMatchObject({ code: 'HOST_FAILED' });
    expect(plays(kodi)).toHaveLength(1);
  });
});
