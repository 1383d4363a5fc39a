import { getEventListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CancelledError } from '../../src/errors/index.ts';
import { fetchBounded, USER_AGENT } from '../../src/io/http.ts';
import { formBody } from '../../src/io/multipart.ts';
import { get, rawServer, requestFailure, SECRET, WHO } from '../support/http-request.ts';
import { closedPort, serve } from '../support/http-server.ts';

const OK = 'HTTP/1.1 200 OK\r\n';

describe('fetchBounded', () => {
  test('gives status, headers and body, whatever the status', async () => {
    const url = await serve((request, response) => {
      response.writeHead(503, { 'x-agent': request.headers['user-agent'] }).end('später');
    });
    const answer = await get(url);
    expect(answer).toMatchObject({ status: 503, url: `${url}/api?${SECRET}` });
    expect(answer.text()).toBe('später');
    expect(answer.headers['x-agent']).toBe(USER_AGENT);
  });

  test.each([204, 304, 200])('an answer without a body is empty: %d', async (status) => {
    const url = await serve((_, response) => response.writeHead(status).end());
    expect((await get(url)).body).toHaveLength(0);
  });

  test('a caller’s own agent replaces ours, however it is written', async () => {
    const url = await serve((request, response) => response.end(request.headers['user-agent']));
    expect((await get(url, { headers: { 'User-Agent': 'Mine' } })).text()).toBe('Mine');
  });
});

describe('what breaks off or makes no sense', () => {
  const cut = gzipSync('Sintel '.repeat(100)).subarray(0, 20);
  test.each([
    ['nothing at all', '', 'close', 'UNREACHABLE'],
    ['a reset', OK, 'reset', 'UNREACHABLE'],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-le', 'close', 'UNREACHABLE'],
    ['less than it announced', `${OK}content-length: 100\r\n\r\nabc`, 'close', 'UNREACHABLE'],
    ['a reset inside of the body', `${OK}content-length: 100\r\n\r\nabc`, 'reset', 'UNREACHABLE'],
    ['an unfinished chunk', `${OK}transfer-encoding: chunked\r\n\r\n5\r\nabc`, 'close', 'UNREACHABLE'],
    ['only an interim answer', 'HTTP/1.1 100 Continue\r\n\r\n', 'close', 'UNREACHABLE'],
    [
      'another protocol',
      'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'close',
      'UNREACHABLE',
    ],
    ['an invalid chunk', `${OK}transfer-encoding: chunked\r\n\r\nZZ\r\nabc`, 'close', 'BAD_ANSWER'],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n', 'close', 'BAD_ANSWER'],
    ['two lengths', `${OK}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`, 'close', 'BAD_ANSWER'],
    ['an endless head', `${OK}x: ${'a'.repeat(100_000)}\r\n\r\n`, 'close', 'BAD_ANSWER'],
    ['no gzip', `${OK}content-encoding: gzip\r\ncontent-length: 9\r\n\r\nno gzip !`, 'close', 'BAD_ANSWER'],
    ['no gzip, without a length', `${OK}content-encoding: gzip\r\n\r\nno gzip !`, 'hang', 'BAD_ANSWER'],
    // Node's fetch never ended this one.
    [
      'no gzip, without a length, and the end',
      `${OK}content-encoding: gzip\r\n\r\nno gzip !`,
      'close',
      'BAD_ANSWER',
    ],
    [
      'a whole body with half a gzip',
      Buffer.concat([Buffer.from(`${OK}content-encoding: gzip\r\ncontent-length: 20\r\n\r\n`), cut]),
      'close',
      'BAD_ANSWER',
    ],
    [
      'half a gzip',
      Buffer.concat([Buffer.from(`${OK}content-encoding: gzip\r\ncontent-length: 99\r\n\r\n`), cut]),
      'close',
      'UNREACHABLE',
    ],
  ] as const)('%s', async (_, answer, end, code) => {
    const error = await requestFailure(get(await rawServer(answer, end), { timeout: 5000 }));
    expect(error.code).toBe(code);
    expect(error.explanation.what).toContain(WHO);
  });
});

describe('a connection', () => {
  test('is used for one request, also when the answer offers to keep it', async () => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections++;
      socket.on('error', () => undefined);
      socket.on('data', () =>
        socket.write('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok'),
      );
    });
    onTestFinished(() => {
      server.close();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    for (let request = 0; request < 3; request++) {
      const answer = await fetchBounded({ url, who: 'It', signal: new AbortController().signal });
      expect(answer.text()).toBe('ok');
    }
    expect(connections).toBe(3);
  });
});

