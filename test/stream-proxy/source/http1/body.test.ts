import type { Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConnectionPool } from '../../../../src/stream-proxy/source/http1/connections.ts';
import { collect, eventually, never, pattern, type Room } from './collect.ts';
import { type Answering, type RawServer, rawServer } from './raw-server.ts';

const MIB = 2 ** 20;

async function start(
  answer: Answering,
  secure = false,
): Promise<{ server: RawServer; client: ConnectionPool }> {
  const server = await rawServer(answer, { secure });
  const client = new ConnectionPool();
  onTestFinished(() => {
    client.close();
  });
  return { server, client };
}

/** One way to say a body. */
interface Framed {
  readonly head: string;
  readonly bytes: Buffer;
  readonly closes: boolean;
}

function chunked(body: Buffer, sizes: readonly number[], extension: string, trailer: string): Framed {
  const parts: Buffer[] = [];
  for (let at = 0, nth = 0; at < body.length; nth++) {
    const part = body.subarray(at, at + sizes[nth % sizes.length]!);
    at += part.length;
    parts.push(Buffer.from(`${part.length.toString(16)}${extension}\r\n`), part, Buffer.from('\r\n'));
  }
  parts.push(Buffer.from(`0${extension}\r\n${trailer}\r\n`));
  return { head: 'Transfer-Encoding: Chunked\r\n', bytes: Buffer.concat(parts), closes: false };
}

/** Sends the bytes in pieces of these sizes, each in a turn of its own, as long as that takes no more than 300 turns. */
async function sendSplit(socket: Socket, bytes: Buffer, sizes: readonly number[]): Promise<void> {
  for (let at = 0, nth = 0; at < bytes.length; nth++) {
    const size = nth < 300 ? sizes[nth % sizes.length]! : bytes.length;
    socket.write(bytes.subarray(at, at + size));
    at += size;
    await turn();
  }
}

const size = (max: number) => fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max }));
const sizes = (max: number) => fc.array(size(max), { minLength: 1, maxLength: 6 });
const rooms: fc.Arbitrary<Room[]> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: size(100_000) },
      fc.constantFrom<Room>('later', 'at once', 'after this'),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  // Some room must be, and enough that a large body does not take a turn for each byte.
  .map((plan) => [...plan, 30_000]);

/** Empty, small, and large enough for reads straight into the sink's rooms. */
const length = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 300 }),
  fc.integer({ min: 16_000, max: 17_000 }),
  fc.integer({ min: 1, max: 400_000 }),
);
const framed = fc
  .record({
    body: length.map(pattern),
    way: fc.constantFrom('length', 'close', 'chunks'),
    chunks: sizes(150_000).map((list) => [...list, 20_000]),
    extension: fc.constantFrom('', ';a=b', ' ; q="x y"'),
    trailer: fc.constantFrom('', 'X-Sum: 1\r\n', 'A: b\r\nC: d\r\n'),
  })
  .map(({ body, way, chunks, extension, trailer }): { body: Buffer; answer: Framed } => ({
    body,
    answer:
      way === 'chunks'
        ? chunked(body, chunks, extension, trailer)
        : way === 'length'
          ? { head: `Content-Length: ${body.length}\r\n`, bytes: body, closes: false }
          : { head: '', bytes: body, closes: true },
  }));
/** In many small pieces, or in few large ones. */
const splits = fc.oneof(sizes(40), sizes(100_000));

