import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { LeakDetector } from '../support/secret-leaks.ts';
import { ADDON_ID, SINTEL, SINTEL_SCRIPT, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('the search for secrets in a real Kodi 21');

/** Kodi cannot list a window's properties: these are all that the add-on sets. */
const PROPERTIES = [
  'svc.proxy_port',
  'svc.proxy_token',
  'svc.active',
  'svc.stream_url',
  'svc.playing',
  'slipstream.starting',
  'slipstream.failure-box',
  'slipstream.nothing',
  'slipstream.again',
  'slipstream.item',
  'slipstream.kept',
  'slipstream.went-on',
  'slipstream.passed-over',
  'script.trakt.ids',
];
/** Kodi itself keeps an add-on's settings there, as plain text. */
const SETTINGS_FILE = new RegExp(`addon_data/${ADDON_ID}/settings\\.xml$`);

async function look({ kodi }: Stage, evidence: LeakDetector): Promise<void> {
  for (const { pid, command } of kodi.processes()) evidence.addProcess(`process ${command}`, pid);
  for (const name of PROPERTIES) evidence.add(`property ${name}`, await kodi.homeProperty(name));
  evidence.add('kodi.log', await kodi.log());
  evidence.addFolder('profile', kodi.profile.folder, SETTINGS_FILE);
}

const plays = ({ kodi }: Stage) =>
  kodi.until('it plays', async () => ((await kodi.player.position()) ?? 0) > 1 || undefined);

const starts = (s: Stage) =>
  s.kodi.until('a plugin engine runs', () => Promise.resolve(s.engines('plugin').length > 0 || undefined));

describe.skipIf(!root)('no secret is anywhere that others can look', () => {
  test('after plays on both paths and failed ones: not in the log, processes, files, databases, properties', async () => {
    const s = await stage(root!, { kodi: { debug: true } });
    const { kodi, sandbox } = s;
    const evidence = new LeakDetector();
    for (const start of [
      () => s.open(`/play?${SINTEL}`),
      () => kodi.builtin(`RunScript(${ADDON_ID},${SINTEL_SCRIPT})`),
    ]) {
      await start();
      await starts(s);
      await look(s, evidence);
      await plays(s);
      await look(s, evidence);
      await kodi.player.stop();
      await s.nothingLeft();
      await kodi.until(
        'the next play may start',
        async () => (await kodi.homeProperty('slipstream.starting')) === '' || undefined,
      );
    }
    sandbox.faults.webdav.push({ kind: 'wrong-key', when: ({ method }) => method === 'GET' });
    await s.open(`/play?${SINTEL}`);
    await starts(s);
    await s.nothingLeft();
    await look(s, evidence);
    await sandbox.shut('indexer');
    await kodi.builtin(`RunScript(${ADDON_ID},${SINTEL_SCRIPT})`);
    await starts(s);
    await s.nothingLeft();
    await kodi.quit();
    evidence.add('kodi.log', await kodi.log());
    evidence.addFolder('profile', kodi.profile.folder, SETTINGS_FILE);

    for (const place of ['kodi.log', 'property svc.stream_url', 'property svc.proxy_token'])
      expect(evidence.has(place), place).toBe(true);
    expect(
      evidence.has(`profile: ${join(kodi.profile.folder, '.kodi/userdata/Database/MyVideos131.db')}`),
    ).toBe(true);
    expect(await kodi.log()).toContain('refused the user or password');
    expect(evidence.leaks()).toEqual([]);
    // The search does find what is there: with Kodi's own file it is not empty.
    evidence.addFolder('profile', kodi.profile.folder);
    expect(evidence.leaks()).not.toEqual([]);
  });
});
