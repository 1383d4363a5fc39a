import { afterEach, describe, expect, it } from 'vitest';
import type { RunningProxy } from '../../../src/stream-proxy.ts';
import { type AnswerPlan, type FileServer, startFileServer } from '../../support/file-server.ts';
import { askPrepare, prepare, startTestProxy } from '../../support/proxy.ts';
import { Connection } from './connection.ts';
import { casesOf, expectEachRange, SIZES } from './range-grid.ts';

// Every kind of range around every edge, of files that exist nowhere, through a real proxy from a real upstream.

let proxy: RunningProxy;
let files: FileServer;

afterEach(async () => {
  await proxy.close();
  await files.close();
});

async function open(size: number, plan?: (size: number) => AnswerPlan) {
  files = await startFileServer(size, () => plan?.(size) ?? {});
  proxy = await startTestProxy();
}

describe.each(SIZES)('a file of %i bytes', (size) => {
  it('gives exactly what each range means', async () => {
    await open(size);
    const path = new URL((await prepare(proxy, files.url)).url).pathname;
    await expectEachRange(proxy.port, path, size);
  });

  it('is told to HEAD from what is known', async () => {
    await open(size);
    const path = new URL((await prepare(proxy, files.url)).url).pathname;
    const before = files.requests.length;
    const client = new Connection(proxy.port);
    for (const { range } of casesOf(size)) {
      client.send(`HEAD ${path}`, ...(range === undefined ? [] : [`Range: ${range}`]));
      const { status, headers } = await client.answer('HEAD');
      expect([range, status, headers['content-length'], headers['content-range']]).toEqual([
        range,
        200,
        `${size}`,
        undefined,
      ]);
    }
    await client.close();
    expect(files.requests.length).toBe(before);
  });
});

describe('a file of 2^53 bytes or more is refused at /prepare with a code', () => {
  it.each<[string, string, (size: string) => AnswerPlan]>([
    ['206', '9007199254740992', (size) => ({ headers: { 'content-range': `bytes 0-99/${size}` } })],
    ['206', '18446744073709551616', (size) => ({ headers: { 'content-range': `bytes 0-99/${size}` } })],
    ['200', '9007199254740992', (size) => ({ status: 200, headers: { 'content-length': size } })],
    ['200', '18446744073709551616', (size) => ({ status: 200, headers: { 'content-length': size } })],
  ])('that the upstream tells with %s as %s', async (_status, size, plan) => {
    await open(100, () => plan(size));
    const answer = await askPrepare(proxy, { url: files.url, name: 'Sintel.mkv' });
    expect([answer.status, answer.json()]).toEqual([
      502,
      expect.objectContaining({ code: expect.stringMatching(/^(BAD_ANSWER|UNREACHABLE)$/) as string }),
    ]);
    expect(proxy.sessions()).toEqual([]);
  });

  it.each(['9007199254740992', '18446744073709551616', '1e300', '0', '-1', '0.5', '"1"'])(
    'that the caller tells as %s',
    async (size) => {
      await open(100);
      const answer = await askPrepare(proxy, `{"url":"${files.url}","name":"Sintel.mkv","size":${size}}`);
      expect([answer.status, answer.json()]).toEqual([
        400,
        expect.objectContaining({ code: 'INVALID_REQUEST' }),
      ]);
      expect(files.requests).toEqual([]);
    },
  );
});
