import { describe, expect, test } from 'vitest';
import { whenQuery } from '../../sandbox/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { chooseRelease } from './remote-control.ts';
import { ADDON_ID, quitsClean, SINTEL, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('a queue of films in a real Kodi 21');

const EPISODE = 'type=episode&showname=Caminandes&season=1&episode=2&tvdb=990001&showyear=2013';

/** The person chooses, as the settings have it by default. */
const CHOOSES = { auto_select: 'false', cache_minutes: '30' };
const SMALL_CACHE = { settings: { 'filecache.memorysize': '24' } };

async function playQueue({ kodi }: Stage, ...queries: string[]): Promise<void> {
  await kodi.rpc('Playlist.Clear', { playlistid: 1 });
  for (const query of queries)
    await kodi.rpc('Playlist.Add', {
      playlistid: 1,
      item: { file: `plugin://${ADDON_ID}/play?${query}` },
    });
  await kodi.rpc('Player.Open', { item: { playlistid: 1, position: 0 } });
}

const beyond = ({ kodi }: Stage, seconds: number, ms = 60_000) =>
  kodi.until(
    `the time is beyond ${seconds} s`,
    async () => ((await kodi.player.position()) ?? 0) > seconds || undefined,
    ms,
  );

const plays = ({ kodi }: Stage, label: string, text: string, ms = 60_000) =>
  kodi.until(
    `${text} plays`,
    async () => ((await kodi.infoLabel(`VideoPlayer.${label}`)) === text ? true : undefined),
    ms,
  );

const starting = ({ kodi }: Stage) => kodi.homeProperty('slipstream.starting');

const isPassedOver = async ({ kodi }: Stage) => (await kodi.homeProperty('slipstream.passed-over')) !== '';

describe.skipIf(!root)('a queue of films, in a real Kodi 21', () => {
  test('goes back to an item that was not played yet: it plays, is searched for once, and nothing is asked', async () => {
    // Without a memory of what was found a second search would be seen.
    const s = await stage(root!, { settings: { ...CHOOSES, cache_minutes: '0' } });
    const { kodi, sandbox } = s;
    const add = (query: string) =>
      kodi.rpc('Playlist.Add', { playlistid: 1, item: { file: `plugin://${ADDON_ID}/play?${query}` } });
    await kodi.rpc('Playlist.Clear', { playlistid: 1 });
    await add(EPISODE);
    await add(SINTEL);
    await kodi.rpc('Player.Open', { item: { playlistid: 1, position: 1 } });
    await chooseRelease(kodi, 'ISHTAR');
    await beyond(s, 1);
    const from = sandbox.requests.length;
    const [player] = (await kodi.rpc('Player.GetActivePlayers')) as { playerid: number }[];
    await kodi.rpc('Player.GoTo', { playerid: player!.playerid, to: 0 });
    await plays(s, 'TVShowTitle', 'Caminandes');
    await beyond(s, 1);
    const asked = sandbox.requests.slice(from);
    // One search may ask in more than one way, and asks nothing twice.
    const queries = asked.filter(whenQuery('t', 'tvsearch')).map(({ query }) => JSON.stringify(query));
    expect(queries).not.toEqual([]);
    expect(queries).toEqual([...new Set(queries)]);
    expect(asked.filter(whenQuery('mode', 'addfile'))).toHaveLength(1);
    expect((await kodi.log()).match(/slipstream-picker\.xml/g), "only the person's own choice").toHaveLength(
      1,
    );
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('goes on to the next but one when Next is pressed twice, and keeps what follows', async () => {
    const s = await stage(root!, { settings: CHOOSES, kodi: { debug: true } });
    const { kodi, sandbox } = s;
    const next = () => kodi.rpc('Player.GoTo', { playerid: 1, to: 'next' });
    await playQueue(s, EPISODE, SINTEL, EPISODE, SINTEL);
    await chooseRelease(kodi, 'ANDES');
    await plays(s, 'TVShowTitle', 'Caminandes');
    await kodi.until('another may follow', async () => (await starting(s)) === '' || undefined);
    // Its opening takes a while.
    sandbox.faults.webdav.push({ kind: 'slow', milliseconds: 3000, when: ({ method }) => method === 'GET' });
    await next();
    await kodi.until(
      'the second opens',
      async () => (await starting(s)).startsWith('opening ') || undefined,
      60_000,
    );
    await kodi.until(
      'Kodi shows its busy sign',
      async () => (await kodi.isActive('busydialog')) || undefined,
    );
    sandbox.faults.webdav.length = 0;
    // Refused, and so is everything that stands behind it; a notice of Kodi's own says that it finds nothing to play.
    await next();
    await kodi.until('it was refused', async () => (await isPassedOver(s)) || undefined);
    await plays(s, 'TVShowTitle', 'Caminandes');
    await beyond(s, 1);
    const { position } = (await kodi.rpc('Player.GetProperties', {
      playerid: 1,
      properties: ['position'],
    })) as { position: number };
    const { items } = (await kodi.rpc('Playlist.GetItems', { playlistid: 1 })) as { items: unknown[] };
    expect([position, items.length]).toEqual([2, 4]);
    await kodi.player.seek(140);
    await plays(s, 'Title', 'Sintel');
    const log = await kodi.log();
    expect(log.match(/Window Init \(.*slipstream-picker\.xml/g), "only the person's own choice").toHaveLength(
      1,
    );
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('goes on behind a film that was resumed after an update', async () => {
    const s = await stage(root!, { kodi: SMALL_CACHE });
    const { kodi } = s;
    const enable = (enabled: boolean) => kodi.rpc('Addons.SetAddonEnabled', { addonid: ADDON_ID, enabled });
    await playQueue(s, SINTEL, EPISODE);
    await beyond(s, 1);
    await kodi.player.seek(400);
    await beyond(s, 402);
    const stream = await kodi.homeProperty('svc.stream_url');
    await enable(false);
    await kodi.until('the service is gone', () =>
      Promise.resolve(s.engines('service').length === 0 || undefined),
    );
    await enable(true);
    await kodi.until(
      'it is resumed',
      async () => !['', stream].includes(await kodi.homeProperty('svc.stream_url')) || undefined,
      60_000,
    );
    await beyond(s, 402);
    expect(await kodi.infoLabel('VideoPlayer.Title')).toBe('Sintel');
    await kodi.player.seek(880);
    await plays(s, 'TVShowTitle', 'Caminandes');
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('goes on behind another release that takes the place of one which is lost', async () => {
    const s = await stage(root!, { settings: { ...CHOOSES, restart_broken: 'false' }, kodi: SMALL_CACHE });
    const { kodi } = s;
    await playQueue(s, SINTEL, EPISODE);
    await chooseRelease(kodi, 'CRACKED');
    await beyond(s, 1);
    // A picture 133 s before what is missing: too early to be replaced in time.
    await kodi.player.seek(400);
    await beyond(s, 403);
    const stream = await kodi.homeProperty('svc.stream_url');
    // From 533 s on all of it is missing.
    await kodi.player.seek(600);
    await kodi.until(
      'another release plays',
      async () => !['', stream].includes(await kodi.homeProperty('svc.stream_url')) || undefined,
      60_000,
    );
    await kodi.until('it has a picture', async () => (await s.raised()).length === 3 || undefined);
    // Where the last picture was, not where the seek went. Kodi, sent to what is missing, goes back to the seconds before
    // 533, and on a busy machine it shows them for long enough to count.
    await beyond(s, 380);
    expect((await kodi.player.position()) ?? Infinity).toBeLessThan(560);
    expect(await kodi.infoLabel('VideoPlayer.Title')).toBe('Sintel');
    await kodi.player.seek(880);
    await plays(s, 'TVShowTitle', 'Caminandes');
    expect((await kodi.log()).match(/slipstream-picker\.xml/g)).toHaveLength(1);
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('is there still, and plays nothing, when the person goes back from a film that is lost', async () => {
    const s = await stage(root!, { settings: { restart_broken: 'false' }, kodi: SMALL_CACHE });
    const { kodi, sandbox } = s;
    await playQueue(s, SINTEL, EPISODE);
    await beyond(s, 3);
    sandbox.faults.missing = { from: 400_000_000, to: Number.MAX_SAFE_INTEGER };
    sandbox.faults.job = { kind: 'stuck', percent: 10 };
    await kodi.player.seek(600);
    await kodi.until('another release is made ready', () =>
      Promise.resolve(sandbox.queueLength() > 0 || undefined),
    );
    await s.windowIsUp();
    const since = performance.now();
    await kodi.rpc('Input.Back');
    await s.nothingLeft();
    expect(performance.now() - since).toBeLessThan(1_000);
    await kodi.until('what was begun is removed', () =>
      Promise.resolve(sandbox.queueLength() === 0 || undefined),
    );
    expect(await kodi.player.position()).toBeUndefined();
    await kodi.until('the episode is in the list', async () => {
      const { items = [] } = (await kodi.rpc('Playlist.GetItems', {
        playlistid: 1,
        properties: ['file'],
      })) as { items?: { file: string }[] };
      return items.length === 1 && items[0]?.file.endsWith(EPISODE) === true ? true : undefined;
    });
    await quitsClean(kodi);
  });
});
