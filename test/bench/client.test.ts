import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { download, read, timeToFirstByte } from '../../bench/client.ts';

const HEAD = 'HTTP/1.1 206 Partial Content\r\nContent-Length: 10\r\n\r\n';

let server: net.Server | undefined;
afterEach(() => server?.close());

/** A server that writes these parts, one after the other, and then ends the connection unless told otherwise. */
async function serving(parts: readonly string[], { ends = true } = {}): Promise<string> {
  server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      const next = ([part, ...rest]: readonly string[]) => {
        if (part === undefined) {
          if (ends) socket.end();
        } else socket.write(part, () => setImmediate(next, rest));
      };
      next(parts);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/film.mkv`;
}

async function bodyBytes(url: string): Promise<number> {
  let bytes = 0;
  await read(url, { first: 0, atOnce: 4, onBytes: (count) => ((bytes += count) < 10 ? 0 : 'leave') });
  return bytes;
}

describe('the player of the benchmarks', () => {
  it.each([
    ['in one piece', [`${HEAD}0123456789`]],
    ['cut inside of the head', [HEAD.slice(0, 20), HEAD.slice(20), '0123456789']],
    ['cut inside of its end', [HEAD.slice(0, -2), `${HEAD.slice(-2)}0123456789`]],
  ])('counts the bytes of the body alone: %s', async (_how, parts) => {
    expect(await bodyBytes(await serving(parts))).toBe(10);
  });

  it('waits before it reads on as long as it is told, and loses nothing', async () => {
    const url = await serving([`${HEAD}0123456789`]);
    let bytes = 0;
    const onBytes = (count: number) => ((bytes += count) < 10 ? 5 : ('leave' as const));
    await read(url, { first: 0, atOnce: 4, onBytes });
    expect(bytes).toBe(10);
  });

  it('does not take a head for the first byte', async () => {
    const url = await serving([HEAD]);
    await expect(timeToFirstByte(url, 0)).rejects.toThrow('ended the connection');
  });

  it('fails when bytes are missing', async () => {
    await expect(download(await serving([`${HEAD}01234`]), 10)).rejects.toThrow('ended the connection');
  });

  it.each(['HTTP/1.1 200 OK', 'HTTP/1.1 416 Range Not Satisfiable'])('fails on %s', async (status) => {
    const url = await serving([`${status}\r\n\r\n0123456789`], { ends: false });
    await expect(download(url, 10)).rejects.toThrow(status);
  });
});
