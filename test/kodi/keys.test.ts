import { describe, expect, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { REPOSITORY_ID } from '../../tools/package/repository.ts';
import { isInstalled } from './installed.ts';
import { keysPressed, pressOn, write } from './remote-control.ts';
import { publishedSite } from './site.ts';
import { ADDON_ID, type Stage, stage } from './slipstream.ts';
import { type Value, WAY, type WayStep } from './way-to-first-film.ts';

const root = await rootOrSkip('the keys from an empty Kodi 21 to a film that plays');

/** An OK that ends what is typed counts as well. */
const MOST_KEYS = { all: 55, Slipstream: 12 };

type Values = Readonly<Record<Value, string>>;

/** As Kodi is unpacked: nothing installed, no place added, nothing from unknown sources allowed, no Node.js. */
async function emptyKodi(): Promise<{ readonly s: Stage; readonly values: Values }> {
  const { url } = await publishedSite();
  const settings = { 'addons.unknownsources': 'false', 'general.addonupdates': '0' };
  const s = await stage(root!, {
    kodi: { addons: [], node: null, addonSettings: {}, settings },
    unready: true,
  });
  const { indexer, backend } = s.sandbox;
  const values = {
    site: `${url}/`,
    indexer: indexer.url,
    'indexer key': indexer.apiKey,
    nzbdav: backend.apiUrl,
    'nzbdav key': backend.apiKey,
    'WebDAV password': backend.password,
  };
  return { s, values };
}

async function take({ presses, screen, until }: WayStep, { kodi }: Stage, values: Values): Promise<void> {
  for (const one of presses) {
    if ('asked' in one) {
      await write(kodi, one.asked, values[one.value], screen);
      continue;
    }
    const [focus, key] = one;
    await pressOn(kodi, typeof focus === 'string' ? focus : values[focus.value], key, screen);
  }
  if (until !== undefined) await isInstalled(kodi, until === 'repository' ? REPOSITORY_ID : ADDON_ID);
}

describe.skipIf(!root)('by the remote control alone', () => {
  test('55 keys lead from an empty Kodi to the first film, 12 of them on screens of Slipstream', async () => {
    const { s, values } = await emptyKodi();
    for (const step of WAY) await take(step, s, values);
    await s.kodi.until(
      'it plays',
      async () => ((await s.kodi.player.position()) ?? 0) > 1 || undefined,
      60_000,
    );
    const { Kodi, Slipstream } = keysPressed(s.kodi);
    expect(Kodi + Slipstream).toBeLessThanOrEqual(MOST_KEYS.all);
    expect(Slipstream).toBeLessThanOrEqual(MOST_KEYS.Slipstream);
  }, 300_000);
});
