import { describe, expect, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { film, hostOf, kodiWithEngineHere } from './engine-here.ts';
import { FINDER_ID, type Found, finderAddon, finderRow, playWithoutHandle } from './finder.ts';
import type { Kodi } from './harness/index.ts';
import { openRows, selectRow } from './rows.ts';
import { ADDON, ADDON_ID, SINTEL, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('plays in the order of TMDbHelper in a real Kodi 21');

const episode = (number: number): Found => ({
  query: `info=play&tmdb_type=tv&tmdb_id=990002&season=1&episode=${number}&player=slipstream.json&mode=play`,
  call: `plugin://${ADDON_ID}/play?type=episode&tmdb=990002&showname=Caminandes&season=1&episode=${number}`,
});

describe.skipIf(!root)('episodes that an add-on queues, in a real Kodi 21', () => {
  test.each(['once-it-plays', 'before-the-answer'] as const)('%s play in their order', async (queueing) => {
    const episodes = [1, 2, 3, 4].map(episode);
    const addon = await finderAddon(temporaryFolder(), episodes, queueing);
    const k = await kodiWithEngineHere(root!, { addons: [addon] });
    await openRows(k.kodi, FINDER_ID);
    await selectRow(k.kodi, finderRow(episodes[0]!));
    for (const { call } of episodes) {
      const engine = await k.next();
      expect(`${engine.start.argv[0]}${engine.start.argv[2]}`).toBe(call);
      const host = hostOf(engine);
      expect(await host.deferToBrokenFilm()).toBe(false);
      expect(await host.startedBy()).toBe(call === episodes[0]!.call ? 'person' : 'playlist');
      await host.resolve({ stream: await film(4), title: 'Caminandes' });
      engine.end();
    }
    await k.idle();
    // What Kodi called for meanwhile would come before it.
    const probe = await k.call(`/play?${SINTEL}`);
    expect(probe.start.argv[2]).toContain('Sintel');
    probe.end();
  });
});

/** Another plot and poster, as from one day to the next. */
const told = (day: number): Found => ({
  query: `info=play&tmdb_type=movie&tmdb_id=45745&day=${day}`,
  call: `plugin://${ADDON_ID}/play?${SINTEL}&plot=Plot%20${day}&poster=http%3A%2F%2Fimages.invalid%2F${day}.jpg`,
});
const ROW = finderRow(told(0));

/** Seconds: 3:44, and how far off what is kept may lie. */
const PLACE = 224;
const NEAR = 5;

const staged = async (): Promise<Stage> => {
  const finder = await finderAddon(temporaryFolder(), [told(0), told(1)], 'never');
  return await stage(root!, { kodi: { addons: [ADDON, finder] } });
};

describe.skipIf(!root)('a film that was left, in a real Kodi 21', () => {
  test('without a handle is taken up again by another plot and poster, asked by us alone', async () => {
    const s = await staged();
    await playWithoutHandle(s.kodi, 0);
    await leave(s);
    await playWithoutHandle(s.kodi, 1);
    await isAskedOnce(s);
    await s.kodi.player.stop();
    await s.nothingLeft();
  });

  test('is offered without a handle also over its row, which Kodi itself asks about', async () => {
    const s = await staged();
    const { kodi } = s;
    await openRows(kodi, FINDER_ID);
    await selectRow(kodi, ROW);
    await leave(s);
    await kodi.until(
      'Kodi knows that the row was left',
      async () => Number(await kodi.infoLabel('ListItem.PercentPlayed')) > 0 || undefined,
    );
    await playWithoutHandle(kodi, 1);
    await isAskedOnce(s);
    await leave(s);

    // Until the list is loaded again its row opens the stream by itself.
    await kodi.builtin('Container.Refresh');
    await selectRow(kodi, ROW);
    await isAskedOnce(s);
    await kodi.player.stop();
    await s.nothingLeft();
  });
});

/** The film that is about to play is left there. */
async function leave(s: Stage): Promise<void> {
  await beyond(s, 1);
  await s.kodi.player.seek(PLACE - 2);
  await beyond(s, PLACE);
  await s.kodi.player.stop();
  await s.nothingLeft();
}

/** One question comes, in Kodi's words, about that place; it is taken up there. */
async function isAskedOnce(s: Stage): Promise<void> {
  const { kodi } = s;
  const [, minutes, seconds] = await kodi.until('it is asked', async () =>
    (await isActive(kodi, 'contextmenu'))
      ? (/Resume from .*?(\d+):(\d\d)$/.exec(await kodi.infoLabel('System.CurrentControl')) ?? undefined)
      : undefined,
  );
  const offered = Number(minutes) * 60 + Number(seconds);
  expect(Math.abs(offered - PLACE), `${offered} s was offered`).toBeLessThanOrEqual(NEAR);
  await kodi.rpc('Input.Select');
  // A second question would keep it from playing. It lands at the key frame before.
  await beyond(s, PLACE - NEAR - 10);
}

const beyond = ({ kodi }: Stage, seconds: number) =>
  kodi.until(
    `the time is beyond ${seconds} s`,
    async () => ((await kodi.player.position()) ?? 0) > seconds || undefined,
    60_000,
  );

async function isActive(kodi: Kodi, window: string): Promise<boolean> {
  const name = `Window.IsActive(${window})`;
  const answer = (await kodi.rpc('XBMC.GetInfoBooleans', { booleans: [name] })) as Record<string, boolean>;
  return answer[name] === true;
}
