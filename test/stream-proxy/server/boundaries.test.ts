import { afterEach, describe, expect, it } from 'vitest';
import type { Proxy } from '../../../src/stream-proxy.ts';
import { type FileServer, type Plan, startFileServer } from '../../support/file-server.ts';
import { askPrepare, prepare, startTestProxy } from '../../support/proxy.ts';
import { virtualBytes } from '../../support/virtual-file.ts';
import { Connection } from './connection.ts';

/** Every kind of range around every edge, of files that exist nowhere, through a real proxy from a real upstream. */

const KIB = 1024;
const MAX = Number.MAX_SAFE_INTEGER;
const EDGES = [64 * KIB, 256 * KIB, KIB * KIB, 2 ** 31, 2 ** 32];
const around = (edge: number) => [edge - 1, edge, edge + 1];
const SIZES = [1, 2, ...EDGES.flatMap(around), MAX - 1, MAX];
/** Bodies up to this many bytes are read to their end, others to here. */
const SHORT = 80 * KIB;

let proxy: Proxy;
let files: FileServer;

afterEach(async () => {
  await proxy.close();
  await files.close();
});

async function open(size: number, plan?: (size: number) => Plan) {
  files = await startFileServer(size, () => plan?.(size) ?? {});
  proxy = await startTestProxy();
}

interface Case {
  readonly range: string | undefined;
  /** Both inclusive; undefined: 416. */
  readonly bytes: readonly [first: number, last: number] | undefined;
}

/** What each range means for a file of this size. By construction, not by parsing. */
function casesOf(size: number): Case[] {
  const last = size - 1;
  const inside = [0, 1, 2, Math.floor(size / 2), ...EDGES.flatMap(around), size - 64 * KIB, size - 2, last];
  const starts = [...new Set(inside)].filter((at) => at >= 0 && at < size);
  const part = (first: number, to: number): Case => ({
    range: `bytes=${first}-${to}`,
    bytes: [first, Math.min(to, last)],
  });
  const suffixes = [1, 2, ...around(64 * KIB), ...around(KIB * KIB), last, size, size + 1].filter(
    (n) => n > 0,
  );
  return [
    { range: undefined, bytes: [0, last] },
    ...starts.flatMap((first) => [
      part(first, first),
      part(first, first + 1),
      part(first, first + 64 * KIB),
      part(first, last),
      part(first, MAX + 1),
      { range: `bytes=${first}-`, bytes: [first, last] } as const,
    ]),
    ...suffixes.map((n): Case => ({ range: `bytes=-${n}`, bytes: [Math.max(0, size - n), last] })),
    ...['-0', `${size}-`, `${size}-${size}`, `${size}-${BigInt(size) + 1n}`, `${'9'.repeat(20)}-`].map(
      (outside): Case => ({ range: `bytes=${outside}`, bytes: undefined }),
    ),
  ];
}

describe.each(SIZES)('a file of %i bytes', (size) => {
  it('gives exactly what each range means', async () => {
    await open(size);
    const path = new URL((await prepare(proxy, files.url)).url).pathname;
    let client = new Connection(proxy.port);
    for (const wanted of casesOf(size)) {
      client.send(`GET ${path}`, ...(wanted.range === undefined ? [] : [`Range: ${wanted.range}`]));
      await expectExactly(client, wanted, size);
      // The rest of a long answer is nobody's: hang up, as a player that seeks.
      if (wanted.bytes === undefined || wanted.bytes[1] - wanted.bytes[0] < SHORT) continue;
      await client.close();
      client = new Connection(proxy.port);
    }
    await client.close();
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

async function expectExactly(client: Connection, { range, bytes }: Case, size: number): Promise<void> {
  const head = await client.head();
  const told = (name: string) => head?.headers[name];
  expect([range, told('transfer-encoding'), told('content-encoding')]).toEqual([range, undefined, undefined]);
  if (bytes === undefined) {
    expect([range, head?.status, told('content-range'), told('content-length')]).toEqual([
      range,
      416,
      `bytes */${size}`,
      '0',
    ]);
    return;
  }
  const [first, last] = bytes;
  const length = last - first + 1;
  expect([range, head?.status, told('content-range'), told('content-length')]).toEqual([
    range,
    ...(range === undefined ? [200, undefined] : [206, `bytes ${first}-${last}/${size}`]),
    `${length}`,
  ]);
  const read = Math.min(length, SHORT);
  const body = await client.bytes(read);
  expect([range, body.equals(virtualBytes(first, first + read - 1))]).toEqual([range, true]);
}

describe('a file of 2^53 bytes or more is refused at /prepare with a code', () => {
  it.each<[string, string, (size: string) => Plan]>([
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
