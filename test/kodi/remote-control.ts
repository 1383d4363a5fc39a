import type { Kodi } from './harness/index.ts';

type Key = 'Up' | 'Down' | 'Left' | 'Right' | 'Select' | 'Back';

/** Windows of Kodi's own, by number. */
export const WINDOWS = {
  home: 10000,
  fileBrowser: 10126,
  question: 10100,
  addonBrowser: 10040,
  addonInfo: 10146,
} as const;

async function press(kodi: Kodi, key: Key): Promise<void> {
  await kodi.rpc(`Input.${key}`);
}

/** What has the focus, as the person reads it: Kodi puts folders in brackets and marks buttons that open something. */
async function focused(kodi: Kodi): Promise<string> {
  const label = await kodi.infoLabel('System.CurrentControl');
  return label.replace(/^\[(.*)\]$/, '$1').replace(/ \([ *]\)$/, '');
}

export async function windowIs(kodi: Kodi, window: number): Promise<void> {
  await kodi.until(`window ${window} is in front`, async () => {
    const { currentwindow } = (await kodi.rpc('GUI.GetProperties', { properties: ['currentwindow'] })) as {
      currentwindow: { id: number };
    };
    return currentwindow.id === window || undefined;
  });
}

/** Moves the focus until it rests on `label`, and presses Select. */
export async function choose(kodi: Kodi, label: string, key: Key = 'Down'): Promise<void> {
  let rests = false;
  await kodi.until(`"${label}" has the focus`, async () => {
    const isThere = (await focused(kodi)) === label;
    // Kodi moves a moment after the key: only what is there twice has come to rest.
    if (isThere && rests) return true;
    rests = isThere;
    if (!isThere) await press(kodi, key);
    return undefined;
  });
  await press(kodi, 'Select');
}

/** Answers the next question that Kodi, or an add-on through it, asks. */
export async function answer(kodi: Kodi, label: string): Promise<void> {
  await windowIs(kodi, WINDOWS.question);
  // A question begins with the focus on what does nothing; one that was just answered takes a moment to go.
  await kodi.until('the question is a new one', async () => (await focused(kodi)) !== label || undefined);
  await choose(kodi, label, 'Left');
}
