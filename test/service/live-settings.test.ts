import { describe, expect, test } from 'vitest';
import { kodiServiceHost, type StartMessage } from '../../src/host/kodi/index.ts';
import { openLiveSettings } from '../../src/service/live-settings.ts';
import { SETTING_IDS } from '../../src/settings/index.ts';
import { fakeKodi } from '../support/fake-kodi.ts';
import { memoryLog } from '../support/log.ts';

function stage() {
  const kodi = fakeKodi();
  const start: StartMessage = {
    entry: 'service',
    argv: [],
    handle: -1,
    data: '/data',
    kodi: '21.2',
    addon: { id: 'plugin.video.slipstream', version: '0.1.0', path: '/addon' },
  };
  const host = kodiServiceHost(kodi.peer, start, kodi.log);
  return { kodi, host, log: memoryLog() };
}

const reads = ({ kodi }: ReturnType<typeof stage>) =>
  kodi.calls.filter(({ method }) => method === 'settings.read');

describe('the settings that a service follows', () => {
  test('are read once, all of them, and again when Kodi says that they have changed', async () => {
    const s = stage();
    s.kodi.settings['restart_times'] = '7';
    const settings = await openLiveSettings(s.host, s.log);
    expect(settings.current.restart_times).toBe(7);
    expect(reads(s).map(({ params }) => params['ids'])).toEqual([SETTING_IDS]);
    const heard: number[] = [];
    settings.subscribe(({ restart_times }) => heard.push(restart_times));
    s.kodi.settings['restart_times'] = '4';
    s.kodi.notify('settings', {});
    await expect.poll(() => heard).toEqual([7, 4]);
    expect(settings.current.restart_times).toBe(4);
    expect(reads(s)).toHaveLength(2);
  });

  test('stay what they were when they cannot be read', async () => {
    const s = stage();
    s.kodi.settings['restart_times'] = '7';
    const settings = await openLiveSettings(s.host, s.log);
    s.kodi.refuse('settings.read');
    s.kodi.notify('settings', {});
    await expect.poll(() => s.log.lines.join()).toContain('the settings could not be taken over');
    expect(settings.current.restart_times).toBe(7);
  });
});
