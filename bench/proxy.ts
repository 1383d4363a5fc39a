import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { PreparedStream } from '../src/stream-proxy.ts';
import { type Figure, median } from './figure.ts';

const RUNS = 5;
const SIZE = 1024 ** 3;

/** One GiB from memory through the proxy, against the same without it; three processes, medians of one run. */
export const throughputVsDirect: Figure = {
  name: 'proxy.throughput-vs-direct',
  unit: '×',
  target: 'recorded; the target comes with the own body reader',
  measure: async () => {
    const upstream = await startChild('memory-server.ts', [String(SIZE)]);
    const proxy = await startChild('../test/support/proxy-process.ts', [], { listen: { port: 0 } });
    try {
      const direct = `http://127.0.0.1:${upstream.said as number}/film.mkv`;
      const through = await prepare(proxy.said as ProxyStarted, direct);
      const rates = { direct: [] as number[], through: [] as number[] };
      for (let run = 0; run < RUNS; run++) {
        rates.direct.push(await download(direct));
        rates.through.push(await download(through));
      }
      const [alone, proxied] = [median(rates.direct), median(rates.through)];
      const value = proxied / alone;
      const note = `${Math.round(proxied)} MB/s through the proxy, ${Math.round(alone)} MB/s without; medians of ${RUNS}`;
      return { value, met: true, note };
    } finally {
      upstream.child.kill();
      proxy.child.kill();
    }
  },
};

interface ProxyStarted {
  readonly port: number;
  readonly token: string;
}

interface Child {
  readonly child: ChildProcess;
  /** The first line of its stdout. */
  readonly said: unknown;
}

async function startChild(script: string, args: readonly string[], input?: unknown): Promise<Child> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (input !== undefined) child.stdin.write(`${JSON.stringify(input)}\n`);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, said: JSON.parse(line) };
}

async function prepare({ port, token }: ProxyStarted, url: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/prepare`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ url, name: 'Big Buck Bunny.mkv' }),
  });
  if (!answer.ok) throw new Error(`prepare: ${await answer.text()}`);
  return ((await answer.json()) as PreparedStream).url;
}

/** Reads the whole file over a bare socket, so that the reader costs the same on both ways. MB per second. */
async function download(url: string): Promise<number> {
  const { port, host, pathname } = new URL(url);
  const began = performance.now();
  const buffer = Buffer.alloc(1024 * 1024);
  await new Promise<void>((resolve, reject) => {
    let left: number | undefined;
    const socket = net.connect({
      port: Number(port),
      host: '127.0.0.1',
      onread: {
        buffer,
        callback: (bytes) => {
          left ??= SIZE + buffer.indexOf('\r\n\r\n') + 4;
          left -= bytes;
          if (left <= 0) socket.destroy();
          return true;
        },
      },
    });
    socket.on('error', reject);
    socket.once('close', () => {
      if (left !== undefined && left <= 0) resolve();
      else reject(new Error(`${left ?? SIZE} bytes are missing`));
    });
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nRange: bytes=0-\r\n\r\n`);
  });
  return SIZE / 1e6 / ((performance.now() - began) / 1000);
}
