// A player that costs as little as possible, and the same on every way: it reads a bare socket into one buffer.
import net from 'node:net';

const LARGE = 1024 * 1024;
/** What a player reads at once. */
const SMALL = 64 * 1024;
const HEAD_END = '\r\n\r\n';

/** What to do after some bytes: read on after so many milliseconds (0: at once), or leave. */
export type ReadNext = number | 'leave';

export interface Reading {
  readonly first: number;
  /** Inclusive; the file's end when absent, as players ask. */
  readonly last?: number;
  /** Bytes that are read at once, at the most. */
  readonly atOnce: number;
  /** Called with the number of new bytes of the body. */
  readonly onBytes: (count: number) => ReadNext;
}

/** GETs bytes over a connection of its own; resolves once `onBytes` leaves. @throws Error when the server ends before. */
export function read(url: string, { first, last, atOnce, onBytes }: Reading): Promise<void> {
  const { port, host, pathname } = new URL(url);
  const buffer = Buffer.allocUnsafeSlow(atOnce);
  const bodyOf = headStripper(buffer);
  return new Promise((resolve, reject) => {
    let resuming: NodeJS.Timeout | undefined;
    const take = (count: number): boolean => {
      const body = bodyOf(count);
      const next = body === 0 ? 0 : onBytes(body);
      if (next === 'leave') {
        resolve();
        socket.destroy();
      } else if (next > 0) resuming = setTimeout(() => socket.resume(), next);
      return next === 0;
    };
    const onread = {
      buffer,
      callback: (count: number) => {
        try {
          return take(count);
        } catch (error) {
          socket.destroy(error as Error);
          return false;
        }
      },
    };
    const socket = net.connect({ port: Number(port), host: '127.0.0.1', onread });
    socket.once('error', reject);
    socket.once('close', () => {
      clearTimeout(resuming);
      reject(new Error('the server has ended the connection'));
    });
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nRange: bytes=${first}-${last ?? ''}\r\n\r\n`);
  });
}

/** Takes the number of bytes that have come, and tells how many of them are the body's. */
function headStripper(buffer: Buffer): (count: number) => number {
  let head: string | undefined = '';
  return (count) => {
    if (head === undefined) return count;
    head += buffer.toString('latin1', 0, count);
    const end = head.indexOf(HEAD_END);
    if (end < 0) return 0;
    if (!head.startsWith('HTTP/1.1 206 ')) throw new Error(`answered: ${head.slice(0, end)}`);
    const body = head.length - end - HEAD_END.length;
    head = undefined;
    return body;
  };
}

/** Reads so many bytes as fast as they come. MB per second, from opening the connection on. */
export async function download(url: string, bytes: number, first = 0): Promise<number> {
  const began = performance.now();
  let left = bytes;
  const onBytes = (count: number) => ((left -= count) > 0 ? 0 : 'leave');
  await read(url, { first, last: first + bytes - 1, atOnce: LARGE, onBytes });
  return bytes / 1e6 / ((performance.now() - began) / 1000);
}

/** Milliseconds from opening a connection to the first byte of the body. */
export async function timeToFirstByte(url: string, first: number): Promise<number> {
  const began = performance.now();
  await read(url, { first, atOnce: SMALL, onBytes: () => 'leave' });
  return performance.now() - began;
}

/**
 * Reads as a player does, at `rate` bytes per second for so many seconds.
 * @throws Error when the bytes come more slowly.
 */
export async function play(url: string, rate: number, seconds: number, first = 0): Promise<void> {
  const pace = pacer(rate);
  const until = performance.now() + seconds * 1000;
  let bytes = 0;
  const onBytes = (count: number) => {
    bytes += count;
    return performance.now() < until ? pace(count) : 'leave';
  };
  await read(url, { first, atOnce: SMALL, onBytes });
  if (bytes < rate * seconds * IN_TIME) throw new Error(`the film stuttered: only ${bytes} bytes came`);
}

/** Part of a film's bytes that must have come in its time: what is missing may be on its way. */
const IN_TIME = 0.95;

/** Takes the number of bytes that were read, and tells after how many milliseconds to read on. */
export function pacer(rate: number): (count: number) => number {
  let due = performance.now();
  return (count) => {
    const now = performance.now();
    due = Math.max(due, now - CATCH_UP) + (count / rate) * 1000;
    return Math.max(0, due - now);
  };
}

/** Milliseconds that a player which was kept waiting makes up for. */
const CATCH_UP = 2_000;
