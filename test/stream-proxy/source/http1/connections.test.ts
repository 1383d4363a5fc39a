import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConnectionPool, type IdleLimits } from '../../../../src/stream-proxy/source/http1/connections.ts';
import { collect, eventually, never } from './collect.ts';
import { type RawServer, rawServer } from './raw-server.ts';

const headOf = (length: number): string => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`;
const ANSWER = `${headOf(5)}hello`;

/** Unless a test says so, an idle connection stays for longer than any test waits for its end. */
function connections(options?: Partial<IdleLimits>): ConnectionPool {
  const client = new ConnectionPool({ idleTimeout: 100_000, ...options });
  onTestFinished(() => {
    client.close();
  });
  return client;
}

async function text(client: ConnectionPool, { url }: RawServer): Promise<string> {
  return (await collect((await client.get(url, {}, never())).body)).toString();
}

/** Lets a connection that is good stay, and one that is not go. */
const settled = () => pause(50);

describe('a request', () => {
  it('has the address, Host and the given headers, and nothing else', async () => {
    const server = await rawServer((socket) => socket.write(ANSWER));
    await connections().get(server.url, { range: 'bytes=5-', Authorization: 'Basic eDp5' }, never());
    expect(server.requests).toEqual([
      `GET /film.mkv?a=b%20c HTTP/1.1\r\nHost: ${server.url.host}\r\nrange: bytes=5-\r\nAuthorization: Basic eDp5\r\n\r\n`,
    ]);
  });

  it.each([{ 'a b': 'x' }, { a: 'topsecret\r\nx: y' }, { a: 'topsecret\0' }, { a: 'topsecret €' }])(
    'with a header that cannot be sent is not sent: %j',
    async (headers) => {
      const server = await rawServer((socket) => socket.write(ANSWER));
      const asked = connections().get(server.url, headers, never());
      await expect(asked).rejects.toThrow(TypeError);
      await expect(asked).rejects.not.toThrow('topsecret');
      expect(server.accepted()).toBe(0);
    },
  );

  it('reaches a server at an IPv6 address', async (context) => {
    const server = await rawServer((socket) => socket.write(ANSWER), { host: '::1' }).catch(() => undefined);
    if (server === undefined) return context.skip('no IPv6 here');
    expect(await text(connections(), server)).toBe('hello');
  });

  it('gets the final answer after interim ones', async () => {
    const server = await rawServer((socket) =>
      socket.write(`HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${ANSWER}`),
    );
    const client = connections();
    expect(await text(client, server)).toBe('hello');
    expect(await text(client, server)).toBe('hello');
    expect(server.accepted()).toBe(1);
  });

  it.each([
    ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
    ['sends interim answers for ever', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(30)],
    ['speaks something else and waits', 'SSH-2.0-dropbear\r\n'],
    ['sends a malformed head', 'HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello'],
    ['uses an unknown coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nhello'],
  ])('to a server that %s gets a wrong answer and frees the socket', async (_, bytes) => {
    const server = await rawServer((socket) => socket.write(bytes));
    await expect(connections().get(server.url, {}, never())).rejects.toMatchObject({ kind: 'wrong-answer' });
    await eventually(server.open).toBe(0);
  });

  it('to a port where nobody listens finds it unreachable', async () => {
    const server = await rawServer(() => undefined);
    await server.stop();
    await expect(connections().get(server.url, {}, never())).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  it.each([
    ['before an answer', ''],
    ['within the head', 'HTTP/1.1 200 OK\r\nA'],
    ['after an interim answer', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])(
    'on a new connection that ends %s finds the server unreachable, and is not tried again',
    async (_, bytes) => {
      const server = await rawServer((socket) => socket.end(bytes));
      await expect(connections().get(server.url, {}, never())).rejects.toMatchObject({ kind: 'unreachable' });
      expect(server.accepted()).toBe(1);
    },
  );

  it('that is aborted before the head rejects with the reason and frees the socket', async () => {
    const aborter = new AbortController();
    const server = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      setImmediate(() => {
        aborter.abort(new Error('enough'));
      });
    });
    await expect(connections().get(server.url, {}, aborter.signal)).rejects.toThrow('enough');
    await eventually(server.open).toBe(0);
    await expect(connections().get(server.url, {}, aborter.signal)).rejects.toThrow('enough');
    expect(server.accepted()).toBe(1);
  });

  it('is not ended by its signal once the head has come', async () => {
    const aborter = new AbortController();
    let sender: Socket | undefined;
    const server = await rawServer((socket) => {
      sender = socket;
      socket.write(`${headOf(5)}he`);
    });
    const { body } = await connections().get(server.url, {}, aborter.signal);
    aborter.abort();
    sender?.write('llo');
    expect((await collect(body)).toString()).toBe('hello');
  });
});

describe('a connection', () => {
  it('serves one request after the other', async () => {
    const server = await rawServer((socket) => socket.write(ANSWER));
    const client = connections();
    for (let round = 0; round < 5; round++) expect(await text(client, server)).toBe('hello');
    expect(server).toMatchObject({ requests: { length: 5 } });
    expect(server.accepted()).toBe(1);
  });

  it('serves the next request when that is sent as soon as the body ends', async () => {
    const server = await rawServer((socket) => socket.write(ANSWER));
    const client = connections();
    const { body } = await client.get(server.url, {}, never());
    const second = new Promise<string>((resolve) => {
      body.flow({
        room: () => Buffer.alloc(3),
        filled: () => undefined,
        end: () => {
          resolve(text(client, server));
        },
      });
    });
    expect(await second).toBe('hello');
    expect(server.accepted()).toBe(1);
  });

  it('serves one request at a time', async () => {
    const waiting: Socket[] = [];
    const server = await rawServer((socket) => waiting.push(socket));
    const client = connections();
    const both = Promise.all([text(client, server), text(client, server)]);
    await eventually(() => waiting.length).toBe(2);
    for (const socket of waiting) socket.write(ANSWER);
    expect(await both).toEqual(['hello', 'hello']);
    expect(server.accepted()).toBe(2);
  });

  it.each([
    ['Connection: close', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello'],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
    ['more bytes than the body has', `${ANSWER}HTTP/1.1 200 OK\r\n\r\n`],
    ['one byte too much', `${ANSWER}!`],
    ['one byte too much after a large body', `${headOf(500_000)}${'x'.repeat(500_000)}!`],
    [
      'more than the last chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n!',
    ],
  ])('is not used again after %s', async (_, bytes) => {
    const server = await rawServer((socket) => socket.write(bytes));
    const client = connections();
    expect(await text(client, server)).toMatch(/^(hello|x{500000})$/);
    await eventually(server.open).toBe(0);
    expect(await text(client, server)).toMatch(/^(hello|x{500000})$/);
    expect(server.accepted()).toBe(2);
  });

  it('is not used again when bytes come while it is idle', async () => {
    const server = await rawServer((socket) => {
      socket.write(ANSWER);
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'), 20);
    });
    const client = connections();
    expect(await text(client, server)).toBe('hello');
    await eventually(server.open).toBe(0);
    expect(await text(client, server)).toBe('hello');
  });

  it('that the server ended while it was idle is replaced', async () => {
    const server = await rawServer((socket) => socket.end(ANSWER));
    const client = connections();
    for (let round = 0; round < 3; round++) {
      expect(await text(client, server)).toBe('hello');
      await eventually(server.open).toBe(0);
    }
    expect(server.accepted()).toBe(3);
  });

  it.each(['ends', 'resets'])('that the server %s when it is used again is replaced, once', async (how) => {
    const lost: Socket[] = [];
    const server = await rawServer((socket, nth) => {
      if (nth === 0 || nth === 2) return socket.write(ANSWER);
      lost.push(socket);
      return how === 'ends' ? socket.end() : socket.resetAndDestroy();
    });
    const client = connections();
    expect(await text(client, server)).toBe('hello');
    expect(await text(client, server)).toBe('hello');
    expect(server.accepted()).toBe(2);
    // The third one is lost on the old connection, and once more on the new one.
    await expect(client.get(server.url, {}, never())).rejects.toMatchObject({ kind: 'unreachable' });
    expect(lost.length).toBe(3);
    expect(server.accepted()).toBe(3);
  });

  it.each([
    ['one byte', 'H'],
    ['in the interim', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('that is used again and answers %s before it ends is not replaced', async (_, bytes) => {
    const server = await rawServer((socket, nth) => (nth === 0 ? socket.write(ANSWER) : socket.end(bytes)));
    const client = connections();
    expect(await text(client, server)).toBe('hello');
    await expect(client.get(server.url, {}, never())).rejects.toMatchObject({ kind: 'unreachable' });
    expect(server.requests.length).toBe(2);
  });

  it('is kept for its own origin only', async () => {
    const [one, other] = [
      await rawServer((socket) => socket.write(ANSWER)),
      await rawServer((socket) => socket.write(ANSWER)),
    ];
    const client = connections();
    for (const server of [one, other, one, other]) expect(await text(client, server)).toBe('hello');
    expect([one.accepted(), other.accepted()]).toEqual([1, 1]);
  });

  it('is one of a few that are kept idle', async () => {
    const waiting: Socket[] = [];
    const server = await rawServer((socket) => waiting.push(socket));
    const client = connections({ idlePerOrigin: 2 });
    const all = Promise.all(Array.from({ length: 5 }, () => text(client, server)));
    await eventually(() => waiting.length).toBe(5);
    expect(server.open()).toBe(5);
    for (const socket of waiting) socket.write(ANSWER);
    await all;
    await eventually(server.open).toBe(2);
    await settled();
    expect(server.open()).toBe(2);
  });

  it('is closed when it was idle for long, and not while it is used', async () => {
    const server = await rawServer((socket, nth) => {
      if (nth === 0) return socket.write(ANSWER);
      return setTimeout(() => socket.write(ANSWER), 400);
    });
    const client = connections({ idleTimeout: 200 });
    expect(await text(client, server)).toBe('hello');
    expect(await text(client, server)).toBe('hello');
    expect(server.accepted()).toBe(1);
    await eventually(server.open).toBe(0);
  });
});

describe('closing', () => {
  it('ends what is idle, what waits for a head and what has a body, and nothing begins after it', async () => {
    const server = await rawServer((socket, nth) => {
      if (nth === 0) return socket.write(ANSWER);
      return nth === 1 ? socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc') : undefined;
    });
    const client = connections();
    expect(await text(client, server)).toBe('hello');
    const flowing = collect((await client.get(server.url, {}, never())).body);
    const waiting = client.get(server.url, {}, never());
    await eventually(() => server.requests.length).toBe(3);
    client.close();
    await expect(flowing).rejects.toMatchObject({ kind: 'broken' });
    await expect(waiting).rejects.toMatchObject({ kind: 'unreachable' });
    await eventually(server.open).toBe(0);
    await expect(client.get(server.url, {}, never())).rejects.toMatchObject({ kind: 'unreachable' });
    client.close();
  });
});

describe('TLS', () => {
  it('refuses a certificate that nobody vouches for, and sends nothing', async () => {
    const server = await rawServer((socket) => socket.write(ANSWER), { secure: true });
    await expect(
      connections().get(server.url, { authorization: 'Basic eDp5' }, never()),
    ).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('self-signed') as string,
    });
    await eventually(server.open).toBe(0);
    expect(server.requests).toEqual([]);
  });

  it('is not spoken by a plain server', async () => {
    const server = await rawServer(() => undefined);
    const url = new URL(server.url.href.replace('http:', 'https:'));
    const asked = connections().get(url, {}, AbortSignal.timeout(300));
    await expect(asked).rejects.toThrow();
    await eventually(server.open).toBe(0);
  });

  it('offers HTTP/1.1 alone, names the server, and takes up its session again', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const seen: unknown[] = [];
    const server = await rawServer(
      (socket) => {
        const { alpnProtocol, servername, isSessionReused } = socket as Socket & {
          alpnProtocol: string;
          servername: string;
          isSessionReused: () => boolean;
        };
        seen.push([alpnProtocol, servername, isSessionReused.call(socket)]);
        socket.write(ANSWER.replace('OK\r\n', 'OK\r\nConnection: close\r\n'));
      },
      { secure: true },
    );
    const client = connections();
    for (let round = 0; round < 3; round++) {
      expect(await text(client, server)).toBe('hello');
      await eventually(server.open).toBe(0);
    }
    expect(seen).toEqual([
      ['http/1.1', 'localhost', false],
      ['http/1.1', 'localhost', true],
      ['http/1.1', 'localhost', true],
    ]);
  });
});
