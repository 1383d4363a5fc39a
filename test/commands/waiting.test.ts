import { expect, test } from 'vitest';
import type { Faults } from '../../sandbox/index.ts';
import type { Pty } from '../support/pty.ts';
import { playing } from './playing.ts';

/** What was on the screen when it froze, and then is told, within ten seconds. */
async function isTold(shell: Pty, what: string): Promise<void> {
  await shell.shows(what);
  const since = performance.now();
  await shell.shows(`Still waiting: ${what}. Ctrl-C cancels.`);
  expect(performance.now() - since).toBeLessThan(10_000);
}

test('a backend that never answers is named within ten seconds, and need not be waited for', async () => {
  const shell = await playing({ api: [{ kind: 'hang' }], webdav: [{ kind: 'hang' }] });
  await isTold(shell, 'Asking nzbdav what it has');
  await isTold(shell, 'Handing it to nzbdav');
  await shell.type('\u0003');
  expect(await shell.ended).toBe(130);
}, 60_000);

test.each([0, 40])(
  'one that stands still at %i percent as well',
  async (percent) => {
    const shell = await playing({ job: { kind: 'stuck', percent } });
    await isTold(shell, percent === 0 ? 'Queued at nzbdav' : 'Downloading with nzbdav');
    await shell.type('\u0003');
    expect(await shell.ended).toBe(130);
  },
  60_000,
);

test('one that answers no more in the middle of its work as well', async () => {
  const api: Faults['api'] = [];
  const shell = await playing({ job: { kind: 'stuck', percent: 40 }, api });
  await shell.shows('40 %');
  api.push({ kind: 'hang' });
  await isTold(shell, 'Downloading with nzbdav');
  await shell.type('\u0003');
  expect(await shell.ended).toBe(130);
}, 60_000);
