import { describe, expect, test } from 'vitest';
import { kodiHost, kodiServiceHost, type StartMessage } from '../../../src/host/kodi/index.ts';
import { fakeKodi } from '../../support/fake-kodi.ts';

const START: StartMessage = {
  entry: 'resolve',
  argv: ['plugin://plugin.video.slipstream/play', '1', '?type=episode&tmdb=34&season=1&episode=2'],
  handle: 1,
  addon: { id: 'plugin.video.slipstream', version: '0.1.0', path: '/addon' },
  data: '/data',
  kodi: '21.2',
};
const entry = (episode: number, tmdb = '34') =>
  `plugin://plugin.video.finder/?info=play&tmdb_id=${tmdb}&season=1&episode=${episode}`;
const FOREIGN = 'plugin://plugin.video.finder/?id=99';

/** Kodi calls for the film at that position of its list: the second episode of the show, if nothing else is said. */
function called(entries: readonly string[], position: number, argv = START.argv) {
  const kodi = fakeKodi();
  Object.assign(kodi.playlist, { position, entries: [...entries] });
  return { kodi, host: kodiHost(kodi.peer, { ...START, argv }, kodi.log) };
}

/** What the list holds from Kodi's position on, once the call is answered. */
async function leftOf(...given: Parameters<typeof called>): Promise<string[]> {
  const { kodi, host } = called(...given);
  await host.deferToBrokenFilm();
  await host.resolve(undefined);
  return kodi.playlist.entries.slice(Math.max(0, given[1]));
}

describe('a playlist that was rebuilt under the call for an episode of it', () => {
  const REBUILT = [2, 3, 4].map((episode) => entry(episode));

  test.each([1, 2, 3])("goes on behind that episode, at Kodi's position %i", async (position) => {
    expect(await leftOf(REBUILT, position)).toEqual(REBUILT);
  });

  test('follows, the episode itself first, what takes the place of a film that broke off', async () => {
    const { kodi, host } = called(REBUILT, 1);
    const service = kodiServiceHost(kodi.peer, { ...START, entry: 'service' }, kodi.log);
    service.onPlayedToEnd(() => true);
    kodi.notify('film.ended', {});
    await expect.poll(() => kodi.properties.has('slipstream.broke-off')).toBe(true);
    expect(await host.deferToBrokenFilm()).toBe(true);
    expect(JSON.parse(kodi.properties.get('slipstream.queue') ?? '')).toEqual(
      REBUILT.map((file) => ({ file, label: file })),
    );
  });

  test.each([
    ['the episode at the position is called for', [entry(1), entry(2), entry(3)], 1],
    ['it plays once more', [entry(2), entry(2), entry(3)], 1],
    ['it begins with another', [entry(1), entry(3), entry(4)], 1],
    ['it begins with that of another show', [entry(2, '35'), entry(3, '35')], 1],
    ['what is at the position may be that episode as well', [entry(2), FOREIGN, entry(3)], 1],
    ['nothing of it plays', REBUILT, -1],
    ['it is at its start', REBUILT, 0],
    ['it is empty', [], 1],
  ])('is none when %s', async (_, entries, position) => {
    expect(await leftOf(entries, position)).toEqual(entries.slice(Math.max(0, position)));
  });

  test('is none when the film at the position plays, and the call comes from elsewhere', async () => {
    const { kodi, host } = called([entry(2), entry(3), entry(4)], 2);
    kodi.playlist.playing = entry(4);
    await host.deferToBrokenFilm();
    await host.resolve(undefined);
    expect(kodi.playlist.entries).toHaveLength(3);
  });

  test('that cannot be mended keeps nobody from the episode', async () => {
    const { kodi, host } = called(REBUILT, 1);
    kodi.refuse('playlist.prepend');
    await host.deferToBrokenFilm();
    await host.resolve({ stream: { url: 'http://127.0.0.1:1/one.mkv' }, title: 'One' });
    expect(kodi.calls.at(-1)?.method).toBe('resolve');
    expect(kodi.log.lines.join()).toContain('the playlist may skip an episode');
  });

  test('is none when a film is called for', async () => {
    const argv = [START.argv[0]!, '1', '?type=movie&tmdb=34'];
    const films = [FOREIGN, entry(2)];
    expect(await leftOf(films, 1, argv)).toEqual([entry(2)]);
  });
});
