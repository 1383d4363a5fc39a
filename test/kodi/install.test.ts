import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Root, rootOrSkip } from '../../tools/debian-root/index.ts';
import { REPOSITORY_ID } from '../../tools/package/repository.ts';
import { RUNTIME_ID } from '../../tools/package/runtime.ts';
import { openMenuWithoutNode, setUp } from './first-run.ts';
import type { Kodi, KodiOptions } from './harness/index.ts';
import { installed, isInstalled } from './installed.ts';
import { answer, choose, pickFirst, WINDOWS, windowIs } from './remote-control.ts';
import { publishedSite, type Site } from './site.ts';
import { ADDON_ID, quitsClean, SINTEL, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('installing through a real Kodi 21');

const IDS = [ADDON_ID, REPOSITORY_ID, RUNTIME_ID];
/** The name under which the person has entered the address in Kodi's file manager. */
const SOURCE = 'Slipstream';
const NEWER = '99.0.0';

type Fresh = Stage & Pick<Site, 'publish'>;

/** A Kodi in which nothing is installed, and a web server with the packages. */
async function fresh(root: Root, more: KodiOptions = {}): Promise<Fresh> {
  const { url, publish } = await publishedSite();
  const updatesByItself = { 'general.addonupdates': '0' };
  const sources = { [SOURCE]: `${url}/` };
  const kodi = { addons: [], sources, settings: updatesByItself, ...more };
  return { ...(await stage(root, { kodi, unready: true })), publish };
}

/** "Install from zip file", from the address that the person has entered. */
async function addRepository({ kodi }: Stage): Promise<void> {
  await kodi.builtin('InstallFromZip');
  await windowIs(kodi, WINDOWS.fileBrowser);
  await choose(kodi, SOURCE);
  await choose(kodi, `${REPOSITORY_ID}-1.0.0.zip`);
  await isInstalled(kodi, REPOSITORY_ID);
}

/** "Install from repository"; Kodi asks whether it is meant. */
async function installAddon({ kodi }: Stage): Promise<void> {
  await kodi.builtin('UpdateAddonRepos');
  await kodi.until('Kodi has read the index', async () => {
    const { addons } = (await kodi.rpc('Addons.GetAddons', { installed: false })) as {
      addons?: { addonid: string }[];
    };
    return addons?.some(({ addonid }) => addonid === ADDON_ID) === true || undefined;
  });
  await kodi.builtin(`InstallAddon(${ADDON_ID})`);
  await answer(kodi, 'Yes');
  await isInstalled(kodi, ADDON_ID);
  // Its progress is still up for a moment; a play that begins beneath it hangs Kodi.
  await windowIs(kodi, WINDOWS.home);
}

const plays = ({ kodi }: Stage) =>
  kodi.until('it plays', async () => ((await kodi.player.position()) ?? 0) > 1 || undefined, 60_000);

async function stopPlaying(s: Stage): Promise<void> {
  await s.kodi.player.stop();
  await s.nothingLeft();
  await s.kodi.until(
    'the next play may start',
    async () => (await s.kodi.homeProperty('slipstream.starting')) === '' || undefined,
  );
}

/** Kodi lists the menu anew when a film that was started over it has ended. */
async function leaveMenu(s: Stage): Promise<void> {
  await s.kodi.until('the home window is in front', async () => {
    if (await s.kodi.isActive('home')) return true;
    // Refused for as long as the menu is being listed.
    await s.kodi.rpc('Input.Home');
    return undefined;
  });
  await s.nothingLeft();
}

/** Publishes a newer version; Kodi installs it by itself. */
async function update({ kodi, publish }: Fresh): Promise<void> {
  await publish(NEWER);
  await kodi.builtin('UpdateAddonRepos');
  await kodi.until(
    'the update is installed',
    async () => (await installed(kodi, ADDON_ID)) === NEWER || undefined,
  );
}

/** The one engine of the service, another one than `before`. */
const serviceRuns = (s: Stage, before?: number) =>
  s.kodi.until('the service runs', async () => {
    const [pid, ...others] = s.engines('service');
    if (pid === undefined || pid === before || others.length > 0) return undefined;
    return (await s.kodi.homeProperty('svc.proxy_token')) === '' ? undefined : pid;
  });

const serviceIsGone = (s: Stage) =>
  s.kodi.until('the service has ended', async () => {
    const isQuiet =
      s.engines('service').length === 0 && (await s.kodi.homeProperty('svc.proxy_token')) === '';
    return isQuiet || undefined;
  });

/** "Uninstall" in the add-on's page. */
async function remove({ kodi }: Stage): Promise<void> {
  await kodi.builtin('ActivateWindow(addonbrowser,addons://user/all,return)');
  await windowIs(kodi, WINDOWS.addonBrowser);
  await choose(kodi, 'Slipstream');
  await windowIs(kodi, WINDOWS.addonInfo);
  await choose(kodi, 'Uninstall', 'Right');
  await answer(kodi, 'Yes');
  // Its data, too.
  await answer(kodi, 'Yes');
  await kodi.until('it is gone', async () => (await installed(kodi, ADDON_ID)) === undefined || undefined);
}

const errorsOfOurs = async (kodi: Kodi) =>
  (await kodi.log())
    .split('\n')
    .filter(
      (line) =>
        line.includes(' error <') && IDS.some((id) => line.replaceAll(kodi.profile.folder, '').includes(id)),
    );

describe.skipIf(!root)('installed through Kodi, from static files', () => {
  test('it is set up, a film plays, an update comes, and nothing is left when it goes', async () => {
    const s = await fresh(root!, { node: null, addonSettings: {} });
    const { kodi } = s;
    await addRepository(s);
    await installAddon(s);
    await openMenuWithoutNode(s);
    await isInstalled(kodi, RUNTIME_ID);
    await setUp(s);
    await plays(s);
    await stopPlaying(s);

    const before = await serviceRuns(s);
    await update(s);
    await serviceRuns(s, before);
    await s.open(`/play?${SINTEL}`);
    await pickFirst(kodi, 'Sintel');
    await plays(s);
    await stopPlaying(s);
    await leaveMenu(s);

    await kodi.rpc('Addons.SetAddonEnabled', { addonid: ADDON_ID, enabled: false });
    await serviceIsGone(s);
    await kodi.rpc('Addons.SetAddonEnabled', { addonid: ADDON_ID, enabled: true });
    await serviceRuns(s);

    await remove(s);
    await serviceIsGone(s);
    // Kodi takes the runtime along, which nothing else needs.
    for (const path of [`addons/${ADDON_ID}`, `addons/${RUNTIME_ID}`, `userdata/addon_data/${ADDON_ID}`]) {
      const isGone = () =>
        Promise.resolve(!existsSync(join(kodi.profile.folder, '.kodi', path)) || undefined);
      await kodi.until(`${path} is gone`, isGone);
    }
    await quitsClean(kodi);
    expect(await errorsOfOurs(kodi)).toEqual([]);
  });

  test('an update while a film plays ends in the same film at the same place', async () => {
    const s = await fresh(root!);
    const { kodi } = s;
    await addRepository(s);
    await installAddon(s);
    const before = await serviceRuns(s);
    await s.open(`/play?${SINTEL}`);
    await plays(s);
    await kodi.player.seek(300);
    await kodi.until('the seek lands', async () => ((await kodi.player.position()) ?? 0) > 301 || undefined);
    const url = await kodi.homeProperty('svc.stream_url');
    await update(s);
    await serviceRuns(s, before);
    // The player lives on what it has read for a while; then it needs the new engine.
    const place = await kodi.until(
      'the film goes on',
      async () => {
        const now = await kodi.homeProperty('svc.stream_url');
        const position = (await kodi.player.position()) ?? 0;
        return now !== '' && now !== url && position > 301 ? position : undefined;
      },
      60_000,
    );
    expect(place).toBeLessThan(390);
    await stopPlaying(s);
    await quitsClean(kodi);
    expect(await errorsOfOurs(kodi)).toEqual([]);
  });
});