describe('limits', () => {
  test.each([
    ['before the head', ''],
    ['inside of the head', OK],
    ['inside of the body', `${OK}content-length: 100\r\n\r\nabc`],
    ['inside of a compressed body', `${OK}content-encoding: gzip\r\ncontent-length: 100\r\n\r\n\u001f`],
  ])('a server that falls silent %s', async (_, answer) => {
    const error = await requestFailure(get(await rawServer(answer, 'hang'), { timeout: 150 }));
    expect(error).toMatchObject({ code: 'TIMEOUT', transient: true });
    expect(error.explanation.what).toBe('The indexer Example did not answer within 1 second.');
  });

  test('a body without an end', async () => {
    let closed = false;
    const url = await serve((_, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(16_384)));
      };
      response.on('drain', more).on('close', () => {
        closed = true;
      });
      more();
    });
    const error = await requestFailure(get(url, { maxBytes: 100_000 }));
    expect(error.code).toBe('TOO_LARGE');
    expect(error.explanation.what).toBe('The indexer Example sent an answer larger than 98 KB.');
    await expect.poll(() => closed).toBe(true);
  });

  test('a small body that unpacks to a large one', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      for (let i = 0; i < 64; i++) gzip.write(Buffer.alloc(1024 * 1024));
      gzip.end();
    });
    expect((await requestFailure(get(url, { maxBytes: 4 * 1024 * 1024 }))).code).toBe('TOO_LARGE');
  });

  test.each([9, 10, 11])('ten bytes are the most: %d', async (size) => {
    const url = await serve((_, response) => response.end('x'.repeat(size)));
    const answer = get(url, { maxBytes: 10 });
    if (size <= 10) expect((await answer).body).toHaveLength(size);
    else expect((await requestFailure(answer)).code).toBe('TOO_LARGE');
  });
});

describe('abort', () => {
  test.each([
    ['before the head', ''],
    ['inside of the body', `${OK}content-length: 100\r\n\r\nabc`],
  ])('%s ends with the signal’s own reason and leaves no listener', async (_, answer) => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const request = get(await rawServer(answer, 'hang'), { signal: controller.signal });
    const ended = expect(request).rejects.toBe(reason);
    await new Promise((resolve) => setTimeout(resolve, 50));
    controller.abort(reason);
    await ended;
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('before the start sends nothing', async () => {
    let asked = 0;
    const url = await serve((_, response) => {
      asked++;
      response.end();
    });
    const reason = new Error('enough');
    await expect(get(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(asked).toBe(0);
  });

  test('by a timeout of the caller keeps that timeout’s own reason', async () => {
    const request = get(await rawServer('', 'hang'), { signal: AbortSignal.timeout(50) });
    await expect(request).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('no listener is left after a success or a failure', async () => {
    const { signal } = new AbortController();
    await get(await serve((_, response) => response.end()), { signal });
    await requestFailure(get(await closedPort(), { signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

function post(url: string, signal: AbortSignal) {
  const bytes = Buffer.from('x'.repeat(100_000));
  const body = formBody({ field: 'name', fileName: 'Sintel.2010.nzb', type: 'application/x-nzb', bytes });
  return fetchBounded({ url, who: 'The server', method: 'POST', body, signal });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

describe('a form', () => {
  test('arrives whole, with its name and boundary', async () => {
    const url = await serve((request, response) => {
      textOf(request).then(
        (text) => response.end(`${request.headers['content-type'] ?? ''}\n${text}`),
        () => response.destroy(),
      );
    });
    const text = (await post(url, new AbortController().signal)).text();
    const boundary = /^multipart\/form-data; boundary=(.+)\n/.exec(text)?.[1] ?? 'none';
    expect(text).toContain(`\n--${boundary}\r\n`);
    expect(text).toContain('filename="Sintel.2010.nzb"');
    expect(text).toContain('x'.repeat(100_000));
  });

  test('that is given up, before or while it is sent, ends with the reason and leaves nothing behind', async () => {
    const url = await serve(() => undefined);
    const reason = new CancelledError('person');
    const unhandled: unknown[] = [];
    const listen = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', listen);
    try {
      await expect(post(url, AbortSignal.abort(reason))).rejects.toBe(reason);
      for (let turns = 0; turns < 20; turns++) {
        const controller = new AbortController();
        const outcome = post(url, controller.signal).catch((error: unknown) => error);
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        controller.abort(reason);
        expect(await outcome).toBe(reason);
      }
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', listen);
    }
  });
});

test('says when a request has left whole, long before its answer', async () => {
  const events: string[] = [];
  const url = await serve((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => {
      setTimeout(() => response.end(`${bytes} ${events.join()}`), 50);
    });
  });
  const body = { type: 'application/octet-stream', bytes: Buffer.alloc(3_000_000, 1) };
  const answer = await fetchBounded({
    url,
    who: 'Example',
    method: 'POST',
    body,
    signal: new AbortController().signal,
    onSent: () => events.push('sent'),
  });
  expect(answer.text()).toBe('3000000 sent');
});
