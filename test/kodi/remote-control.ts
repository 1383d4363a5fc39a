import { join } from 'node:path';
import { pause } from '../../src/io/wait.ts';
import type { Kodi } from './harness/index.ts';
import { isOurs, ourWindowIsUp } from './slipstream.ts';

/** Where pictures of what is answered go, for somebody to look at; without it none is taken. */
const PICTURES = process.env['SLIPSTREAM_PICTURES'];

export type Key = 'Up' | 'Down' | 'Left' | 'Right' | 'Select' | 'Back';

/** Windows of Kodi's own, by number. */
export const WINDOWS = {
  home: 10000,
  videos: 10025,
  fileBrowser: 10126,
  question: 10100,
  addonBrowser: 10040,
  addonInfo: 10146,
  keyboard: 10103,
} as const;

/** The row of a list of ours that has the focus. */
const ROW = 'Container(50).ListItem.Label';

/** The label of Kodi's keyboard that tells what is asked for. */
const KEYBOARD_HEADING = 311;

/** Whose screen a key is pressed on: one of Kodi's own, or one that is there because Slipstream asks something. */
export type Screen = 'Kodi' | 'Slipstream';

const pressed = new WeakMap<Kodi, Record<Screen, number>>();

/** How many keys were pressed in this Kodi so far. What is typed is one: the OK of the keyboard. */
export const keysPressed = (kodi: Kodi): Readonly<Record<Screen, number>> =>
  pressed.get(kodi) ?? { Kodi: 0, Slipstream: 0 };

/** @param screen Needed where Slipstream asks by a dialog of Kodi's; absent: by the window in front. */
async function press(kodi: Kodi, key: Key, screen?: Screen): Promise<void> {
  await count(kodi, screen);
  await kodi.rpc(`Input.${key}`);
}

async function count(kodi: Kodi, screen?: Screen): Promise<void> {
  const whose = screen ?? (isOurs(await windowInFront(kodi)) ? 'Slipstream' : 'Kodi');
  const before = keysPressed(kodi);
  pressed.set(kodi, { ...before, [whose]: before[whose] + 1 });
}

async function windowInFront(kodi: Kodi): Promise<number> {
  const { currentwindow } = (await kodi.rpc('GUI.GetProperties', { properties: ['currentwindow'] })) as {
    currentwindow: { id: number };
  };
  return currentwindow.id;
}

/** What has the focus, as the person reads it: Kodi puts folders in brackets and marks buttons that open something. */
export async function focused(kodi: Kodi): Promise<string> {
  const label = await kodi.infoLabel('System.CurrentControl');
  return label.replace(/^\[(.*)\]$/, '$1').replace(/ \([ *]\)$/, '');
}

export async function windowIs(kodi: Kodi, window: number): Promise<void> {
  await kodi.until(
    `window ${window} is in front`,
    async () => (await windowInFront(kodi)) === window || undefined,
  );
}

/** Moves the focus until it rests on `label`, and presses Select. It may press one key more than a person would. */
export async function choose(kodi: Kodi, label: string, key: Key = 'Down'): Promise<void> {
  await restsOn(kodi, label, () => press(kodi, key));
  await press(kodi, 'Select');
}

/** Waits until the focus rests on `label`; `otherwise` is done at each look at which it is elsewhere. */
async function restsOn(
  kodi: Kodi,
  label: string,
  otherwise: () => Promise<void> = () => Promise.resolve(),
  ms?: number,
): Promise<void> {
  await restsWhere(
    kodi,
    `"${label}" has the focus`,
    async () => {
      const isThere = (await focused(kodi)) === label;
      if (!isThere) await otherwise();
      return isThere;
    },
    ms,
  );
}

/** Kodi moves a moment after the key: only what is there at two looks has come to rest. */
async function restsWhere(
  kodi: Kodi,
  what: string,
  look: () => Promise<boolean>,
  ms?: number,
): Promise<void> {
  let rests = false;
  await kodi.until(
    what,
    async () => {
      const [before, isThere] = [rests, await look()];
      rests = isThere;
      return (before && isThere) || undefined;
    },
    ms,
  );
}

/** Goes down until what has the focus is the wanted one, by that label of Kodi's. */
export async function goDownTo(
  kodi: Kodi,
  infoLabel: string,
  isWanted: (text: string) => boolean,
): Promise<void> {
  await restsWhere(kodi, 'the wanted row has the focus', async () => {
    const isThere = isWanted(await kodi.infoLabel(infoLabel));
    if (!isThere) await kodi.rpc('Input.Down');
    return isThere;
  });
}

/** Chooses the release in our list whose name contains this. */
export async function chooseRelease(kodi: Kodi, part: string): Promise<void> {
  await rowHasFocus(kodi);
  await goDownTo(kodi, ROW, (row) => row.includes(part));
  await kodi.rpc('Input.Select');
}

/** Presses the key once the focus rests where somebody sees it who presses no key in vain. Waits for a minute. */
export async function pressOn(kodi: Kodi, label: string, key: Key, screen?: Screen): Promise<void> {
  await restsOn(kodi, label, undefined, 60_000);
  if (isOurs(await windowInFront(kodi))) await ourWindowIsUp(kodi);
  await press(kodi, key, screen);
}

/** Answers the next question that Kodi, or an add-on through it, asks. */
export async function answer(kodi: Kodi, label: string): Promise<void> {
  await windowIs(kodi, WINDOWS.question);
  // A question begins with the focus on what does nothing; one that was just answered takes a moment to go.
  await kodi.until('the question is a new one', async () => (await focused(kodi)) !== label || undefined);
  await choose(kodi, label, 'Left');
}

/** In the window of ours with this title, goes to that row or button and presses it. */
export async function pick(kodi: Kodi, title: string, label: string): Promise<void> {
  await inWindow(kodi, title);
  await picture(kodi);
  // A list goes down; the two buttons of a question lie side by side, and down leads to the other one as well.
  await choose(kodi, label);
}

const rowHasFocus = (kodi: Kodi) =>
  kodi.until('a row has the focus', async () => (await kodi.infoLabel(ROW)) !== '' || undefined);

/** The first row of a list of ours, whatever it is. */
export async function pickFirst(kodi: Kodi, title: string): Promise<void> {
  await inWindow(kodi, title);
  await rowHasFocus(kodi);
  await picture(kodi);
  await press(kodi, 'Select');
}

/** Waits for a window of ours: while Kodi puts it up, it loses a key. */
export async function inWindow(kodi: Kodi, title: string): Promise<void> {
  await kodi.until(
    `"${title}" is asked`,
    async () => (await kodi.infoLabel('Window.Property(title)')).startsWith(title) || undefined,
    60_000,
  );
  await ourWindowIsUp(kodi);
}

/** Writes with Kodi's own keyboard when it asks for this. */
export async function write(
  kodi: Kodi,
  heading: string,
  text: string,
  screen: Screen = 'Slipstream',
): Promise<void> {
  await windowIs(kodi, WINDOWS.keyboard);
  await kodi.until(
    `"${heading}" is asked`,
    async () =>
      (await kodi.infoLabel(`Control.GetLabel(${KEYBOARD_HEADING})`)).includes(heading) || undefined,
  );
  await picture(kodi);
  await count(kodi, screen);
  await kodi.rpc('Input.SendText', { text, done: true });
}

let pictures = 0;

async function picture(kodi: Kodi): Promise<void> {
  if (PICTURES === undefined) return;
  // Windows fade in.
  await pause(500, new AbortController().signal);
  pictures += 1;
  await kodi.screenshot(join(PICTURES, `first-run-${String(pictures).padStart(2, '0')}.png`));
}
