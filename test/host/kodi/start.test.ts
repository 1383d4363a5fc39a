import { describe, expect, test } from 'vitest';
import { receiveStart } from '../../../src/host/kodi/index.ts';
import { fakeKodi } from '../../support/fake-kodi.ts';

const START = {
  entry: 'script',
  argv: ['addon.py', 'meta_play', 'title=Sintel'],
  handle: -1,
  addon: { id: 'plugin.video.slipstream', version: '0.1.0', path: '/addon' },
  data: '/data',
  kodi: '21.2',
};

describe('receiveStart', () => {
  test('gives the first message, with what a later host may add', async () => {
    const kodi = fakeKodi();
    const start = receiveStart(kodi.peer);
    kodi.notify('start', { ...START, listen: { fd: 3 }, snapshot: { any: 1 }, later: true });
    expect(await start).toMatchObject({ ...START, listen: { fd: 3 } });
  });

  test.each([
    ['nothing', {}],
    ['an unknown entry', { ...START, entry: 'widget' }],
    ['arguments that are no texts', { ...START, argv: [1] }],
    ['no data folder', { ...START, data: null }],
    ['a listener of another kind', { ...START, listen: { path: '/tmp/x' } }],
  ])('refuses %s', async (_, params) => {
    const kodi = fakeKodi();
    const start = receiveStart(kodi.peer);
    kodi.notify('start', params);
    await expect(start).rejects.toMatchObject({ code: 'HOST_FAILED' });
  });

  test('fails when the host is gone before it said a word, or had gone already', async () => {
    const kodi = fakeKodi();
    const start = receiveStart(kodi.peer);
    kodi.end();
    await expect(start).rejects.toMatchObject({ code: 'HOST_FAILED' });
    await expect(receiveStart(kodi.peer)).rejects.toMatchObject({ code: 'HOST_FAILED' });
  });
});
