import { expect, onTestFinished, test } from 'vitest';
import { FILL_POLICY } from '../../../src/stream-proxy/policy/fills.ts';
import { READ_POLICY } from '../../../src/stream-proxy/policy/policies.ts';
import { NO_FAULTS, opaqueContent, type Script, startFaultServer } from '../../support/fault-server/index.ts';
import { startFileServer } from '../../support/file-server.ts';
import { prepare, requestProxy, startTestProxy } from '../../support/proxy.ts';

const SIZE = 60_000_000;
const HOLE = { first: 20_000_123, last: 20_700_122 };

/** What the session tells of a read across the hole that could not be served. */
async function failureOf(script: Partial<Script>) {
  const server = await startFaultServer({
    files: [{ path: '/content/Sintel.bin', content: opaqueContent(SIZE) }],
    script: { ...NO_FAULTS, dialect: 'nzbdav', ...script },
  });
  onTestFinished(() => server.close());
  const read = { ...READ_POLICY, pauses: [0, 10], firstByteTimeout: 2_500, nextByteTimeout: 2_500 };
  const proxy = await startTestProxy({ policies: { read, fills: FILL_POLICY } });
  onTestFinished(() => proxy.close());
  const { url } = await prepare(proxy, server.url, 'Sintel.bin');
  await expect(
    requestProxy(url, { headers: { range: `bytes=${HOLE.first - 100_000}-${HOLE.last}` } }),
  ).rejects.toThrow();
  return proxy.sessions()[0]?.failure;
}

test('a session whose hole cannot be bridged, with bytes behind it, has lost bytes for good', async () => {
  expect(await failureOf({ missing: [HOLE] })).toMatchObject({ damaged: true });
});

test.each<[string, Partial<Script>]>([
  ['nothing comes any more', { missing: [{ first: HOLE.first, last: SIZE - 1 }] }],
  ['is away', { late: [{ ...HOLE, milliseconds: 3_600_000, status: 503 }] }],
])('a session whose server %s has not', async (_, script) => {
  expect(await failureOf(script)).toMatchObject({ damaged: false });
});

test('a session whose file was deleted has not', async () => {
  const files = await startFileServer(1_000_007);
  onTestFinished(() => files.close());
  const proxy = await startTestProxy({ policies: { fills: { ...FILL_POLICY, confirmAfter: 50 } } });
  onTestFinished(() => proxy.close());
  const { url } = await prepare(proxy, files.url);
  files.plan(() => ({ status: 404, words: 'Not Found' }));
  await expect(requestProxy(url, { headers: { range: 'bytes=500000-' } })).rejects.toThrow();
  expect(proxy.sessions()[0]?.failure).toMatchObject({
    what: expect.stringContaining('it was there and is gone') as string,
    damaged: false,
  });
});
