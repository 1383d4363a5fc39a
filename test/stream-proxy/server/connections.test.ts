import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerLimits } from '../../../src/stream-proxy/server/server.ts';
import type { PreparedStream, RunningProxy } from '../../../src/stream-proxy.ts';
import { type FileServer, startFileServer } from '../../support/file-server.ts';
import { play, prepare, requestProxy, startTestProxy } from '../../support/proxy.ts';

import { VirtualFileCheck, virtualBytes } from '../../support/virtual-file.ts';
import { Connection } from './connection.ts';

const SIZE = 40_000_003;
const PATIENT = { timeout: 10_000 };
/** So few that a test fills them, and so patient that no limit of time can pass for the limit that a test is about. */
const LIMITS = { connections: 8, pipelined: 4, headTime: 600_000, requestTime: 600_000, idle: 600_000 };
/** Scaled down, and a time several times longer than any of them. */
const HASTY = { headTimeout: 300, requestTimeout: 600, checkInterval: 50, idleTimeout: 300 };
const LONG = 2000;

let proxy: RunningProxy;
let files: FileServer;
let stream: PreparedStream;
let path: string;
/** How often a player was told to be refused a stream. */
let refusals: number;
const clients: Connection[] = [];

beforeEach(async () => {
  files = await startFileServer(SIZE);
  await start(LIMITS);
});

async function start(limits: Partial<ServerLimits>) {
  refusals = 0;
  proxy = await startTestProxy({ limits, onStreamRefused: () => refusals++ });
  stream = await prepare(proxy, files.url);
  path = new URL(stream.url).pathname;
}

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await proxy.close();
  await files.close();
});

function connect(): Connection {
  const client = new Connection(proxy.port);
  clients.push(client);
  return client;
}

const active = () => proxy.sessions()[0]?.counters.active;

