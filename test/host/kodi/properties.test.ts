import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createPeer } from '../../../src/host/kodi/index.ts';
import { kodiProperties } from '../../../src/host/kodi/properties.ts';
import { readKodiSettings } from '../../../src/host/kodi/settings.ts';
import { fakeKodi } from '../../support/fake-kodi.ts';
import { memoryLog } from '../../support/log.ts';

/** A host that answers the first call with this, whatever it was. */
function answering(result: unknown) {
  const input = new PassThrough();
  const output = new PassThrough();
  output.once('data', () => input.write(`${JSON.stringify({ id: 1, result })}\n`));
  return createPeer(input, output, memoryLog());
}

describe('the home window', () => {
  test('keeps what is set until it is cleared; what was never set is empty', async () => {
    const properties = kodiProperties(fakeKodi().peer);
    expect(await properties.get('svc.active')).toBe('');
    await properties.set('svc.active', 'true');
    expect(await properties.get('svc.active')).toBe('true');
    await properties.clear('svc.active');
    expect(await properties.get('svc.active')).toBe('');
  });

  test.each([null, 5, ['x'], { a: 'topsecret' }])('refuses an answer that is no text: %j', async (result) => {
    await expect(kodiProperties(answering(result)).get('svc.proxy_token')).rejects.toMatchObject({
      code: 'HOST_FAILED',
    });
  });
});

describe('the settings', () => {
  test('come all at once, and without those that Kodi does not know', async () => {
    const kodi = fakeKodi();
    kodi.settings['search_timeout'] = '20';
    expect(await readKodiSettings(kodi.peer, ['search_timeout', 'auto_select'])).toEqual({
      search_timeout: '20',
    });
    expect(kodi.calls).toHaveLength(1);
  });

  test.each([null, [], 'x', { webdav_password: ['topsecret'] }])(
    'are refused in another shape, without a word of them: %#',
    async (result) => {
      const read = readKodiSettings(answering(result), ['webdav_password']);
      if (Array.isArray(result)) expect(await read).toEqual({});
      else
        await expect(read).rejects.toMatchObject({
          code: 'HOST_FAILED',
          message: expect.not.stringContaining('topsecret') as string,
        });
    },
  );
});
