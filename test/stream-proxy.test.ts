import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FILL_POLICY } from '../src/stream-proxy/policy/fills.ts';
import { READ_POLICY } from '../src/stream-proxy/policy/policies.ts';
import * as facade from '../src/stream-proxy.ts';
import { type RunningProxy, streamProxy } from '../src/stream-proxy.ts';
import { type FileServer, startFileServer } from './support/file-server.ts';
import { askPrepare, play, prepare, requestProxy, startTestProxy } from './support/proxy.ts';

const SIZE = 400_000;
const HOLE = 200_000;
let proxy: RunningProxy;
let files: FileServer;

beforeEach(async () => {
  files = await startFileServer(SIZE);
  proxy = await startTestProxy({
    policies: { read: { ...READ_POLICY, pauses: [0] }, fills: { ...FILL_POLICY, maxShare: 1 } },
  });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await proxy.close();
  await files.close();
});

/**
 * Runs every stage once: a /prepare, one of an address that plays, a /status, a subtitle, and a stream that has ended and
 * meets a missing article.
 */
async function useEverything(): Promise<void> {
  const subtitles = [{ url: files.url, name: 'Sintel.srt' }];
  const prepared = await askPrepare(proxy, { url: files.url, name: 'Sintel.mkv', subtitles });
  const {
    id,
    url,
    subtitles: [subtitle],
  } = prepared.json() as { id: string; url: string; subtitles: [string] };
  await requestProxy(subtitle);
  proxy.endSession(id);
  const opening = { who: 'Example', wait: 5_000 };
  await askPrepare(proxy, { url: files.url, name: 'Sintel.mkv', opening });
  files.plan(({ first }) => (first >= HOLE && first < HOLE + 1000 ? { status: 404 } : {}));
  await play(url, `bytes=${HOLE}-`);
  await requestProxy(`http://127.0.0.1:${proxy.port}/status`, {
    headers: { authorization: `Bearer ${proxy.token}` },
  });
}

it('re-exports each of its stages', () => {
  for (const [name, stage] of Object.entries(streamProxy))
    expect((facade as unknown as Record<string, unknown>)[name]).toBe(stage);
});

it('a running proxy reaches every stage through the façade', async () => {
  const names = Object.keys(streamProxy) as (keyof typeof streamProxy)[];
  const spies = names.map((name) => [name, vi.spyOn(streamProxy, name)] as const);
  await useEverything();
  expect(spies.filter(([, spy]) => spy.mock.calls.length === 0).map(([name]) => name)).toEqual([]);
});

it('what is patched on the façade is what a running proxy then does', async () => {
  vi.spyOn(streamProxy, 'mimeOf').mockReturnValue('video/x-patched');
  vi.spyOn(streamProxy, 'parseRange').mockReturnValue({ kind: 'part', range: { first: 7, last: 8 } });
  const { url, mime } = await prepare(proxy, files.url);
  expect(mime).toBe('video/x-patched');
  const answer = await requestProxy(url);
  expect(answer.headers['content-range']).toBe(`bytes 7-8/${SIZE}`);
  vi.restoreAllMocks();
  expect((await requestProxy(url)).status).toBe(200);
});

it('a patched stage that throws is answered, and the proxy goes on', async () => {
  vi.spyOn(streamProxy, 'openSource').mockImplementationOnce(() => {
    throw new TypeError('patched');
  });
  const answer = await askPrepare(proxy, { url: files.url, name: 'Sintel.mkv' });
  expect([answer.status, answer.json()]).toEqual([500, expect.objectContaining({ code: 'INTERNAL' })]);
  await prepare(proxy, files.url);
});
