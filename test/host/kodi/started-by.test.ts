import { describe, expect, test } from 'vitest';
import { kodiHost, kodiServiceHost, type StartMessage } from '../../../src/host/kodi/index.ts';
import type { PlayItem } from '../../../src/host/port.ts';
import { monotonicNow } from '../../../src/io/monotonic-clock.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { type FakeKodi, fakeKodi } from '../../support/fake-kodi.ts';

const START: StartMessage = {
  entry: 'resolve',
  argv: ['plugin://plugin.video.slipstream/play', '1', '?title=Sintel'],
  handle: 1,
  addon: { id: 'plugin.video.slipstream', version: '0.1.0', path: '/addon' },
  data: '/data',
  kodi: '21.2',
};

function setUp() {
  const kodi = fakeKodi();
  return { kodi, host: kodiHost(kodi.peer, START, kodi.log) };
}

describe('who started a film', () => {
  const film = (time: number) => ({ file: 'http://127.0.0.1:1/one.mkv', time, duration: 1000 });
  const ended = async (kodi: FakeKodi) => {
    kodiServiceHost(kodi.peer, { ...START, entry: 'service' }, kodi.log);
    kodi.notify('film.ended', {});
    await expect.poll(() => kodi.properties.get('slipstream.went-on')).toBeDefined();
  };

  test('the person, without a playlist or at its start, whatever has just ended', async () => {
    const { kodi, host } = setUp();
    await ended(kodi);
    for (const position of [-1, 0]) {
      kodi.playlist.position = position;
      expect(await host.startedBy()).toBe('person');
    }
  });

  test('a playlist whose film before was over just now, but not one that is started in its middle', async () => {
    const { kodi, host } = setUp();
    kodi.playlist.position = 1;
    expect(await host.startedBy()).toBe('person');
    await ended(kodi);
    expect(await host.startedBy()).toBe('playlist');
    kodi.properties.set('slipstream.went-on', String(monotonicNow() - 3_600_000));
    expect(await host.startedBy()).toBe('person');
  });

  test('a playlist after a film that brought nothing, unless that ended it', async () => {
    const { kodi, host } = setUp();
    kodi.playlist.position = 1;
    await host.resolve(undefined, { endPlaylist: true });
    expect(kodi.calls.at(-1)?.params).toEqual({ item: null, endPlaylist: true });
    expect(await host.startedBy()).toBe('person');
    await host.resolve(undefined);
    expect(kodi.calls.at(-1)?.params).toEqual({ item: null, endPlaylist: false });
    expect(await host.startedBy()).toBe('playlist');
  });

  test('a playlist that has moved on from what plays, but not one that plays on meanwhile', async () => {
    const { kodi, host } = setUp();
    kodi.player = film(100);
    kodi.playlist.position = 1;
    kodi.playlist.entries = [1, 2].map((n) => `plugin://plugin.video.slipstream/play?n=${n}`);
    kodi.playlist.playing = kodi.playlist.entries[0]!;
    expect(await host.startedBy()).toBe('playlist');
    kodi.playlist.playing = kodi.playlist.entries[1]!;
    expect(await host.startedBy()).toBe('person');
    // One goes back to its first, be what plays listed by its call or by what came of it.
    kodi.playlist.position = 0;
    expect(await host.startedBy()).toBe('playlist');
    kodi.playlist.entries[1] = film(0).file;
    expect(await host.startedBy()).toBe('playlist');
    // A film that is first in a list of its own.
    kodi.playlist.entries = [kodi.playlist.entries[0]!, 'plugin://plugin.video.slipstream/play?n=4'];
    expect(await host.startedBy()).toBe('person');
    kodi.playlist.position = 1;
    // Kodi keeps the position when the list is emptied under the film that plays.
    kodi.playlist.entries = [];
    expect(await host.startedBy()).toBe('person');
  });

  test('a playlist that was refused a film just now, be it what plays already', async () => {
    const { kodi, host } = setUp();
    const call = 'plugin://plugin.video.slipstream/play?n=2';
    Object.assign(kodi.playlist, {
      position: 1,
      entries: ['first', call],
      playing: call,
      afterRefusal: true,
    });
    expect(await host.startedBy()).toBe('playlist');
    kodi.player = film(1);
    expect(await host.startedBy()).toBe('playlist');
    kodi.playlist.afterRefusal = false;
    expect(await host.startedBy()).toBe('person');
  });

  describe('while one is about to end', () => {
    const EPISODE: MediaRequest = {
      kind: 'episode',
      title: 'Caminandes',
      year: 2013,
      ids: { tmdb: '34', imdb: 'tt0000012' },
      episode: { season: 1, episode: 2 },
    };
    const NEXT = 'type=episode&showname=Caminandes&showyear=2013&season=1&episode=3';
    /** Who made the call, as it was taken, after we had handed over `played`. */
    const afterwards = async (
      played: MediaRequest | undefined,
      call: string | readonly string[],
      state: { readonly file: string; readonly time: number; readonly duration: number } = film(850),
    ) => {
      const { kodi, host: before } = setUp();
      const item: PlayItem = { stream: { url: film(0).file }, title: 'one' };
      await before.resolve({ ...item, ...(played && { request: played }) });
      kodi.player = state;
      const start: StartMessage =
        typeof call === 'string'
          ? { ...START, argv: [START.argv[0]!, '1', `?${call}`] }
          : { ...START, entry: 'script', handle: -1, argv: ['addon.py', 'meta_play', ...call] };
      return kodiHost(kodi.peer, start, kodi.log).startedBy();
    };

    test('an add-on that starts the next episode, by a call or a script', async () => {
      expect(await afterwards(EPISODE, NEXT)).toBe('playlist');
      expect(await afterwards(EPISODE, NEXT.split('&'))).toBe('playlist');
      expect(await afterwards(EPISODE, NEXT, film(849))).toBe('person');
      expect(await afterwards(EPISODE, NEXT, { ...film(50), duration: 0 })).toBe('person');
    });

    test.each([
      [
        'ids decide, and years that nobody has given do not',
        'showname=Llamas&tmdb=34&season=1&episode=3',
        'playlist',
      ],
      ['all ids that both tell must agree', `${NEXT}&tmdb=34&imdb=tt0000099`, 'person'],
      ['an id of another kind tells nothing', `${NEXT}&tvdb=99`, 'playlist'],
      ['what TMDbHelper does not know is no id', `${NEXT}&tmdb=None&imdb=_&tvdb=`, 'playlist'],
      ['a title in other letters is the same', NEXT.replace('Caminandes', '+CAMINANDES'), 'playlist'],
      ['a title is not enough when the years differ', NEXT.replace('2013', '2014'), 'person'],
      ['a title is not enough when a year is missing', NEXT.replace('&showyear=2013', ''), 'person'],
      ['another show', NEXT.replace('Caminandes', 'Sprite+Fright'), 'person'],
      ['no show at all', NEXT.replace('showname', 'name'), 'person'],
      [
        'the same episode, for which another release is wanted',
        NEXT.replace('episode=3', 'episode=2'),
        'person',
      ],
      ['an earlier one', NEXT.replace('episode=3', 'episode=1'), 'person'],
      ['the first of the next season', NEXT.replace('=1&episode=3', '=2&episode=1'), 'playlist'],
      ['no number', NEXT.replace('episode=3', 'episode=x'), 'person'],
      ['a film', 'type=movie&title=Sintel&tmdb=34&season=1&episode=3', 'person'],
      ['a film without numbers', 'title=Caminandes&year=2013', 'person'],
    ])('%s', async (_, call, who) => {
      expect(await afterwards(EPISODE, call)).toBe(who);
    });

    test('the person, when it was no episode of ours', async () => {
      const { episode: _, ...rest } = EPISODE;
      expect(await afterwards({ ...rest, kind: 'movie' }, NEXT)).toBe('person');
      // A bare address, and what another add-on plays, such as a trailer.
      expect(await afterwards(undefined, NEXT)).toBe('person');
      const trailer = { file: 'https://trailers.example/dummy.mp4', time: 1, duration: 2 };
      expect(await afterwards(EPISODE, NEXT, trailer)).toBe('person');
    });
  });
});
