import { describe, expect, test } from 'vitest';
import type { MediaRequest } from '../../src/model/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { type EngineHere, film, hostOf, type KodiWithEngineHere, kodiWithEngineHere } from './engine-here.ts';
import { ADDON_ID } from './slipstream.ts';

const root = await rootOrSkip('playlists in a real Kodi 21');

const episode = (number: number) =>
  `/play?type=episode&showname=Caminandes&season=1&episode=${number}&showyear=2013`;

const entries = async ({ kodi }: KodiWithEngineHere) => {
  const { limits } = (await kodi.rpc('Playlist.GetItems', { playlistid: 1 })) as {
    limits: { total: number };
  };
  return limits.total;
};

/** Three episodes in Kodi's playlist, played from this one on. */
async function playList({ kodi }: KodiWithEngineHere, position: number): Promise<void> {
  await kodi.rpc('Playlist.Clear', { playlistid: 1 });
  for (const number of [1, 2, 3]) {
    await kodi.rpc('Playlist.Add', {
      playlistid: 1,
      item: { file: `plugin://${ADDON_ID}${episode(number)}` },
    });
  }
  await kodi.rpc('Player.Open', { item: { playlistid: 1, position } });
}

describe.skipIf(!root)('a playlist, in a real Kodi 21', () => {
  test('goes on to the next film, at its end and by the remote, which is known', async () => {
    const k = await kodiWithEngineHere(root!);
    await playList(k, 0);
    const first = await k.next();
    expect(await hostOf(first).startedBy()).toBe('person');
    await hostOf(first).resolve({ stream: await film(4), title: 'Caminandes 1x01' });
    first.end();

    const second = await k.next();
    expect(second.start.argv[2]).toContain('episode=2');
    expect(await hostOf(second).startedBy()).toBe('playlist');
    await play(k, second);
    await k.kodi.rpc('Input.ExecuteAction', { action: 'skipnext' });
    const third = await k.next();
    expect(third.start.argv[2]).toContain('episode=3');
    expect(await hostOf(third).startedBy()).toBe('playlist');
    third.end();
    await canPlay(k);
  });

  test('passes over what brings nothing, and ends when nothing is to follow', async () => {
    const k = await kodiWithEngineHere(root!);
    await playList(k, 0);
    const first = await k.next();
    expect(await hostOf(first).startedBy()).toBe('person');
    await hostOf(first).resolve(undefined);
    const second = await k.next();
    expect(await hostOf(second).startedBy()).toBe('playlist');
    await hostOf(second).resolve(undefined, { endPlaylist: true });
    // Nothing is left that Kodi could go on to.
    expect(await entries(k)).toBe(0);
    first.end();
    second.end();
    await canPlay(k);
  });

  test('that is started in its middle is the choice of the person, and so is a film while one plays', async () => {
    const k = await kodiWithEngineHere(root!);
    await playList(k, 1);
    const middle = await k.next();
    expect(await hostOf(middle).startedBy()).toBe('person');
    await play(k, middle);

    // Its end is far, so this is no add-on that offers the next episode.
    const early = await k.call(episode(3));
    expect(await hostOf(early).startedBy()).toBe('person');
    early.end();
    await canPlay(k);

    await k.kodi.player.seek(550);
    await k.kodi.until('it is there', async () => ((await k.kodi.player.position()) ?? 0) > 550 || undefined);
    const other = await k.call('/play?type=movie&title=Sintel');
    expect(await hostOf(other).startedBy()).toBe('person');
    other.end();
    await canPlay(k);
    const following = await k.call(episode(3));
    expect(await hostOf(following).startedBy()).toBe('playlist');
    following.end();
    await canPlay(k);
  });
});

