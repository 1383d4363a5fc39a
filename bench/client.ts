/** A player that costs as little as possible, and the same on every way: it reads a bare socket into one buffer. */
import net from 'node:net';

const BUFFER = 1024 * 1024;
const HEAD_END = '\r\n\r\n';

export interface Reading {
  /** The first byte that is asked for; the rest up to the file's end comes with it. */
  readonly first?: number;
  /** Called with the number of new bytes of the body; false ends the reading. */
  readonly onBytes: (count: number) => boolean;
  readonly onSocket?: (socket: net.Socket) => void;
}

/** GETs `url` over a connection of its own; resolves when `onBytes` ends it. @throws Error when the server does. */
export function read(url: string, { first = 0, onBytes, onSocket }: Reading): Promise<void> {
  const { port, host, pathname } = new URL(url);
  const buffer = Buffer.allocUnsafeSlow(BUFFER);
  let head: string | undefined = '';
  let done = false;
  const take = (count: number): boolean => {
    let body = count;
    if (head !== undefined) {
      head += buffer.toString('latin1', 0, count);
      const end = head.indexOf(HEAD_END);
      if (end < 0) return true;
      body = head.length - end - HEAD_END.length;
      if (!/^HTTP\/1\.1 20[06] /.test(head)) throw new Error(head.slice(0, end));
      head = undefined;
    }
    return body === 0 || onBytes(body);
  };
  return new Promise((resolve, reject) => {
    const socket = net.connect({
      port: Number(port),
      host: '127.0.0.1',
      onread: {
        buffer,
        callback: (count) => {
          try {
            done = !take(count);
          } catch (error) {
            socket.destroy(error as Error);
          }
          if (done) socket.destroy();
          return !done;
        },
      },
    });
    socket.once('error', reject);
    socket.once('close', () => {
      if (done) resolve();
      else reject(new Error('the connection ended early'));
    });
    onSocket?.(socket);
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nRange: bytes=${first}-\r\n\r\n`);
  });
}

/** Reads so many bytes from the start as fast as they come. MB per second. */
export async function download(url: string, bytes: number): Promise<number> {
  const began = performance.now();
  let left = bytes;
  await read(url, { onBytes: (count) => (left -= count) > 0 });
  return bytes / 1e6 / ((performance.now() - began) / 1000);
}

/** Milliseconds from opening a connection to the first byte of the body at a position. */
export async function timeToFirstByte(url: string, first: number): Promise<number> {
  const began = performance.now();
  let arrived = Number.NaN;
  await read(url, {
    first,
    onBytes: () => {
      arrived = performance.now();
      return false;
    },
  });
  return arrived - began;
}
