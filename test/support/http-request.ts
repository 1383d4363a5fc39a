import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { SlipstreamError } from '../../src/errors/index.ts';
import { fetchBounded, type HttpRequest } from '../../src/io/http.ts';

/** What must not appear in the text of any failure: every request carries it. */
export const SECRET = 'apikey=topsecret';
export const WHO = 'The indexer Example';

export const get = (url: string, request: Partial<HttpRequest> = {}) =>
  fetchBounded({
    url: `${url}/api?${SECRET}`,
    who: WHO,
    signal: new AbortController().signal,
    ...request,
  });

/** How a request fails; whatever it is, its text and that of its causes must hold no key and no credentials. */
export async function requestFailure(request: Promise<unknown>): Promise<SlipstreamError> {
  const error: unknown = await request.then(
    () => expect.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SlipstreamError);
  const texts: string[] = [JSON.stringify((error as SlipstreamError).explanation)];
  for (let e: unknown = error; e instanceof Error; e = e.cause) texts.push(e.message, e.stack ?? '');
  expect(texts.join('\n')).not.toMatch(/topsecret|passw0rd/);
  return error as SlipstreamError;
}

/** A server that answers whatever it is asked with these bytes, and then closes, stays silent or breaks off. */
export async function rawServer(answer: string | Buffer, end: 'close' | 'hang' | 'reset'): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(answer, () => {
        if (end === 'close') socket.end();
        if (end === 'reset') socket.resetAndDestroy();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
