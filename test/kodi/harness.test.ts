import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { rootOrSkip, runInRoot } from '../../tools/debian-root/index.ts';
import type { Kodi, KodiOptions } from './harness/index.ts';
import { startKodi } from './harness/index.ts';

const root = await rootOrSkip('Kodi');

/** An add-on that sets a property from its service, starts a Node child, and answers RunScript. */
const SERVICE = `
import subprocess, xbmc, xbmcaddon, xbmcgui
home = xbmcgui.Window(10000)
child = subprocess.Popen(['/usr/bin/node', '-e', 'process.stdin.resume(); console.log(process.version)'],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
home.setProperty('probe.node', child.stdout.readline().decode().strip())
home.setProperty('probe.setting', xbmcaddon.Addon().getSetting('word'))
xbmc.Monitor().waitForAbort()
child.stdin.close()
`;
const SCRIPT = `
import sys, xbmcgui
xbmcgui.Window(10000).setProperty('probe.script', ' '.join(sys.argv[1:]))
`;
const ADDON = `<addon id="script.probe" name="Probe" version="1.0.0" provider-name="Slipstream">
<requires><import addon="xbmc.python" version="3.0.1"/></requires>
<extension point="xbmc.service" library="service.py"/>
<extension point="xbmc.python.script" library="script.py"/>
<extension point="xbmc.addon.metadata"><platform>all</platform></extension>
</addon>`;

/** Kodi only hands out settings that are declared. */
const SETTINGS = `<settings version="1"><section id="script.probe"><category id="all"><group id="1">
<setting id="word" type="string"><level>0</level><default/><constraints><allowempty>true</allowempty></constraints>
<control type="edit" format="string"/></setting>
</group></category></section></settings>`;

describe.skipIf(!root)('the Kodi harness', () => {
  const cleanups: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  const start = async (options: KodiOptions = {}): Promise<Kodi> => {
    const kodi = await startKodi(root!, options);
    cleanups.push(() => kodi.kill());
    return kodi;
  };

  const probe = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'slipstream-probe-'));
    cleanups.push(() => {
      rmSync(folder, { recursive: true });
    });
    writeFileSync(join(folder, 'addon.xml'), ADDON);
    mkdirSync(join(folder, 'resources'));
    writeFileSync(join(folder, 'resources', 'settings.xml'), SETTINGS);
    writeFileSync(join(folder, 'service.py'), SERVICE);
    writeFileSync(join(folder, 'script.py'), SCRIPT);
    return folder;
  };

  it('runs an add-on with its settings and a Node child, and quits clean', async () => {
    const kodi = await start({
      addons: [probe()],
      addonSettings: { 'script.probe': { word: '<Sintel & co>' } },
    });
    const version = await kodi.until(
      'the add-on speaks',
      async () => (await kodi.homeProperty('probe.node')) || undefined,
    );
    expect(version).toBe(process.version);
    expect(await kodi.homeProperty('probe.setting')).toBe('<Sintel & co>');
    expect(kodi.processes().map(({ command }) => command)).toEqual([
      expect.stringContaining('kodi.bin'),
      expect.stringContaining('/usr/bin/node'),
    ]);

    const stopped = await kodi.stop();
    expect(stopped).toMatchObject({ exitStatus: 0, left: [] });
    expect(kodi.processes()).toEqual([]);
    expect(existsSync(kodi.profile.folder)).toBe(false);
    expect(await kodi.log()).toContain('script.probe');
  });

  it('runs builtins, hears notifications and takes screenshots, two instances side by side', async () => {
    const [one, two] = await Promise.all([start({ addons: [probe()] }), start()]);
    await one.builtin('RunScript(script.probe,hello,there)');
    await one.until(
      'the script ran',
      async () => (await one.homeProperty('probe.script')) === 'hello there' || undefined,
    );
    expect(await two.homeProperty('probe.script')).toBe('');

    const mark = two.notifications.mark();
    await two.rpc('Application.SetVolume', { volume: 33 });
    const { data } = await two.notifications.wait('Application.OnVolumeChanged', { since: mark });
    expect(data).toMatchObject({ volume: 33 });

    const folder = mkdtempSync(join(tmpdir(), 'slipstream-shot-'));
    cleanups.push(() => {
      rmSync(folder, { recursive: true });
    });
    await two.screenshot(join(folder, 'home.png'));
    expect(statSync(join(folder, 'home.png')).size).toBeGreaterThan(1000);
  });

  it('tells what an add-on leaves behind when Kodi is killed', async () => {
    const kodi = await start({ addons: [probe()] });
    await kodi.until('the add-on speaks', async () => (await kodi.homeProperty('probe.node')) || undefined);
    expect(await kodi.crash()).toMatchObject({ exitStatus: 137, left: [] });
  });

  /** A Kodi that plays a film of two minutes, from its second 90 on. */
  const startWithFilm = async (options: KodiOptions = {}): Promise<Kodi> => {
    const folder = mkdtempSync(join(tmpdir(), 'slipstream-film-'));
    cleanups.push(() => {
      rmSync(folder, { recursive: true });
    });
    const film = join(folder, 'film.mkv');
    const source = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=25:duration=120'];
    await runInRoot(root!, ['ffmpeg', '-v', 'error', ...source, '-preset', 'ultrafast', film], {
      binds: [{ from: folder }],
    });
    const kodi = await start({ binds: [{ from: folder, readOnly: true }], ...options });
    const mark = kodi.notifications.mark();
    await kodi.rpc('Player.Open', { item: { file: film } });
    await kodi.notifications.wait('Player.OnAVStart', { since: mark });
    await kodi.until('time advances', async () => ((await kodi.player.position()) ?? 0) > 1 || undefined);
    await kodi.player.seek(90.5);
    await kodi.until('the seek lands', async () => ((await kodi.player.position()) ?? 0) > 90 || undefined);
    return kodi;
  };

  it('plays, seeks and stops', async () => {
    const kodi = await startWithFilm();
    expect(await kodi.player.duration()).toBeCloseTo(120, 0);
    const mark = kodi.notifications.mark();
    await kodi.player.stop();
    await kodi.notifications.wait('Player.OnStop', { since: mark });
    await kodi.until('nothing plays', async () => (await kodi.player.position()) === undefined || undefined);
  });

  it('sleeps and wakes up as with its machine: what plays is stopped, and goes on', async () => {
    const kodi = await startWithFilm({ sleeps: true });
    const mark = kodi.notifications.mark();
    await kodi.sleep();
    await kodi.notifications.wait('Player.OnStop', { since: mark });
    expect(await kodi.player.position()).toBeUndefined();
    await kodi.wake();
    await kodi.until('it goes on', async () => ((await kodi.player.position()) ?? 0) > 90 || undefined);
  });

  it('says what Kodi answered when a call fails', async () => {
    const kodi = await start();
    await expect(kodi.rpc('No.SuchMethod')).rejects.toThrow('No.SuchMethod: Method not found.');
  });
});
