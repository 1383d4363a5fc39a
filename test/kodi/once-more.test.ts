import { describe, expect, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { boxesIn } from './boxes.ts';
import type { Kodi } from './harness/index.ts';
import { goDownTo } from './remote-control.ts';
import { openRows, rowsAddon, selectRow } from './rows.ts';
import { ADDON, ADDON_ID, SINTEL, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('streams that have ended, in a real Kodi 21');

const ROW = `plugin://${ADDON_ID}/play?${SINTEL}`;

const OTHER_ROW = `plugin://${ADDON_ID}/play?type=episode&showname=Caminandes&season=1&episode=2&tvdb=990001&showyear=2013`;

/** Milliseconds; for so long a box of Kodi's about a failure of ours may be up. */
const BOX_MS = 2000;

const ALL_RAISED = ['svc.active', 'svc.stream_url', 'svc.playing'];

const beyond = (kodi: Kodi, seconds: number) =>
  kodi.until(
    `the time is beyond ${seconds} s`,
    async () => ((await kodi.player.position()) ?? 0) > seconds || undefined,
  );

/** Kodi opens the address that it keeps in the row of a list. */
const openAgain = ({ kodi }: Stage, url: string) => kodi.rpc('Player.Open', { item: { file: url } });

/** Plays Sintel to that second, stops it, and gives the address that it was played by. */
async function endedFilm(s: Stage, second: number): Promise<string> {
  await s.open(`/play?${SINTEL}`);
  return await endedAt(s, second);
}

/** The same of a film that is about to play. */
async function endedAt(s: Stage, second: number): Promise<string> {
  const { kodi } = s;
  await beyond(kodi, 1);
  await kodi.player.seek(second);
  // The service looks each second where the film is.
  await beyond(kodi, second + 2);
  const url = await kodi.homeProperty('svc.stream_url');
  await kodi.player.stop();
  await s.nothingLeft();
  return url;
}

async function isWatched(s: Stage, url: string): Promise<void> {
  await s.kodi.until(
    'it is announced and watched',
    async () => (await s.raised()).join() === ALL_RAISED.join() || undefined,
  );
  expect(await s.kodi.homeProperty('svc.stream_url')).toBe(url);
}

/** What the indexer was asked so far. */
const searches = ({ sandbox }: Stage) =>
  sandbox.requests.filter(({ service }) => service === 'indexer').length;

/** Chooses the first release in our list. */
async function choosesFirst({ kodi }: Stage): Promise<void> {
  await kodi.until(
    'the list is up',
    async () => (await kodi.infoLabel('Container(50).ListItem.Label')) || undefined,
  );
  await kodi.rpc('Input.Select');
}

/** Selects the row that has the focus; Kodi asks by itself where to begin, and gets the answer with these words. */
async function chooseInRow(kodi: Kodi, words: string): Promise<void> {
  await kodi.until('the list is in front', async () => (await isActive(kodi, 'videos')) || undefined);
  await kodi.rpc('Input.Select');
  await kodi.until('Kodi asks', async () => (await isActive(kodi, 'contextmenu')) || undefined);
  await goDownTo(kodi, 'System.CurrentControl', (choice) => choice.includes(words));
  await kodi.rpc('Input.Select');
}

/** Beyond its opening: until then the time is that of the film before, and Kodi gives up both upon another GoTo. */
const isPlaying = ({ kodi }: Stage, title: string) =>
  kodi.until(
    `${title} plays`,
    async () =>
      ((await kodi.homeProperty('svc.stream_url')).includes(title) &&
        (await kodi.homeProperty('slipstream.starting')) === '' &&
        ((await kodi.player.position()) ?? 0) > 1) ||
      undefined,
    60_000,
  );

/** A job's name without what makes it unique. */
const releaseOf = (job: string) => job.replace(/-[0-9a-f]{8}$/, '');

const jobsOf = ({ sandbox }: Stage) => sandbox.jobs().map(({ name }) => name);

/** As somebody who tidies up the backend does. */
async function removeJobs({ sandbox }: Stage): Promise<void> {
  const { apiUrl, apiKey } = sandbox.backend;
  for (const { id } of sandbox.jobs()) {
    const query = new URLSearchParams({ mode: 'history', name: 'delete', value: id, del_files: '1' });
    await fetch(`${apiUrl}/api?${query.toString()}&del_completed_files=1&apikey=${apiKey}&output=json`);
  }
  expect(sandbox.jobs()).toEqual([]);
}

describe.skipIf(!root)('the address of a film that has ended, in a real Kodi 21', () => {
  test('plays again, can be seeked, is watched, and stop cleans up, each time', async () => {
    const s = await stage(root!);
    const { kodi } = s;
    const url = await endedFilm(s, 200);
    for (const second of [400, 600]) {
      await openAgain(s, url);
      await beyond(kodi, 1);
      await isWatched(s, url);
      await kodi.player.seek(second);
      await beyond(kodi, second);
      await kodi.player.stop();
      await s.nothingLeft();
    }
    expect(jobsOf(s)).toHaveLength(1);
  });

  test('plays again after the engine was killed', async () => {
    const s = await stage(root!);
    const { kodi } = s;
    const url = await endedFilm(s, 200);
    const [before] = s.engines('service');
    process.kill(before!, 'SIGKILL');
    await kodi.until('another engine runs', () => {
      const now = s.engines('service');
      return Promise.resolve((now.length === 1 && now[0] !== before) || undefined);
    });
    await openAgain(s, url);
    await beyond(kodi, 1);
    await isWatched(s, url);
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('in the row of a list plays again, from where it was left or from its beginning, and no add-on is asked', async () => {
    const s = await stage(root!, { kodi: { addons: [ADDON, await rowsAddon(temporaryFolder(), [ROW])] } });
    const { kodi } = s;
    await openRows(kodi);
    await selectRow(kodi, ROW);
    const url = await endedAt(s, 400);
    const before = searches(s);
    await chooseInRow(kodi, 'Resume from');
    await beyond(kodi, 395);
    await isWatched(s, url);
    await kodi.player.stop();
    await s.nothingLeft();
    await chooseInRow(kodi, 'Play from beginning');
    await beyond(kodi, 1);
    expect((await kodi.player.position()) ?? 0).toBeLessThan(100);
    await isWatched(s, url);
    expect(searches(s)).toBe(before);
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('in a playlist plays again when the person goes back to it, at once and unasked', async () => {
    const s = await stage(root!, { settings: { auto_select: 'false' } });
    const { kodi } = s;
    for (const file of [ROW, OTHER_ROW]) await kodi.rpc('Playlist.Add', { playlistid: 1, item: { file } });
    await kodi.rpc('Player.Open', { item: { playlistid: 1, position: 0 } });
    await choosesFirst(s);
    await beyond(kodi, 1);
    const url = await kodi.homeProperty('svc.stream_url');
    await kodi.rpc('Player.GoTo', { playerid: 1, to: 'next' });
    await isPlaying(s, 'Caminandes');
    const before = searches(s);
    await kodi.rpc('Player.GoTo', { playerid: 1, to: 0 });
    await isPlaying(s, 'Sintel');
    await isWatched(s, url);
    expect(searches(s)).toBe(before);
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('is refused at once when its file is gone, and the film is played from its search on, unasked', async () => {
    const s = await stage(root!, { settings: { auto_select: 'false' }, kodi: { debug: true } });
    const { kodi } = s;
    await s.open(`/play?${SINTEL}`);
    await choosesFirst(s);
    const url = await endedAt(s, 200);
    const [chosen] = jobsOf(s);
    await removeJobs(s);
    await openAgain(s, url);
    const now = await kodi.until(
      'another stream is announced',
      async () => {
        const announced = await kodi.homeProperty('svc.stream_url');
        return ['', url].includes(announced) ? undefined : announced;
      },
      60_000,
    );
    // Kodi's own box about the refusal was closed, and nobody touched it.
    const [box, ...others] = boxesIn(await kodi.log());
    expect(box).toBeLessThan(BOX_MS);
    expect(others).toEqual([]);
    // Where the film was left.
    await beyond(kodi, 195);
    await isWatched(s, now);
    expect(await kodi.infoLabel('VideoPlayer.Title')).toBe('Sintel');
    expect(jobsOf(s).map(releaseOf)).toEqual([releaseOf(chosen!)]);
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('goes on at the same second after a sleep, though every connection is dead', async () => {
    const s = await stage(root!, { kodi: { sleeps: true } });
    const { kodi, sandbox } = s;
    await s.open(`/play?${SINTEL}`);
    await beyond(kodi, 1);
    await kodi.player.seek(500);
    await beyond(kodi, 502);
    const url = await kodi.homeProperty('svc.stream_url');
    const left = (await kodi.player.position())!;
    await kodi.sleep();
    await sandbox.shut('webdav');
    await sandbox.open('webdav');
    await kodi.wake();
    const from = await kodi.until('it plays', async () => {
      const position = await kodi.player.position();
      return position === 0 ? undefined : position;
    });
    expect(Math.abs(from - left)).toBeLessThan(5);
    await beyond(kodi, left + 2);
    await isWatched(s, url);
    expect(await kodi.infoLabel('VideoPlayer.Title')).not.toBe('');
    await kodi.player.stop();
    await s.nothingLeft();
    expect(jobsOf(s)).toHaveLength(1);
  });
});

async function isActive(kodi: Kodi, window: string): Promise<boolean> {
  const name = `Window.IsActive(${window})`;
  const answer = (await kodi.rpc('XBMC.GetInfoBooleans', { booleans: [name] })) as Record<string, boolean>;
  return answer[name] === true;
}
