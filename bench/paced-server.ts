// An upstream as they are on the net: each answer comes after a while, and the bytes at a rate, of each connection or of
// all together. Its argument is a PacedOptions as JSON; writes its port as the first line of stdout.
import './ends-with-parent.ts';
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface PacedOptions {
  readonly size: number;
  /** Milliseconds from a request to its answer. */
  readonly latency: number;
  /** Bytes per second. */
  readonly rate: number;
  /** Whether all connections together have the rate, rather than each its own. */
  readonly shared: boolean;
}

const { size, latency, rate, shared } = JSON.parse(process.argv[2] ?? '') as PacedOptions;

/**
 * Sent at once; small enough that connections that share a rate take turns often. Nothing but sync bytes: the proxy takes
 * it for a transport stream, and refuses what begins as no video does.
 */
const part = Buffer.alloc(32 * 1024, 0x47);
/** Milliseconds that a late timer may be made up for. */
const CATCH_UP = 20;

/** Lets bytes through at the rate, in the order in which they are asked for. */
class Gate {
  #free = performance.now();

  async pass(bytes: number): Promise<void> {
    const now = performance.now();
    const turn = Math.max(this.#free, now - CATCH_UP);
    this.#free = turn + (bytes / rate) * 1000;
    if (turn > now) await sleep(turn - now);
  }
}

const gateOfAll = new Gate();

const server = net.createServer((socket) => {
  const gate = shared ? gateOfAll : new Gate();
  let head = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    head += chunk.toString('latin1');
    if (!head.includes('\r\n\r\n')) return;
    const [, first = '0', last = ''] = /\r\nrange: bytes=(\d+)-(\d*)/i.exec(head) ?? [];
    head = '';
    // A player that leaves in the middle is no trouble.
    answer(socket, gate, Number(first), last === '' ? size - 1 : Number(last)).catch(() => socket.destroy());
  });
});

async function answer(socket: Socket, gate: Gate, first: number, last: number): Promise<void> {
  await sleep(latency);
  let left = last - first + 1;
  socket.write(
    `HTTP/1.1 206 Partial Content\r\nContent-Range: bytes ${first}-${last}/${size}\r\nContent-Length: ${left}\r\n\r\n`,
  );
  while (left > 0 && !socket.destroyed) {
    const next = part.subarray(0, left);
    await gate.pass(next.length);
    left -= next.length;
    if (!socket.write(next)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  }
}

server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