describe.each([
  ['plain', false],
  ['TLS', true],
])('a body over %s', (_, secure) => {
  beforeEach(() => {
    // The fixture's certificate is self-signed; that such a one is refused is tested elsewhere.
    if (secure) vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    return () => vi.unstubAllEnvs();
  });

  it('is the same in any framing, however it is cut into writes and whatever rooms and pauses it meets', async () => {
    let next: { answer: Framed; split: readonly number[] } | undefined;
    const { server, client } = await start(async (socket) => {
      const { answer, split } = next!;
      const head = `HTTP/1.1 200 OK\r\n${answer.head}\r\n`;
      await sendSplit(socket, Buffer.concat([Buffer.from(head), answer.bytes]), split);
      if (answer.closes) socket.end();
    }, secure);
    await fc.assert(
      fc.asyncProperty(framed, splits, rooms, async ({ body, answer }, split, plan) => {
        next = { answer, split };
        const { body: incoming } = await client.get(server.url, {}, never());
        const came = await collect(incoming, plan);
        expect(came.length).toBe(body.length);
        expect(came.equals(body)).toBe(true);
      }),
      { numRuns: secure ? 40 : 80 },
    );
    client.close();
    await eventually(server.open).toBe(0);
  }, 60_000);

  it('stops the server while the sink has no room, and goes on with the next byte', async () => {
    const body = pattern(48 * MIB);
    let sender: Socket | undefined;
    const { server, client } = await start((socket) => {
      sender = socket;
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`);
      socket.write(body);
    }, secure);
    const answer = await client.get(server.url, {}, never());
    const came = Buffer.alloc(body.length);
    let at = 0;
    let limit = 3 * MIB + 5;
    const done = new Promise<void>((resolve, reject) => {
      answer.body.flow({
        room: () => (at < limit ? came.subarray(at, limit) : undefined),
        filled: (bytes) => {
          at += bytes;
        },
        end: (failure) => {
          if (failure === undefined) resolve();
          else reject(failure);
        },
      });
    });
    await eventually(() => at).toBe(limit);
    await pause(300);
    expect(sender!.writableLength).toBeGreaterThan(0);
    for (limit of [limit + 1, limit + 70_000, limit + 20 * MIB]) {
      answer.body.resume();
      await eventually(() => at).toBe(limit);
    }
    limit = Infinity;
    answer.body.resume();
    await done;
    expect(came.equals(body)).toBe(true);
  }, 60_000);

  it('is not read before it flows', async () => {
    let sender: Socket | undefined;
    const { server, client } = await start((socket) => {
      sender = socket;
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${32 * MIB}\r\n\r\n`);
      socket.write(pattern(32 * MIB));
    }, secure);
    const answer = await client.get(server.url, {}, never());
    await pause(300);
    expect(sender!.writableLength).toBeGreaterThan(0);
    expect((await collect(answer.body)).equals(pattern(32 * MIB))).toBe(true);
  }, 60_000);

  it.each([
    'before it flows',
    'from room',
    'from filled',
    'while the sink has no room',
    'while nothing comes',
  ])('that is closed %s frees the socket and tells the sink nothing more', async (when) => {
    const { server, client } = await start((socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Length: ${MIB}\r\n\r\n${'x'.repeat(when.includes('nothing') ? 9 : MIB)}`,
      );
    }, secure);
    const { body } = await client.get(server.url, {}, never());
    const calls: string[] = [];
    const close = (call: string) => {
      calls.push(call);
      body.close();
      calls.push('closed');
    };
    if (when === 'before it flows') close('');
    else
      body.flow({
        room: () => {
          if (when === 'from room') close('room');
          if (when === 'while the sink has no room') {
            setImmediate(close, '');
            return undefined;
          }
          calls.push('room');
          return Buffer.alloc(100_000);
        },
        filled: () => {
          if (when === 'from filled') close('filled');
          if (when === 'while nothing comes') setImmediate(close, '');
        },
        end: () => calls.push('end'),
      });
    await eventually(server.open).toBe(0);
    body.close();
    body.resume();
    expect(
      calls.slice(calls.indexOf('closed') + 1).filter((call) => call !== 'room' || when !== 'from room'),
    ).toEqual([]);
  });

  it('that is cut short is broken, and says how much is missing', async () => {
    const { server, client } = await start(
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc'),
      secure,
    );
    const { body } = await client.get(server.url, {}, never());
    await expect(collect(body)).rejects.toMatchObject({ kind: 'broken', message: '97 bytes are missing' });
    await eventually(server.open).toBe(0);
  });

  it('that is cut short while the sink has no room still gives what came', async () => {
    const { server, client } = await start(
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(50_000)}`),
      secure,
    );
    const { body } = await client.get(server.url, {}, never());
    await pause(50);
    await expect(collect(body, [1000, 'later'])).rejects.toMatchObject({
      message: '50000 bytes are missing',
    });
  });
});

describe('a body', () => {
  it('that is reset is broken, with the cause', async () => {
    const { server, client } = await start(async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc');
      await pause(100);
      socket.resetAndDestroy();
    });
    const { body } = await client.get(server.url, {}, never());
    await expect(collect(body)).rejects.toMatchObject({ kind: 'broken', cause: { code: 'ECONNRESET' } });
  });

  it('until the end of its connection that is reset is not complete', async () => {
    const { server, client } = await start(async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nabc');
      await pause(100);
      socket.resetAndDestroy();
    });
    const { body } = await client.get(server.url, {}, never());
    await expect(collect(body)).rejects.toMatchObject({ kind: 'broken' });
  });

  it.each([
    ['no number', 'x\r\n'],
    ['an empty size', '\r\n'],
    ['a sign', '+5\r\nabcde\r\n0\r\n\r\n'],
    ['0x', '0x5\r\nabcde\r\n0\r\n\r\n'],
    ['a size that no number holds', `${'f'.repeat(14)}\r\n`],
    ['a longer chunk than its size', '3\r\nabcde\r\n0\r\n\r\n'],
    ['a bare line feed', '3\nabc\n0\n\n;\r\n'],
    ['a line without end', `3;${'x'.repeat(9000)}`],
    ['a trailer without end', `0\r\n${`A: ${'x'.repeat(4000)}\r\n`.repeat(10)}`],
  ])('in chunks with %s is a wrong answer', async (_, bytes) => {
    const { server, client } = await start((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${bytes}`),
    );
    const { body } = await client.get(server.url, {}, never());
    await expect(collect(body)).rejects.toMatchObject({ kind: 'wrong-answer' });
    await eventually(server.open).toBe(0);
  });

  it.each([
    ['within a chunk', '5\r\nab', '3 bytes of a chunk are missing'],
    ['after a chunk', '2\r\nab\r\n', 'the last chunk is missing'],
    ['within the trailer', '0\r\nA: b\r\n', 'the last chunk is missing'],
  ])('in chunks that is cut short %s is broken', async (_, bytes, message) => {
    const { server, client } = await start((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${bytes}`),
    );
    const { body } = await client.get(server.url, {}, never());
    await expect(collect(body)).rejects.toMatchObject({ kind: 'broken', message });
  });

  it.each([204, 304])('of %d is none, whatever the head says', async (status) => {
    const { server, client } = await start((socket) =>
      socket.write(`HTTP/1.1 ${status} x\r\nContent-Length: 7\r\n\r\n`),
    );
    for (let round = 0; round < 2; round++) {
      const answer = await client.get(server.url, {}, never());
      expect(answer.status).toBe(status);
      expect((await collect(answer.body)).length).toBe(0);
    }
    expect(server.accepted()).toBe(1);
  });
});