describe.skipIf(!root)('what follows in a playlist, in a real Kodi 21', () => {
  test('follows still when a film that broke off goes on: the call for it makes way', async () => {
    const k = await kodiWithEngineHere(root!);
    k.serviceHost.onPlayedToEnd(() => true);
    await playList(k, 0);
    const first = await k.next();
    await hostOf(first).resolve({ stream: await film(600, 6), title: 'Caminandes 1x01' });
    first.end();

    const second = await k.next();
    expect(await hostOf(second).deferToBrokenFilm()).toBe(true);
    second.end();
    k.serviceHost.onPlayedToEnd(() => false);
    const { url } = await film(60);
    await goesOn(k, () => k.serviceHost.player.play(url, 50));
    expect((await k.kodi.player.position()) ?? 0).toBeGreaterThan(40);
    await follows(k, 2);
    await follows(k, 3);
  });

  test('follows still behind a film that is played anew', async () => {
    const k = await kodiWithEngineHere(root!);
    k.serviceHost.onPlayedToEnd(() => true);
    await playList(k, 0);
    const first = await k.next();
    await hostOf(first).resolve({ stream: await film(600, 6), title: 'Caminandes 1x01' });
    first.end();
    const second = await k.next();
    expect(await hostOf(second).deferToBrokenFilm()).toBe(true);
    second.end();
    k.serviceHost.onPlayedToEnd(() => false);
    await k.serviceHost.player.replay(`plugin://${ADDON_ID}${episode(1)}`, { release: '', position: 50 });
    const anew = await k.next();
    expect(anew.start.argv[2]).toContain('episode=1');
    expect([await hostOf(anew).startedBy(), await hostOf(anew).deferToBrokenFilm()]).toEqual([
      'service',
      false,
    ]);
    await goesOn(k, async () => {
      await hostOf(anew).resolve({ stream: await film(60), title: 'Caminandes 1x01', startAt: 50 });
      anew.end();
    });
    expect((await k.kodi.player.position()) ?? 0).toBeGreaterThan(40);
    await follows(k, 2);
  });

  test('follows still when another release takes the place of the film that plays, which goes', async () => {
    const k = await kodiWithEngineHere(root!);
    await playList(k, 1);
    await play(k, await k.next());
    const { url } = await film(60);
    await goesOn(k, () => k.serviceHost.player.play(url, 50));
    await k.kodi.until('the film before is gone', async () => (await entries(k)) === 3 || undefined);
    await follows(k, 3);
  });

  test('is of the playlist when one goes back to its first', async () => {
    const k = await kodiWithEngineHere(root!);
    await playList(k, 1);
    await play(k, await k.next());
    const going = k.kodi.rpc('Player.GoTo', { playerid: 1, to: 0 });
    const back = await k.next();
    expect(back.start.argv[2]).toContain('episode=1');
    expect(await hostOf(back).startedBy()).toBe('playlist');
    back.end();
    await going;
    await canPlay(k);
  });
});

/** Runs it, and waits for the picture that comes of it. */
async function goesOn(k: KodiWithEngineHere, play: () => Promise<void>): Promise<void> {
  const mark = k.kodi.notifications.mark();
  await play();
  await k.kodi.notifications.wait('Player.OnAVStart', { since: mark });
  await canPlay(k);
}

/** At the end of what plays, the playlist calls for that episode, which plays to its own end. */
async function follows(k: KodiWithEngineHere, number: number): Promise<void> {
  const next = await k.next();
  expect(next.start.argv[2]).toContain(`episode=${number}`);
  expect(await hostOf(next).startedBy()).toBe('playlist');
  expect(await hostOf(next).deferToBrokenFilm()).toBe(false);
  await hostOf(next).resolve({ stream: await film(4), title: 'Caminandes' });
  next.end();
}

const SECOND: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  year: 2013,
  ids: {},
  episode: { season: 1, episode: 2 },
};

/** Plays a long film in answer to the call, as the second episode, until another one may be started. */
async function play(k: KodiWithEngineHere, engine: EngineHere): Promise<void> {
  const mark = k.kodi.notifications.mark();
  await hostOf(engine).resolve({ stream: await film(600), title: 'Caminandes', request: SECOND });
  engine.end();
  await k.kodi.notifications.wait('Player.OnAVStart', { since: mark });
  await canPlay(k);
}

async function canPlay({ kodi }: KodiWithEngineHere): Promise<void> {
  for (const property of ['slipstream.starting', 'slipstream.failure-box'])
    await kodi.until(
      `${property} is cleared`,
      async () => (await kodi.homeProperty(property)) === '' || undefined,
    );
}
