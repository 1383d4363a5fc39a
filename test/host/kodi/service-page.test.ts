import { describe, expect, test } from 'vitest';
import { kodiServiceHost } from '../../../src/host/kodi/index.ts';
import { fakeKodi } from '../../support/fake-kodi.ts';

const PAGE = { title: 'Sintel (2010)', text: 'The film broke off at 8:10.\n\nPlay it [B]again[/B].' };

function setUp() {
  const kodi = fakeKodi();
  const start = {
    entry: 'service' as const,
    argv: [],
    handle: -1,
    data: '/data',
    kodi: '21.2',
    addon: { id: 'plugin.video.slipstream', version: '0.1.0', path: '/addon' },
  };
  const service = kodiServiceHost(kodi.peer, start, kodi.log);
  service.onPlayerEvent(() => undefined);
  const windows = () => [...kodi.windows];
  return { kodi, service, windows };
}

describe("the service's text", () => {
  test('stays until it is read', async () => {
    for (const how of ['close', 'back'] as const) {
      const { kodi, service, windows } = setUp();
      await service.show(PAGE);
      const [[window, { properties }] = ['', { properties: {} }]] = windows();
      expect(properties).toEqual({
        title: PAGE.title,
        text: 'The film broke off at 8:10.\n\nPlay it (B]again(/B].',
      });
      if (how === 'close') kodi.notify('window.event', { window, kind: 'click', control: 10 });
      else await kodi.request('window.back', { window });
      await expect.poll(windows).toEqual([]);
    }
  });

  test('goes when something is played, and the next takes its place', async () => {
    const { kodi, service, windows } = setUp();
    await service.show(PAGE);
    await service.show({ ...PAGE, title: 'Spring (2019)' });
    await expect
      .poll(() => windows().map(([, { properties }]) => properties['title']))
      .toEqual(['Spring (2019)']);
    kodi.notify('player', { kind: 'started', file: 'anything' });
    await expect.poll(windows).toEqual([]);
  });

  test('is a notification where no window opens', async () => {
    const { kodi, service } = setUp();
    kodi.refuse('window.open');
    await service.show(PAGE);
    expect(kodi.calls.at(-1)).toMatchObject({
      method: 'notify',
      params: { heading: PAGE.title, message: PAGE.text, icon: 'error' },
    });
  });

  test('good news has no red cross', async () => {
    const { kodi, service } = setUp();
    const icons = [];
    for (const level of ['info', 'warning', undefined] as const) {
      await service.notify({ what: 'a', next: 'b', ...(level !== undefined && { level }) });
      icons.push(kodi.calls.at(-1)?.params['icon']);
    }
    expect(icons).toEqual(['info', 'warning', 'error']);
  });
});
