import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseSnapshot, type Snapshot } from '../../src/stream-proxy/snapshot.ts';
import type { Proxy } from '../../src/stream-proxy.ts';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { play, prepare, startTestProxy } from '../support/proxy.ts';

const SIZE = 300_007;
let files: FileServer;

beforeEach(async () => {
  files = await startFileServer(SIZE);
});
afterEach(async () => {
  await files.close();
});

const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a replacement', () => {
  it('takes over port, token and sessions', async () => {
    const saved: Snapshot[] = [];
    const first = await startTestProxy({ onSnapshot: (snapshot) => saved.push(snapshot) });
    const { url } = await prepare(first, files.url, 'Sintel.mkv', { 'X-Key': 'k' });
    await first.close();
    const second = await startTestProxy({ listen: { port: first.port }, snapshot: copy(saved.at(-1)) });
    try {
      expect([second.port, second.token]).toEqual([first.port, first.token]);
      expect(await play(url, 'bytes=12345-')).toMatchObject({ complete: true, wrongAt: undefined });
      expect(files.requests.at(-1)?.headers['x-key']).toBe('k');
    } finally {
      await second.close();
    }
  });

  it('is told of each change', async () => {
    const saved: Snapshot[] = [];
    const proxy = await startTestProxy({ onSnapshot: (snapshot) => saved.push(snapshot) });
    try {
      const { id } = await prepare(proxy, files.url);
      proxy.endSession(id);
      proxy.endSession(id);
      expect(saved.map(({ sessions }) => sessions.length)).toEqual([0, 1, 0]);
      expect(saved.at(-1)).toEqual(proxy.snapshot());
    } finally {
      await proxy.close();
    }
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['text', 'x'],
    ['another version', { version: 2, token: '0'.repeat(32), sessions: [] }],
    ['a short token', { version: 1, token: '0', sessions: [] }],
    [
      'a session of a file',
      {
        version: 1,
        token: '0'.repeat(32),
        sessions: [
          {
            id: '1'.repeat(32),
            source: { url: 'file:///x', headers: {} },
            name: 'x',
            size: 1,
            mime: 'video/mp4',
          },
        ],
      },
    ],
  ])('starts anew from %s', async (_what, snapshot) => {
    const proxy = await startTestProxy({ snapshot });
    try {
      expect(proxy.sessions()).toEqual([]);
      expect(proxy.token).not.toBe('0'.repeat(32));
    } finally {
      await proxy.close();
    }
  });
});

it('reads back what a proxy wrote', async () => {
  const proxy = await startTestProxy();
  try {
    await prepare(proxy, files.url, 'Sintel.mkv', { Authorization: 'Basic eDp5' });
    expect(parseSnapshot(copy(proxy.snapshot()))).toEqual(proxy.snapshot());
  } finally {
    await proxy.close();
  }
});

const PROCESS = fileURLToPath(new URL('../support/proxy-process.ts', import.meta.url));
/** Starts the next engine when the one before has ended, as the host does, without touching the socket itself. */
const HOST = '"$0" --import tsx "$1"; "$0" --import tsx "$1"';

interface Started {
  readonly pid: number;
  readonly port: number;
  readonly token: string;
}

/** A host that keeps a listening socket and runs one engine after the other on it. */
async function startHost(address: string) {
  const socket = net.createServer().listen(0, address);
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
  const child = spawn('sh', ['-c', HOST, process.execPath, PROCESS], {
    stdio: ['pipe', 'pipe', 'ignore', fd],
    detached: true,
  });
  // The test must not take connections that are meant for the engine.
  socket.close();
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    port,
    start: (snapshot: unknown) => child.stdin!.write(`${JSON.stringify({ listen: { fd: 3 }, snapshot })}\n`),
    said: async () => JSON.parse(((await lines.next()) as { value: string }).value) as unknown,
    stop: () => process.kill(-child.pid!, 'SIGKILL'),
  };
}

describe.skipIf(process.platform === 'win32')('an inherited listening socket', () => {
  it('survives a killed engine: the player reads on at the same URL', async () => {
    const host = await startHost('127.0.0.1');
    try {
      host.start(null);
      const first = (await host.said()) as Started;
      expect(first.port).toBe(host.port);
      const { url } = await prepare({ ...first } as unknown as Proxy, files.url);
      const snapshot = await host.said();
      process.kill(first.pid, 'SIGKILL');
      // Nobody accepts while there is no engine; the connection waits in the socket's queue.
      const playing = play(url, 'bytes=1000-');
      host.start(snapshot);
      expect(await host.said()).toEqual({ ...first, pid: expect.any(Number) as number });
      expect(await playing).toMatchObject({ count: SIZE - 1000, complete: true, wrongAt: undefined });
    } finally {
      host.stop();
    }
  });

  it('that listens on every address is refused', async () => {
    const host = await startHost('0.0.0.0');
    try {
      host.start(null);
      expect(await host.said()).toEqual({ code: 'PROXY_ABSENT' });
    } finally {
      host.stop();
    }
  });
});
