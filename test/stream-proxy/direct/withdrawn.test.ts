import { expect, onTestFinished, test } from 'vitest';
import { servingOf } from '../../../src/backends/direct-stream/serving.ts';
import { type Plan, startFileServer } from '../../support/file-server.ts';
import { askPrepare, startTestProxy } from '../../support/proxy.ts';
import { played } from './lab.ts';

const SIZE = 3_000_007;

/** AltMount's answers for each place of a file that it has withdrawn (protocols.md §2.10, §8.12). */
test.each<[string, object, number, string]>([
  ['as a share', {}, 404, 'File unavailable due to missing articles'],
  ['as a direct stream', { opening: { who: 'AltMount', wait: 5_000 } }, 500, 'Failed to open file'],
])('a file that AltMount has withdrawn is given up at once, %s', async (_, more, status, words) => {
  let isWithdrawn = false;
  const plan = (): Plan => (isWithdrawn ? { status, words } : {});
  const files = await startFileServer(SIZE, plan);
  onTestFinished(() => files.close());
  const proxy = await startTestProxy();
  onTestFinished(() => proxy.close());
  const asked = {
    url: files.url,
    headers: {},
    name: 'Sintel.mkv',
    size: SIZE,
    serving: servingOf('altmount'),
  };
  const { url } = (await askPrepare(proxy, { ...asked, ...more })).json() as { url: string };
  isWithdrawn = true;
  const before = files.requests.length;
  const came = await played(url, Buffer.alloc(0), 'bytes=2000000-');
  expect(came).toMatchObject({ count: 0, isWhole: false });
  expect(files.requests.length - before).toBeLessThanOrEqual(3);
  expect(proxy.sessions()[0]?.failure?.what).toMatch(/no longer has the file/);
});
