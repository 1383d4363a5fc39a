import { expect, onTestFinished, test } from 'vitest';
import { servingOf } from '../../../src/backends/direct-stream/serving.ts';
import { type AnswerPlan, startFileServer } from '../../support/file-server.ts';
import { askPrepare, startTestProxy } from '../../support/proxy.ts';
import { played } from './lab.ts';

const SIZE = 3_000_007;

// AltMount's answers for each place of a file that it has withdrawn (protocols.md §2.10, §8.12).
test.each<[string, object, number, string, boolean]>([
  ['as a share', {}, 404, 'File unavailable due to missing articles', true],
  // No reason is given.
  ['as a direct stream', { opening: { who: 'AltMount', wait: 5_000 } }, 500, 'Failed to open file', false],
])('a file that AltMount has withdrawn is given up at once, %s', async (_, more, status, words, damaged) => {
  let isWithdrawn = false;
  const plan = (): AnswerPlan => (isWithdrawn ? { status, words } : {});
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
  expect(proxy.sessions()[0]?.failure).toMatchObject({
    what: expect.stringContaining('no longer has the file') as string,
    damaged,
  });
});

test('a file that AltMount has withdrawn before the play is refused as damaged', async () => {
  const words = 'File unavailable due to missing articles';
  const files = await startFileServer(SIZE, () => ({ status: 404, words }));
  onTestFinished(() => files.close());
  const proxy = await startTestProxy();
  onTestFinished(() => proxy.close());
  const asked = { url: files.url, headers: {}, name: 'Sintel.mkv', size: SIZE };
  const answer = await askPrepare(proxy, { ...asked, serving: servingOf('altmount') });
  expect(answer.json()).toMatchObject({
    code: 'DAMAGED',
    what: expect.stringContaining('no longer has the file, for parts of it are missing') as string,
  });
  expect(files.requests).toHaveLength(1);
});