describe('one connection', () => {
  it('serves request after request, whatever their answers', async () => {
    const client = connect();
    for (let round = 0; round < 3; round++) {
      client.send(`GET ${path}`, 'Range: bytes=-10');
      expect((await client.answer()).body.equals(virtualBytes(SIZE - 10, SIZE - 1))).toBe(true);
      client.send(`HEAD ${path}`);
      expect(await client.answer('HEAD')).toMatchObject({
        status: 200,
        headers: { 'content-length': `${SIZE}` },
      });
      client.send(`GET ${path}`, `Range: bytes=${SIZE}-`);
      expect(await client.answer()).toMatchObject({ status: 416 });
      client.send(`GET ${path}`, 'If-Match: "x"');
      expect(await client.answer()).toMatchObject({ status: 412 });
      client.send(`GET ${path}`, 'If-None-Match: *');
      expect(await client.answer()).toMatchObject({ status: 304 });
    }
    expect(client.isClosed).toBe(false);
  });

  it('answers pipelined requests in order', async () => {
    const client = connect();
    client.send(`GET ${path}`, 'Range: bytes=0-2999999');
    client.send(`HEAD ${path}`);
    client.send(`GET ${path}`, 'Range: bytes=5-9');
    expect((await client.answer()).body.equals(virtualBytes(0, 2_999_999))).toBe(true);
    expect((await client.answer('HEAD')).headers['content-length']).toBe(`${SIZE}`);
    expect((await client.answer()).body.equals(virtualBytes(5, 9))).toBe(true);
  });

  it('begins a pipelined request only when its turn comes, and forgets it when the player leaves', async () => {
    files.plan(() => ({ stallAfter: 100_000 }));
    const client = connect();
    client.send(`GET ${path}`, 'Range: bytes=1000000-');
    client.send(`GET ${path}`, 'Range: bytes=20000000-');
    await client.bytes(2000);
    expect([active(), proxy.sessions()[0]?.counters.requests]).toEqual([1, 1]);
    await client.close();
    await expect.poll(active, PATIENT).toBe(0);
    expect(proxy.sessions()[0]?.counters.requests).toBe(1);
  });

  it('is cut when it asks for more and more without waiting', async () => {
    files.plan(() => ({ stallAfter: 1000 }));
    const client = connect();
    for (let i = 0; i < 50; i++) client.send(`GET ${path}`, 'Range: bytes=1000000-');
    await client.rest();
    await expect.poll(active, PATIENT).toBe(0);
  });

  it('is closed after the answer when the player wants that', async () => {
    const client = connect();
    client.send(`GET ${path}`, 'Range: bytes=0-9', 'Connection: close');
    expect((await client.answer()).headers['connection']).toBe('close');
    expect(await client.rest()).toHaveLength(0);
  });

  it('is closed after an answer to HTTP/1.0, unless that asks to keep it', async () => {
    const client = connect();
    client.write(`GET ${path} HTTP/1.0\r\nHost: ${client.host}\r\nConnection: keep-alive\r\n\r\n`);
    const kept = await client.answer();
    expect([kept.headers['connection'], kept.body.length]).toEqual(['keep-alive', SIZE]);
    client.write(`GET ${path} HTTP/1.0\r\nHost: ${client.host}\r\nRange: bytes=7-9\r\n\r\n`);
    const last = await client.answer();
    expect(last.headers['transfer-encoding']).toBeUndefined();
    expect([last.status, last.headers['connection'], last.body.equals(virtualBytes(7, 9))]).toEqual([
      206,
      'close',
      true,
    ]);
    expect(await client.rest()).toHaveLength(0);
  });

  it('that the player half closes counts as left: nobody else tells in time that nobody reads', async () => {
    files.plan(() => ({ stallAfter: 1000 }));
    const client = connect();
    client.send(`GET ${path}`, 'Range: bytes=1000000-');
    expect((await client.head())?.headers['content-length']).toBe(`${SIZE - 1_000_000}`);
    client.socket.end();
    const came = await client.rest();
    expect(came.equals(virtualBytes(1_000_000, 1_000_000 + came.length - 1))).toBe(true);
    await expect.poll(active, PATIENT).toBe(0);
    expect(proxy.sessions()[0]?.counters.retries).toBe(0);
  });

  it('that is lost in an answer ends no more than that', async () => {
    const [lost, other] = [connect(), connect()];
    for (const client of [lost, other]) client.send(`GET ${path}`, 'Range: bytes=0-');
    await Promise.all([lost.head(), other.head()]);
    lost.socket.resetAndDestroy();
    expect((await other.bytes(SIZE)).length).toBe(SIZE);
  });
});

