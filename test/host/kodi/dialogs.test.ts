import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { kodiDialogs } from '../../../src/host/kodi/dialogs.ts';
import { deferred } from '../../../src/io/deferred.ts';
import { type FakeKodi, fakeKodi } from '../../support/fake-kodi.ts';

/** The dialogs that were asked for, once whatever is on its way has arrived. */
async function asked(kodi: FakeKodi): Promise<unknown[]> {
  // A turn of the event loop lets the engine write what it will; the call is read behind that.
  await setImmediate();
  await kodi.peer.call('property.get', { name: 'anything' });
  return kodi.calls.filter(({ method }) => method.startsWith('dialog.')).map(({ params }) => params);
}

test('a dialog waits for a window of ours that is still coming up, which would come up over it', async () => {
  const kodi = fakeKodi();
  const up = deferred<undefined>();
  const dialogs = kodiDialogs(kodi.peer, { waitUntilSettled: () => up.promise });
  const chosen = dialogs.menu(['Resume', 'Begin'], new AbortController().signal);
  expect(await asked(kodi)).toEqual([]);
  up.resolve(undefined);
  await expect.poll(() => kodi.dialog?.method).toBe('dialog.menu');
  kodi.dialog?.answer(1);
  expect(await chosen).toBe(1);
});

test('an abort does not wait for that window', async () => {
  const kodi = fakeKodi();
  const { promise } = deferred<undefined>();
  const controller = new AbortController();
  const chosen = kodiDialogs(kodi.peer, { waitUntilSettled: () => promise }).menu(
    ['Resume'],
    controller.signal,
  );
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(chosen).rejects.toBe(reason);
  expect(await asked(kodi)).toEqual([]);
});

test('a dialog waits until the one that was aborted is gone, since Kodi takes a while to close it', async () => {
  const kodi = fakeKodi();
  // It stays, although it was asked to go.
  kodi.refuse('dialog.close');
  const dialogs = kodiDialogs(kodi.peer, { waitUntilSettled: () => Promise.resolve() });
  const controller = new AbortController();
  const first = dialogs.menu(['Resume'], controller.signal);
  await expect.poll(() => kodi.dialog?.params).toEqual({ rows: ['Resume'] });
  controller.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
  const second = dialogs.menu(['Begin'], new AbortController().signal);
  expect(await asked(kodi)).toEqual([{ rows: ['Resume'] }, {}]);
  kodi.dialog?.answer();
  await expect.poll(() => kodi.dialog?.params).toEqual({ rows: ['Begin'] });
  kodi.dialog?.answer(0);
  expect(await second).toBe(0);
});
