import { expect, test } from 'vitest';
import { kodiDialogs } from '../../../src/host/kodi/dialogs.ts';
import { deferred } from '../../../src/io/deferred.ts';
import { fakeKodi } from '../../support/fake-kodi.ts';

test('a dialog waits for a window of ours that is still coming up, which would come up over it', async () => {
  const kodi = fakeKodi();
  const up = deferred<undefined>();
  const dialogs = kodiDialogs(kodi.peer, { settled: () => up.promise });
  const chosen = dialogs.menu(['Resume', 'Begin'], new AbortController().signal);
  await kodi.peer.call('property.get', { name: 'anything' });
  expect(kodi.calls.map(({ method }) => method)).toEqual(['property.get']);
  up.resolve(undefined);
  await expect.poll(() => kodi.dialog?.method).toBe('dialog.menu');
  kodi.dialog?.answer(1);
  expect(await chosen).toBe(1);
});

test('an abort does not wait for that window', async () => {
  const kodi = fakeKodi();
  const { promise } = deferred<undefined>();
  const controller = new AbortController();
  const asked = kodiDialogs(kodi.peer, { settled: () => promise }).menu(['Resume'], controller.signal);
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(asked).rejects.toBe(reason);
  expect(kodi.calls).toEqual([]);
});
