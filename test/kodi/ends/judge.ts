import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { boxesIn } from '../boxes.ts';
import type { Stage } from '../slipstream.ts';
import { answers } from './answers.ts';
import { dataFolder, type End, until } from './end.ts';

/** Properties that belong to a play, beside those that Stage.nothingLeft looks at. */
const OF_A_PLAY = [
  'slipstream.starting',
  'slipstream.setting-up',
  'slipstream.nothing',
  'slipstream.again',
  'slipstream.broke-off',
  'slipstream.place',
  'slipstream.queue',
  'slipstream.recall',
  'svc.film_open',
  'slipstream.failure-box',
];
/** What the service leaves for its successor; gone once that has run, and has seen the film end. */
const LEFT = ['slipstream.kept', 'slipstream.item', 'script.trakt.ids'];
/** Kodi's own windows about a play: spinners, and boxes about a failure. */
const BOXES = ['busydialog', 'busydialognocancel', 'okdialog', 'yesnodialog'];
/** Milliseconds; for so long a box of Kodi's about a failure of ours may be up. */
const BOX_MS = 2000;
/** Milliseconds. A film that broke off is remembered for 30 s, for the playlist's call that may come (docs/bridge.md). */
const BROKE_OFF_MS = 40_000;
/** Seconds; what is kept may lie so far from the last picture. */
const NEAR = 2;

/** Holds an end that has been brought about to everything that each end promises. */
export async function judge(s: Stage, end: End, last: number | undefined): Promise<void> {
  if (end.over !== 'kodi') await isQuiet(s, end);
  await closesItsBoxes(s, end);
  await leavesNoOrphan(s, end);
  await keepsThePlace(s, last);
  // Last: what is late is counted as well.
  await answersEachCallOnce(s, end);
}

async function answersEachCallOnce(s: Stage, { answers: calls = 1 }: End): Promise<void> {
  const answered = await answers(s);
  expect(answered, 'handles that Kodi was answered for').toHaveLength(calls);
  expect(new Set(answered).size, `a call was answered twice: ${answered.join()}`).toBe(calls);
}

/** No window, no process, no property is left in Kodi. */
async function isQuiet(s: Stage, { over }: End): Promise<void> {
  const { kodi } = s;
  await s.nothingLeft();
  const conditions = BOXES.map((name) => `Window.IsActive(${name})`);
  await until(s, 'none of its boxes is up', async () => {
    const up = (await kodi.rpc('XBMC.GetInfoBooleans', { booleans: conditions })) as Record<string, boolean>;
    return Object.values(up).every((isUp) => !isUp);
  });
  // A service that is to come back finds what it needs; one that runs has taken it.
  const gone = over === 'service' ? OF_A_PLAY : [...OF_A_PLAY, ...LEFT];
  for (const name of gone)
    await until(
      s,
      `${name} is gone`,
      async () => (await kodi.homeProperty(name)) === '',
      name === 'slipstream.broke-off' ? BROKE_OFF_MS : undefined,
    );
  await until(
    s,
    'no engine is left but the service',
    () => s.kodi.processes().length === (over === 'service' ? 1 : 2),
  );
}

/** Kodi opens a box about what it gets no answer for, and it was closed for the person. */
async function closesItsBoxes({ kodi }: Stage, { boxes = 0 }: End): Promise<void> {
  const found = boxesIn(await kodi.log());
  expect(found, 'milliseconds that boxes of its own were up').toHaveLength(boxes);
  for (const milliseconds of found) expect(milliseconds).toBeLessThan(BOX_MS);
}

/** Nothing at the backend that nobody plays, and nothing in the ledger. */
async function leavesNoOrphan(s: Stage, { jobs = 0 }: End): Promise<void> {
  await until(s, 'the backend has what was played, and nothing else', () => s.sandbox.jobs().length === jobs);
  expect(s.sandbox.queueLength()).toBe(0);
  await until(s, 'the ledger is empty', async () => (await documents(s, 'ledger')).length === 0);
}

async function keepsThePlace(s: Stage, last: number | undefined): Promise<void> {
  const places = async () => (await documents(s, 'resume')).flatMap((text) => positionsIn(text));
  if (last === undefined) {
    expect(await places(), 'places that are kept').toEqual([]);
    return;
  }
  const isKept = async () => (await places()).some((each) => Math.abs(each - last) <= NEAR);
  await until(s, `the place at ${last} s is kept`, isKept).catch(async (error: unknown) => {
    throw new Error(`the last picture was at ${last} s, kept are ${(await places()).join() || 'none'}`, {
      cause: error,
    });
  });
}

const positionsIn = (text: string) =>
  [...text.matchAll(/"position":\s*([\d.]+)/g)].map(([, value]) => Number(value));

/** The texts of what lies in that folder of ours. */
async function documents(s: Stage, name: string): Promise<string[]> {
  const folder = join(dataFolder(s), name);
  const names = (await readdir(folder).catch(() => [])).filter((each) => each.endsWith('.json'));
  // A document may go in between.
  return Promise.all(names.map((each) => readFile(join(folder, each), 'utf8').catch(() => '')));
}
