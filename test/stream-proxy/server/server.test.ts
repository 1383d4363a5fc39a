import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { PreparedStream, RunningProxy } from '../../../src/stream-proxy.ts';
import { type FileServer, startFileServer } from '../../support/file-server.ts';
import { memoryLog } from '../../support/log.ts';
import { askPrepare, prepare, requestProxy, startTestProxy } from '../../support/proxy.ts';

let proxy: RunningProxy;
let files: FileServer;
let stream: PreparedStream;

beforeEach(async () => {
  files = await startFileServer(100_000);
  proxy = await startTestProxy({
    limits: { headTimeout: 300, requestTimeout: 600, checkInterval: 50, idleTimeout: 300 },
  });
  stream = await prepare(proxy, files.url);
});

afterEach(async () => {
  await proxy.close();
  await files.close();
});

const at = (path: string) => `http://127.0.0.1:${proxy.port}${path}`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Writes raw text and gives back all that comes until the server closes. */
async function raw(text: string): Promise<string> {
  const socket = net.connect(proxy.port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

const get = (path: string, ...headers: string[]) =>
  raw(['GET ' + path + ' HTTP/1.1', ...headers, 'Connection: close', '', ''].join('\r\n'));

it('tells when a player is refused a stream, and only then', async () => {
  let refusals = 0;
  const unknown: string[] = [];
  const telling = await startTestProxy({
    onStreamRefused: () => refusals++,
    onUnknownStream: (url) => unknown.push(url),
  });
  try {
    const there = await prepare(telling, files.url);
    const gone = there.url.replace(/[0-9a-f]{32}/, '0'.repeat(32));
    const beyond = { range: 'bytes=900000-' };
    const statuses = [];
    for (const [url, options] of [
      [there.url, {}],
      [there.url, { headers: beyond }],
      [gone.replace(/[^/]*$/, 'sub/0/a.srt'), {}],
      [gone, { method: 'DELETE' }],
    ] as const)
      statuses.push((await requestProxy(url, options)).status);
    expect([statuses, refusals]).toEqual([[200, 416, 404, 401], 0]);
    for (const method of ['GET', 'HEAD']) expect((await requestProxy(gone, { method })).status).toBe(404);
    await expect.poll(() => refusals).toBe(2);
    expect(unknown).toEqual([gone, gone]);
  } finally {
    await telling.close();
  }
});

describe('the token', () => {
  it('may have its scheme in any case and more than one space', async () => {
    const headers = { authorization: `bEARER   ${proxy.token}` };
    expect((await requestProxy(at('/status'), { headers })).status).toBe(200);
  });

  it('is another one in each proxy', async () => {
    const other = await startTestProxy();
    try {
      expect(other.token).not.toBe(proxy.token);
      expect(other.token).toMatch(/^[0-9a-f]{32}$/);
      expect((await requestProxy(at('/status'), { headers: bearer(other.token) })).status).toBe(401);
    } finally {
      await other.close();
    }
  });

  it.each<[string, () => Record<string, string | string[]>]>([
    ['none', () => ({})],
    ['an empty one', () => ({ authorization: 'Bearer ' })],
    ['a longer one', () => bearer(`${proxy.token}0`)],
    ['a shorter one', () => bearer(proxy.token.slice(1))],
    ['another scheme', () => ({ authorization: `Basic ${proxy.token}` })],
    ['two of them', () => ({ authorization: [`Bearer ${proxy.token}`, 'Bearer x'] })],
    ['one twice', () => ({ authorization: [`Bearer ${proxy.token}`, `Bearer ${proxy.token}`] })],
    ['one with a tail', () => bearer(`${proxy.token} x`)],
    ['one in quotes', () => bearer(`"${proxy.token}"`)],
    ['no scheme', () => ({ authorization: proxy.token })],
    ['another header', () => ({ 'x-token': proxy.token })],
  ])('is wanted by /prepare and /status: %s is refused', async (_what, headers) => {
    const prepared = await requestProxy(at('/prepare'), { method: 'POST', headers: headers(), body: '{}' });
    const status = await requestProxy(at('/status'), { headers: headers() });
    expect([prepared.status, status.status]).toEqual([401, 401]);
    expect(prepared.json()).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(files.requests).toHaveLength(1);
  });
});

describe('the Host', () => {
  it.each<[string, () => string[]]>([
    ['a foreign name', () => [`Host: evil.example:${proxy.port}`]],
    ['localhost', () => [`Host: localhost:${proxy.port}`]],
    ['no port', () => ['Host: 127.0.0.1']],
    ['another port', () => ['Host: 127.0.0.1:1']],
    ['an empty one', () => ['Host:']],
    ['a longer port', () => [`Host: 127.0.0.1:${proxy.port}0`]],
    ['a user', () => [`Host: x@127.0.0.1:${proxy.port}`]],
    ['the same number, written otherwise', () => [`Host: 2130706433:${proxy.port}`]],
    ['the IPv6 loopback', () => [`Host: [::1]:${proxy.port}`]],
    ['two in one', () => [`Host: 127.0.0.1:${proxy.port}, evil.example`]],
    ['ours behind another name', () => ['Host: evil.example', `X-Forwarded-Host: 127.0.0.1:${proxy.port}`]],
  ])('must be the loopback address and port: %s is refused', async (_what, headers) => {
    const path = new URL(stream.url).pathname;
    for (const target of [path, '/status', '/nothing'])
      expect(await get(target, ...headers(), `Authorization: Bearer ${proxy.token}`)).toMatch(
        /^HTTP\/1\.1 403 /,
      );
  });

  it.each([
    ['evil.example', 'ours'],
    ['ours', 'evil.example'],
    ['ours', 'ours'],
  ])('is named once (RFC 9112 §3.2): %s and %s is malformed', async (...hosts) => {
    const fields = hosts.map((host) => `Host: ${host === 'ours' ? `127.0.0.1:${proxy.port}` : host}`);
    expect(await get(new URL(stream.url).pathname, ...fields)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('may stand in the target instead, which then counts (RFC 9112 §3.2.2)', async () => {
    const own = `Host: 127.0.0.1:${proxy.port}`;
    expect(await get(stream.url, own)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await get(`${stream.url}?a=http://evil.example/`, 'Host: evil.example')).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    expect(await get(stream.url.replace('http:', 'HTTP:'), own)).toMatch(/^HTTP\/1\.1 200 /);
    for (const target of [
      'http://evil.example/status',
      stream.url.replace('127.0.0.1', 'evil.example'),
      stream.url.replace('//', '//evil.example@'),
      stream.url.replace('//', '//127.0.0.1\\@'),
      'http://',
    ])
      expect(await get(target, own)).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(await get(stream.url.replace('http:', 'https:'), own)).toMatch(/^HTTP\/1\.1 404 /);
    expect(await get(`http://127.0.0.1:${proxy.port}`, own)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('must be there', async () => {
    expect(await get('/status')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw('GET /status HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe('paths', () => {
  it.each([
    ['/', 404],
    ['/stream/', 404],
    [`/stream/${'0'.repeat(32)}/x.mkv`, 404],
    ['/stream/short/x.mkv', 404],
    ['/hls/abc/playlist.m3u8', 404],
    ['/prepare', 405],
  ])('GET %s is answered %i with a reason', async (path, status) => {
    const answer = await requestProxy(at(path));
    expect([answer.status, answer.json()]).toEqual([
      status,
      expect.objectContaining({ what: expect.any(String) as string, next: expect.any(String) as string }),
    ]);
  });

  it('needs the file name after the session', async () => {
    expect((await requestProxy(at(`/stream/${stream.id}`))).status).toBe(404);
    expect((await requestProxy(at(`/stream/${stream.id}/`))).status).toBe(404);
    expect((await requestProxy(at(`/stream/${stream.id}/x.mkv?a=b`))).status).toBe(200);
  });

  it.each(['POST', 'PUT', 'OPTIONS'])('%s of a stream is refused', async (method) => {
    const answer = await requestProxy(stream.url, { method });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('DELETE of a stream', () => {
  it('ends it for who has the token', async () => {
    const { url } = await prepare(proxy, files.url);
    const headers = { authorization: `Bearer ${proxy.token}` };
    expect((await requestProxy(url, { method: 'DELETE', headers })).status).toBe(204);
    expect((await requestProxy(url)).status).toBe(404);
    expect((await requestProxy(url, { method: 'DELETE', headers })).status).toBe(204);
  });

  it('is refused without it', async () => {
    const { url } = await prepare(proxy, files.url);
    expect((await requestProxy(url, { method: 'DELETE' })).status).toBe(401);
    expect((await requestProxy(url, { method: 'HEAD' })).status).toBe(200);
  });
});

describe('PUT of a plan', () => {
  const put = (at: string, body: string, token = proxy.token) =>
    requestProxy(at, { method: 'PUT', headers: { authorization: `Bearer ${token}` }, body });

  it('leaves it in the place of the one that was prepared', async () => {
    const body = { url: files.url, headers: {}, name: 'Sintel.mkv', plan: { is: 'old' } };
    const { url, id } = (await askPrepare(proxy, body)).json() as PreparedStream;
    const place = new URL('plan', url).href;
    expect((await put(place, '{"plan":{"is":"new"}}')).status).toBe(204);
    expect(JSON.stringify(proxy.snapshot())).toContain('"plan":{"is":"new"}');
    expect([proxy.takePlan(id), proxy.takePlan(id)]).toEqual([{ is: 'new' }, undefined]);
  });

  it.each([
    ['without the token', 401, '{"plan":1}', 'no'],
    ['that is none', 400, 'no JSON', undefined],
    ['that is too large', 413, JSON.stringify({ plan: 'x'.repeat(300_000) }), undefined],
  ])('%s is refused', async (_what, status, body, token) => {
    const { url, id } = await prepare(proxy, files.url);
    expect((await put(new URL('plan', url).href, body, token)).status).toBe(status);
    expect(proxy.takePlan(id)).toBeUndefined();
  });

  it('of a stream that has ended is refused', async () => {
    const { url } = await prepare(proxy, files.url);
    const place = new URL('plan', url).href.replace(/[0-9a-f]{32}/, '0'.repeat(32));
    expect((await put(place, '{"plan":1}')).status).toBe(404);
  });
});

describe('malformed and hostile requests', () => {
  it.each([
    ['garbage', 'NONSENSE\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01', /^HTTP\/1\.1 400 /],
    ['a huge header', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
    [
      'two lengths',
      'POST /prepare HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    [
      'length and chunks',
      'POST /prepare HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    ['a head that never ends', 'GET / HTTP/1.1\r\nHost:', /^(HTTP\/1\.1 408 .*)?$/s],
    ['silence', '', /^(HTTP\/1\.1 408 .*)?$/s],
  ])('%s: answered and closed', async (_what, text, answer) => {
    expect(await raw(text)).toMatch(answer);
    expect((await requestProxy(stream.url, { method: 'HEAD' })).status).toBe(200);
  });

  it('a body that never ends is cut off', async () => {
    const head = [
      'POST /prepare HTTP/1.1',
      `Host: 127.0.0.1:${proxy.port}`,
      `Authorization: Bearer ${proxy.token}`,
      'Content-Length: 100',
    ];
    expect(await raw(`${head.join('\r\n')}\r\n\r\n{`)).toMatch(/^(HTTP\/1\.1 408 .*)?$/s);
  });

  it('a path to another place is no way around', async () => {
    const host = `Host: 127.0.0.1:${proxy.port}`;
    for (const path of [
      '/stream/../status',
      '//status',
      '/./status',
      '/%73tatus',
      '/status/',
      '/STATUS',
      '*',
    ])
      expect(await get(path, host, `Authorization: Bearer ${proxy.token}`)).toMatch(/^HTTP\/1\.1 40[04] /);
  });
});

it('binds the loopback address only', async () => {
  const elsewhere = net.connect(proxy.port, '127.0.0.2');
  await expect(once(elsewhere, 'connect')).rejects.toThrow('ECONNREFUSED');
});

it('listens on another port where its own is taken, and says so', async () => {
  const log = memoryLog();
  const second = await startTestProxy({ listen: { port: proxy.port }, log });
  onTestFinished(() => second.close());
  expect(second.port).not.toBe(proxy.port);
  expect(log.lines.join('\n')).toContain(`port ${proxy.port} is taken (EADDRINUSE)`);
  const answer = await fetch(`http://127.0.0.1:${second.port}/status`, {
    headers: { authorization: `Bearer ${second.token}` },
  });
  expect(answer.status).toBe(200);
});