describe('what a request may bring along', () => {
  it('a body: it is read and ignored, and the connection goes on', async () => {
    const client = connect();
    client.send(`GET ${path}`, 'Range: bytes=5-9', 'Content-Length: 100000');
    client.write('GET / HTTP/1.1\r\n\r\n'.padEnd(100_000));
    expect((await client.answer()).body.equals(virtualBytes(5, 9))).toBe(true);
    client.send(`GET ${path}`, 'Range: bytes=5-9', 'Transfer-Encoding: chunked');
    client.write('5\r\nhello\r\n0\r\n\r\n');
    expect((await client.answer()).body.equals(virtualBytes(5, 9))).toBe(true);
    client.send(`HEAD ${path}`);
    expect((await client.answer('HEAD')).status).toBe(200);
  });

  it('a body that never comes: the player that leaves is noticed all the same', async () => {
    files.plan(() => ({ stallAfter: 1000 }));
    const client = connect();
    client.send(`GET ${path}`, 'Range: bytes=1000000-', 'Content-Length: 4000000');
    client.write('x'.repeat(3_000_000));
    await client.bytes(500);
    await client.close();
    await expect.poll(active, PATIENT).toBe(0);
    // At once, not when the upstream is found to be silent.
    expect(proxy.sessions()[0]?.counters.retries).toBe(0);
  });

  it('an expectation: a stream is simply answered', async () => {
    const client = connect();
    client.send(`GET ${path}`, 'Range: bytes=5-9', 'Expect: 100-continue');
    expect(await client.answer()).toMatchObject({ status: 206 });
  });

  it('an expectation with a body: it is asked for only when it is wanted', async () => {
    const body = JSON.stringify({ url: files.url, name: 'Sintel.mkv' });
    const expecting = ['Expect: 100-continue', `Content-Length: ${body.length}`];
    const refused = connect();
    refused.send('POST /prepare', 'Authorization: Bearer x', ...expecting);
    expect((await refused.answer()).status).toBe(401);
    const client = connect();
    client.send('POST /prepare', `Authorization: Bearer ${proxy.token}`, ...expecting);
    expect((await client.answer()).status).toBe(100);
    client.write(body);
    expect((await client.answer()).status).toBe(200);
  });

  it('another expectation: 417', async () => {
    const client = connect();
    client.send(`GET ${path}`, 'Expect: gold');
    expect((await client.head())?.status).toBe(417);
  });

  it('a wish to upgrade: it is ignored', async () => {
    const client = connect();
    client.send(`GET ${path}`, 'Range: bytes=5-9', 'Connection: Upgrade', 'Upgrade: h2c, websocket');
    expect(await client.answer()).toMatchObject({ status: 206 });
  });

  it.each(['CONNECT evil.example:80', 'PRI *', 'BREW /'])(
    '%s: closed, and nothing is reached',
    async (line) => {
      const client = connect();
      client.send(line);
      expect((await client.rest()).toString()).toMatch(/^(HTTP\/1\.1 400 .*)?$/s);
    },
  );

  it('TRACE: refused, and nothing comes back', async () => {
    const client = connect();
    client.send(`TRACE ${path}`, 'X-Canary: seen');
    expect((await client.answer()).status).toBe(405);
    expect((await client.rest()).toString()).not.toContain('seen');
  });

  it.each<[string, (base: string) => string, number]>([
    ['a query', (base) => `${base}?t=5&x=/y`, 200],
    ['an encoded name', (base) => base.replace(/[^/]+$/, 'S%C3%ADntel%20%231%2F.mkv'), 200],
    ['any other name', (base) => base.replace(/[^/]+$/, 'x'), 200],
    ['a name as it is, not encoded', (base) => base.replace(/[^/]+$/, 'S\u00ed.mkv'), 400],
    ['no name', (base) => base.replace(/[^/]+$/, ''), 404],
    ['a further folder', (base) => `${base}/x.mkv`, 404],
    ['two slashes in front', (base) => `/${base}`, 404],
    ['two slashes inside', (base) => base.replace('/stream/', '/stream//'), 404],
    ['two slashes before the name', (base) => base.replace(/([^/]+)$/, '/$1'), 404],
    [
      'an id in capitals',
      (base) => base.replace(/[0-9a-f]{32}/, (id) => `F${id.slice(1).toUpperCase()}`),
      404,
    ],
    ['a shorter id', (base) => base.replace(/[0-9a-f]{32}/, (id) => id.slice(0, 8)), 404],
    ['a fragment', (base) => `${base}#t=5`, 200],
    ['8 KiB of query', (base) => `${base}?${'x'.repeat(8192)}`, 200],
    ['32 KiB of query', (base) => `${base}?${'x'.repeat(32_768)}`, 431],
  ])('a path with %s', async (_what, change, status) => {
    const client = connect();
    client.send(`HEAD ${change(path)}`);
    expect((await client.head())?.status).toBe(status);
  });
});

