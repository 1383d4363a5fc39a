import { describe, expect, test } from 'vitest';
import { pause } from '../../src/io/wait.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Kodi } from './harness/index.ts';
import { FOREIGN_ROW, foreignBox, openRows, rowsAddon, selectRow } from './rows.ts';
import { ADDON, ADDON_ID, SINTEL, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip("Kodi's box about a failed playback, in a real Kodi 21");

const ROW = `plugin://${ADDON_ID}/play?${SINTEL}`;

/** Kodi's playlist player shows the box for the second failure when so many seconds lie between it and the first. */
const PATIENCE = 20;
/** The same for every failure, so that a test need not wait. */
const IMPATIENT = '<playlistretries>1</playlistretries>';

const boxIsUp = (kodi: Kodi) => kodi.isActive('okdialog');

const count = async (kodi: Kodi, text: string) => (await kodi.log()).split(text).length - 1;

/** How many boxes there were so far. */
const boxes = (kodi: Kodi) => count(kodi, 'Window Init (DialogConfirm.xml)');

async function boxComes(kodi: Kodi, number: number): Promise<void> {
  await kodi.until('the box is up', async () => (await boxes(kodi)) === number || undefined);
}

async function boxIsClosed(kodi: Kodi, number: number): Promise<void> {
  await boxComes(kodi, number);
  await kodi.until('the box is closed', async () => !(await boxIsUp(kodi)) || undefined, 2000);
}

/** Waits out the time in which a box of ours is closed. */
async function boxStays(kodi: Kodi, number: number): Promise<void> {
  await boxComes(kodi, number);
  await pause(2500, new AbortController().signal);
  expect(await boxIsUp(kodi)).toBe(true);
  await kodi.rpc('Input.Back');
  await kodi.until('the box is gone', async () => !(await boxIsUp(kodi)) || undefined);
}

async function canPlay({ kodi }: Stage): Promise<void> {
  for (const property of ['slipstream.starting', 'slipstream.failure-box'])
    await kodi.until(
      `${property} is cleared`,
      async () => (await kodi.homeProperty(property)) === '' || undefined,
    );
}

/** A Kodi with a list in which that film is a row, and one of another add-on's. */
async function withRows(advanced = ''): Promise<Stage> {
  const s = await stage(root!, {
    kodi: { addons: [ADDON, await rowsAddon(temporaryFolder(), [ROW, FOREIGN_ROW])], advanced, debug: true },
  });
  await openRows(s.kodi);
  return s;
}

const failures = (s: Stage) => count(s.kodi, 'play failed');

/** Starts a play of ours that comes to nothing. */
async function fail(s: Stage, start: () => Promise<void>): Promise<void> {
  const before = await failures(s);
  s.sandbox.faults.search = 'empty';
  await start();
  await s.kodi.until('it has failed', async () => (await failures(s)) > before || undefined);
  delete s.sandbox.faults.search;
}

describe.skipIf(!root)("Kodi's own box about a failed playback", () => {
  test('does not stay up after the second failure of a film that was chosen in a list', async () => {
    const s = await withRows();
    const { kodi } = s;
    const select = () => selectRow(kodi, ROW);
    await fail(s, select);
    await canPlay(s);
    expect(await boxes(kodi)).toBe(0);
    await pause((PATIENCE + 1) * 1000, new AbortController().signal);
    await fail(s, select);
    await boxIsClosed(kodi, 1);
    await s.nothingLeft();
    await canPlay(s);
    await select();
    await kodi.until('it plays', async () => ((await kodi.player.position()) ?? 0) > 1 || undefined);
  });

  test("does not stay up after the person's own cancel", async () => {
    const s = await withRows(IMPATIENT);
    const { kodi, sandbox } = s;
    sandbox.faults.job = { kind: 'stuck', percent: 40 };
    await selectRow(kodi, ROW);
    await kodi.until('it downloads', () => Promise.resolve(sandbox.queueLength() > 0 || undefined));
    await s.windowIsUp();
    await kodi.rpc('Input.Back');
    await boxIsClosed(kodi, 1);
    await s.nothingLeft();
  });

  test('does not stay up after a stream that the proxy has refused', async () => {
    const s = await withRows();
    const { kodi } = s;
    const port = await kodi.homeProperty('svc.proxy_port');
    await kodi.builtin(`PlayMedia(http://127.0.0.1:${port}/stream/${'0'.repeat(32)}/Sintel.mkv)`);
    await boxIsClosed(kodi, 1);
    await s.nothingLeft();
  });

  test("stays up when it is another add-on's and a play of ours is refused beneath it, which begins then", async () => {
    const s = await withRows();
    const { kodi } = s;
    await kodi.builtin('PlayMedia(http://127.0.0.1:9/nothing.mkv)');
    await boxComes(kodi, 1);
    for (let round = 0; round < 2; round++) await s.open(`/play?${SINTEL}`);
    await boxStays(kodi, 1);
    await kodi.until('it plays', async () => ((await kodi.player.position()) ?? 0) > 1 || undefined);
    expect(await boxes(kodi)).toBe(1);
  });

  test("stays up when it is about another add-on's film, or of another add-on's making", async () => {
    const s = await withRows(IMPATIENT);
    const { kodi } = s;
    await fail(s, () => selectRow(kodi, ROW));
    await boxIsClosed(kodi, 1);
    await selectRow(kodi, FOREIGN_ROW);
    await boxStays(kodi, 2);
    await canPlay(s);
    await fail(s, () => selectRow(kodi, ROW));
    await boxIsClosed(kodi, 3);
    await foreignBox(kodi);
    await boxStays(kodi, 4);
    await canPlay(s);
    await fail(s, () => selectRow(kodi, ROW));
    await boxIsClosed(kodi, 5);
    await kodi.builtin('PlayMedia(http://127.0.0.1:9/nothing.mkv)');
    await boxStays(kodi, 6);
  });
});
