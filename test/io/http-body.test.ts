import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { get, requestFailure } from '../support/http-request.ts';
import { serve } from '../support/http-server.ts';

const TEXT = 'Cosmos Laundromat, später. '.repeat(5000);

/** A server that sends these bytes under this encoding, in two pieces. */
const encoded = (encoding: string, bytes: Uint8Array, status = 200) =>
  serve((_, response) => {
    response.writeHead(status, { 'content-encoding': encoding });
    response.write(bytes.subarray(0, 1), () => response.end(bytes.subarray(1)));
  });

describe('a compressed body', () => {
  test.each([
    ['gzip', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['GZip', gzipSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['identity', Buffer.from(TEXT)],
    ['utf-8', Buffer.from(TEXT)],
  ])('is unpacked: %s', async (encoding, bytes) => {
    expect((await get(await encoded(encoding, bytes))).text()).toBe(TEXT);
  });

  test.each(['gzip', 'deflate', 'br'])('may be empty: %s', async (encoding) => {
    for (const status of [200, 204, 304])
      expect((await get(await encoded(encoding, Buffer.alloc(0), status))).body).toHaveLength(0);
    expect((await get(await encoded(encoding, gzipSync(TEXT)), { method: 'HEAD' })).body).toHaveLength(0);
  });

  test.each([
    ['gzip', gzipSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
  ])('that lacks its end makes no sense: %s', async (encoding, bytes) => {
    const error = await requestFailure(get(await encoded(encoding, bytes.subarray(0, bytes.length - 9))));
    expect(error.code).toBe('BAD_ANSWER');
  });

  test.each(['gzip', 'deflate', 'br'])('is measured unpacked: %s', async (encoding) => {
    const pack = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[encoding] ?? gzipSync;
    for (const size of [99_999, 100_000, 100_001]) {
      const answer = get(await encoded(encoding, pack(Buffer.alloc(size))), { maxBytes: 100_000 });
      if (size <= 100_000) expect((await answer).body).toHaveLength(size);
      else expect((await requestFailure(answer)).code).toBe('TOO_LARGE');
    }
  });

  test('is asked for', async () => {
    const url = await serve((request, response) => response.end(request.headers['accept-encoding']));
    expect((await get(url)).text()).toBe('gzip, deflate, br');
  });
});
