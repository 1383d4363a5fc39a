import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MediaRequest } from '../../src/model/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { serve } from '../support/http-server.ts';
import { film, hostOf, kodiWithEngineHere } from './engine-here.ts';
import type { Kodi } from './harness/index.ts';
import { ADDON_ID, SINTEL, SINTEL_SCRIPT } from './slipstream.ts';

const root = await rootOrSkip('where a film begins, in a real Kodi 21');

const SUBTITLE = '1\n00:00:01,000 --> 00:09:00,000\nShe is looking for a dragon.\n';
const REQUEST: MediaRequest = {
  kind: 'movie',
  title: 'Sintel',
  year: 2010,
  premiered: '2010-09-27',
  plot: 'A girl and her dragon',
  ids: { imdb: 'tt1727587', tmdb: '45745' },
  runtime: 10,
};

/** Where it plays from, once it has a picture: to ten seconds, because a seek lands at the key frame before. */
async function beginning(kodi: Kodi, since: number): Promise<number> {
  await kodi.notifications.wait('Player.OnAVStart', { since });
  const position = await kodi.until('it plays', () => kodi.player.position());
  return Math.round(position / 10) * 10;
}

/** Kodi's video database, as far as it is text. */
async function database(kodi: Kodi): Promise<string> {
  const folder = join(kodi.profile.folder, '.kodi/userdata/Database');
  const names = (await readdir(folder)).filter((name) => name.startsWith('MyVideos'));
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))).join('\n');
}

/** Seeks there, and stops once the film has gone there. */
async function leaveAt(kodi: Kodi, seconds: number): Promise<void> {
  await kodi.player.seek(seconds);
  await kodi.until('it is there', async () => ((await kodi.player.position()) ?? 0) > seconds || undefined);
  await kodi.player.stop();
}

/** Kodi has written down the film by our call, and by no address that is dead tomorrow. */
async function expectOurCall(kodi: Kodi): Promise<void> {
  await kodi.until(
    'the film is in the database',
    async () => (await database(kodi)).includes(`plugin://${ADDON_ID}/play?`) || undefined,
  );
  expect(await database(kodi)).not.toMatch(/127\.0\.0\.1/);
}

async function isActive(kodi: Kodi, window: string): Promise<true | undefined> {
  const name = `Window.IsActive(${window})`;
  const answer = (await kodi.rpc('XBMC.GetInfoBooleans', { booleans: [name] })) as Record<string, boolean>;
  return answer[name] === true ? true : undefined;
}