describe('time', () => {
  beforeEach(async () => {
    await proxy.close();
    await start(HASTY);
  });

  it('never ends a stream that the player has paused, on its first or a later request', async () => {
    const client = connect();
    client.send(`GET ${path}`, 'Range: bytes=0-9');
    await client.answer();
    client.send(`GET ${path}`, 'Range: bytes=1-');
    await client.head();
    client.socket.pause();
    const other = connect();
    other.send(`GET ${path}`, 'Range: bytes=0-');
    await other.head();
    other.socket.pause();
    await sleep(LONG);
    expect(active()).toBe(2);
    for (const [paused, first] of [
      [client, 1],
      [other, 0],
    ] as const) {
      paused.socket.resume();
      const check = new VirtualFileCheck(first);
      check.take(await paused.bytes(SIZE - first));
      expect([check.wrongAt, check.count]).toEqual([undefined, SIZE - first]);
    }
  });

  it('ends a head that comes letter by letter', async () => {
    const client = connect();
    for (let at = 0; !client.isClosed; at++) {
      client.write(at === 0 ? 'GET / HTTP/1.1\r\nX: ' : 'x');
      await sleep(20);
    }
    expect((await client.rest()).toString()).toMatch(/^(HTTP\/1\.1 408 .*)?$/s);
  });

  it('ends a head that comes letter by letter after an answer', async () => {
    const client = connect();
    client.send(`GET ${path}`, 'Range: bytes=0-9');
    await client.answer();
    client.write('GET ');
    while (!client.isClosed) {
      client.write('/');
      await sleep(20);
    }
    expect((await client.rest()).toString()).toMatch(/^(HTTP\/1\.1 408 .*)?$/s);
  });

  it('ends a connection that stays unused', async () => {
    const client = connect();
    client.send(`HEAD ${path}`);
    await client.answer('HEAD');
    expect(await client.rest()).toHaveLength(0);
  });
});

describe('a crowd', () => {
  it('of silent connections keeps the player from nothing', async () => {
    const player = connect();
    player.send(`GET ${path}`, 'Range: bytes=0-');
    await player.head();
    player.socket.pause();
    const silent = Array.from({ length: LIMITS.connections * 4 }, connect);
    await Promise.all(silent.slice(0, LIMITS.connections).map((client) => client.rest()));
    expect(await play(stream.url, 'bytes=-70000')).toMatchObject({ status: 206, complete: true });
    player.socket.resume();
    expect((await player.bytes(SIZE)).equals(virtualBytes(0, SIZE - 1))).toBe(true);
  });

  it('of kept connections makes room, the longest unused first', async () => {
    const crowd = Array.from({ length: LIMITS.connections }, connect);
    for (const client of [...crowd, crowd[0]!]) {
      client.send(`HEAD ${path}`);
      await client.answer('HEAD');
    }
    expect((await requestProxy(stream.url, { method: 'HEAD' })).status).toBe(200);
    await crowd[1]!.rest();
    expect(crowd.filter((client) => client.isClosed)).toEqual([crowd[1]]);
  });

  it('of readers is told that there are too many, and the next is served when one has left', async () => {
    const readers = Array.from({ length: LIMITS.connections }, connect);
    for (const reader of readers) {
      reader.send(`GET ${path}`, 'Range: bytes=0-');
      await reader.head();
      reader.socket.pause();
    }
    expect((await requestProxy(`http://127.0.0.1:${proxy.port}/status`)).status).toBe(503);
    expect(refusals).toBe(0);
    const refused = await requestProxy(stream.url, { headers: { range: 'bytes=0-9' } });
    await expect.poll(() => refusals, PATIENT).toBe(1);
    expect([refused.status, refused.headers['retry-after'], refused.json()]).toEqual([
      503,
      '1',
      expect.objectContaining({ code: 'BUSY' }),
    ]);
    await readers[3]!.close();
    await expect.poll(active, PATIENT).toBe(LIMITS.connections - 1);
    expect(await play(stream.url, 'bytes=0-9')).toMatchObject({ status: 206, count: 10 });
    for (const reader of readers.filter((_, i) => i !== 3)) {
      reader.socket.resume();
      expect((await reader.bytes(SIZE)).length).toBe(SIZE);
    }
  });
});
