import { pause } from '../../../src/io/wait.ts';
import type { Root } from '../../../tools/debian-root/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { Kodi } from '../harness/index.ts';
import { focusRow, openRows, ROWS_ID, rowsAddon } from '../rows.ts';
import { ADDON_ID, SINTEL, type Stage, stage } from '../slipstream.ts';
import { type Ending, judgeEnding } from './judge.ts';
import { markedAddon } from './marks.ts';
import type { Open, Way } from './plan.ts';

/** What came of an open; `ending` when Kodi did not survive it. */
export interface Opened {
  readonly open: Open;
  readonly ending?: Ending;
}

const ADDRESS = `plugin://${ADDON_ID}/play?${SINTEL}`;
const ROWS = 40;
const LIST = 10025;
const WAITED_FOR = ['slipstream.starting', 'slipstream.failure-box', 'slipstream.again'];
/** How often in a row nothing is to be left: a deferred play begins a moment later. */
const LOOKS = 5;
const LONGEST_MS = 60_000;

/** Does them one after the other in a real Kodi, and in a new one after each that Kodi did not survive. */
export async function doOpens(
  root: Root,
  opens: readonly Open[],
  tell: (one: Opened) => void,
): Promise<Opened[]> {
  const done: Opened[] = [];
  let s: Stage | undefined;
  for (const [index, open] of opens.entries()) {
    s ??= await stageWithRows(root);
    const ending = await doOpen(s, open, rowAt(index));
    if (ending !== undefined) {
      await s.kodi.kill();
      s = undefined;
    }
    const one = { open, ...(ending !== undefined && { ending }) };
    done.push(one);
    tell(one);
  }
  return done;
}

/** Each row is another address: Kodi plays the stream of one that has played, and calls nobody. */
const rowAt = (index: number) => `${ADDRESS}&row=${index % ROWS}`;

async function stageWithRows(root: Root): Promise<Stage> {
  const rows = Array.from({ length: ROWS }, (_, index) => rowAt(index));
  const addons = [await markedAddon(), await rowsAddon(temporaryFolder(), rows)];
  return stage(root, { kodi: { addons, debug: true } });
}

async function doOpen(s: Stage, open: Open, row: string): Promise<Ending | undefined> {
  try {
    await goThrough(s, open, row);
    return undefined;
  } catch (error) {
    // Its calls fail a moment before its end is known.
    const status = await s.kodi
      .until('Kodi has ended', () => Promise.resolve(s.kodi.exitStatus))
      .catch(() => undefined);
    const isSilent = (error as Error).message.includes('no answer within');
    if (status === undefined && !isSilent) throw error;
    return judgeEnding(status, await s.kodi.log());
  }
}

/** Rejects when Kodi ends meanwhile. */
async function goThrough(s: Stage, { way, course, more, back }: Open, row: string): Promise<void> {
  const presses: Promise<void>[] = [];
  const wait = (ms: number) => pause(ms, new AbortController().signal);
  if (course === 'fails') s.sandbox.faults.search = 'empty';
  else delete s.sandbox.faults.search;
  if (way === 'row') await goToRow(s.kodi, row);
  if (course === 'meets the failure box') await failureBox(s.kodi);
  presses.push(press(s, way));
  for (const next of more) {
    await wait(next.after);
    presses.push(press(s, next.way));
  }
  if (course === 'is cancelled' || course === 'meets the failure box') {
    await wait(back);
    await s.kodi.rpc('Input.Back');
  }
  await Promise.all(presses);
  await clearUp(s);
}

/** Kodi answers some of them when the play is there, and refuses others: what counts is that it lives. */
async function press({ kodi, open }: Stage, way: Way): Promise<void> {
  if (way === 'row') await kodi.rpc('Input.Select').catch(() => undefined);
  else if (way === 'PlayMedia') await kodi.builtin(`PlayMedia(${ADDRESS})`);
  else await open(`/play?${SINTEL}`).catch(() => undefined);
}

/** Back may have left the list, also for another one in its window. */
async function goToRow(kodi: Kodi, row: string): Promise<void> {
  const { currentwindow } = (await kodi.rpc('GUI.GetProperties', { properties: ['currentwindow'] })) as {
    currentwindow: { id: number };
  };
  const folder = await kodi.infoLabel('Container.FolderPath');
  if (currentwindow.id !== LIST || !folder.includes(ROWS_ID)) await openRows(kodi);
  await focusRow(kodi, row);
}

/** Kodi's own, about an address that it cannot play at all. */
async function failureBox(kodi: Kodi): Promise<void> {
  kodi.rpc('Player.Open', { item: { file: 'http://127.0.0.1:9/nothing.mkv' } }).catch(() => undefined);
  await kodi.until('the failure box is up', async () => (await isBoxUp(kodi)) || undefined);
}

async function isBoxUp(kodi: Kodi): Promise<boolean> {
  const condition = 'Window.IsActive(okdialog)';
  const answer = await kodi.rpc('XBMC.GetInfoBooleans', { booleans: [condition] });
  return (answer as Record<string, boolean>)[condition] === true;
}

/** Stops what plays, closes the box, and waits until the next open finds nothing of this one. */
async function clearUp(s: Stage): Promise<void> {
  let looks = 0;
  const look = async () => {
    looks = (await isCleared(s)) ? looks + 1 : 0;
    return looks === LOOKS || undefined;
  };
  await s.kodi.until('nothing is left of the open', look, LONGEST_MS);
}

async function isCleared({ kodi, engines }: Stage): Promise<boolean> {
  const players = (await kodi.rpc('Player.GetActivePlayers')) as unknown[];
  const values = await Promise.all(WAITED_FOR.map((name) => kodi.homeProperty(name)));
  const box = await isBoxUp(kodi);
  // It may have ended by itself.
  if (players.length > 0) await kodi.player.stop().catch(() => undefined);
  if (box) await kodi.rpc('Input.Back');
  return players.length === 0 && !box && values.join('') === '' && engines('plugin').length === 0;
}