describe.skipIf(!root)('a film that was left, in a real Kodi 21', () => {
  test('begins where the engine says on the handle path, and Kodi knows all of it', async () => {
    const { kodi, call, idle } = await kodiWithEngineHere(root!);
    const stream = await film(600);
    const subtitles = await serve((_, response) => response.end(SUBTITLE));
    const first = await call(`/play?${SINTEL}`);
    // Kodi says "resume:false" when it has nothing to ask.
    expect(await hostOf(first).resumeAnswer()).toBeUndefined();
    let mark = kodi.notifications.mark();
    await hostOf(first).resolve({
      stream: { ...stream, subtitles: [`${subtitles}/film.en.srt`] },
      request: REQUEST,
      title: 'Sintel (2010)',
      startAt: 120,
    });
    first.end();
    expect(await beginning(kodi, mark)).toBe(120);
    const labels = ['Title', 'Year', 'Premiered', 'Plot', 'IMDBNumber'].map((name) => `VideoPlayer.${name}`);
    expect(await Promise.all(labels.map((label) => kodi.infoLabel(label)))).toEqual([
      'Sintel',
      '2010',
      expect.stringContaining('2010'),
      'A girl and her dragon',
      'tt1727587',
    ]);
    expect(await kodi.homeProperty('script.trakt.ids')).toBe('{"imdb":"tt1727587","tmdb":45745}');
    await kodi.until('the subtitles are there', async () => {
      const [player] = (await kodi.rpc('Player.GetActivePlayers')) as { playerid: number }[];
      const found = (await kodi.rpc('Player.GetProperties', {
        playerid: player!.playerid,
        properties: ['subtitles'],
      })) as { subtitles: unknown[] };
      return found.subtitles.length === 1 || undefined;
    });

    // Kodi keeps a point of its own; what the engine says goes before it.
    await leaveAt(kodi, 300);
    await idle();
    for (const [startAt, from] of [
      [200, 200],
      [undefined, 300],
    ] as const) {
      const again = await call(`/play?${SINTEL}`, { resume: true });
      expect(await hostOf(again).resumeAnswer()).toBe(true);
      mark = kodi.notifications.mark();
      const item = { stream, request: REQUEST, title: 'Sintel (2010)' };
      await hostOf(again).resolve(startAt === undefined ? item : { ...item, startAt });
      again.end();
      expect(await beginning(kodi, mark)).toBe(from);
      await leaveAt(kodi, 300);
      await idle();
    }
    await expectOurCall(kodi);
  });

  test('is known to Kodi by a name of ids alone where it has no row, and begins there', async () => {
    const { kodi, call, idle } = await kodiWithEngineHere(root!);
    const stream = await film(600);
    for (const [plot, resume, from] of [
      ['one', false, 0],
      ['another', true, 300],
    ] as const) {
      const { peer, start, end } = await call(`/play?${SINTEL}&plot=${plot}`, { resume });
      const mark = kodi.notifications.mark();
      await hostOf({ peer, start, end }).resolve({ stream, request: REQUEST, title: 'Sintel (2010)' });
      end();
      // At its start Kodi may stand a moment before it.
      expect(Math.abs(await beginning(kodi, mark))).toBe(from);
      await leaveAt(kodi, 300);
      await idle();
    }
    await kodi.until(
      'the film is in the database',
      async () => (await database(kodi)).includes(`play?type=movie&tmdb=45745`) || undefined,
    );
    expect(await database(kodi)).not.toContain('plot=');
  });

  test('begins where the person says on the script path, and only our call is remembered', async () => {
    const { kodi, call, idle } = await kodiWithEngineHere(root!);
    const stream = await film(600);
    const script = await call(`RunScript(${ADDON_ID},${SINTEL_SCRIPT})`);
    const host = hostOf(script);
    expect(await host.resumeAnswer()).toBeUndefined();
    const progress = await host.openProgress('Sintel (2010)');
    const answer = host.askResume({ position: 120, isExact: true }, new AbortController().signal);
    await kodi.until('it is asked', () => isActive(kodi, 'contextmenu'));
    // Over our window, in Kodi's words.
    await kodi.until(
      'the first row has the focus',
      async () => (await kodi.infoLabel('System.CurrentControl')).includes('Resume from 2:00') || undefined,
    );
    await kodi.rpc('Input.Select');
    expect(await answer).toBe('resume');
    await progress.close();
    const mark = kodi.notifications.mark();
    await host.play({ stream, request: REQUEST, title: 'Sintel (2010)', startAt: 120 });
    script.end();
    expect(await beginning(kodi, mark)).toBe(120);
    await leaveAt(kodi, 300);
    await idle();
    await expectOurCall(kodi);
  });

  test('the question goes with an abort, and with Back', async () => {
    const { kodi, call } = await kodiWithEngineHere(root!);
    const script = await call(`/play?${SINTEL}`);
    const host = hostOf(script);
    const controller = new AbortController();
    const aborted = host
      .askResume({ position: 120, isExact: true }, controller.signal)
      .catch((error: unknown) => error);
    await kodi.until('it is asked', () => isActive(kodi, 'contextmenu'));
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await aborted).toBe(reason);
    await kodi.until(
      'it is gone',
      async () => (await isActive(kodi, 'contextmenu')) === undefined || undefined,
    );
    const back = host.askResume({ position: 120, isExact: true }, new AbortController().signal);
    await kodi.until('it is asked again', () => isActive(kodi, 'contextmenu'));
    await kodi.rpc('Input.Back');
    expect(await back).toBeUndefined();
    script.end();
  });
});
