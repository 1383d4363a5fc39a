import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseSnapshot, type Snapshot } from '../../../src/stream-proxy/session/snapshot.ts';
import { type FileServer, startFileServer } from '../../support/file-server.ts';
import { play, prepare, startTestProxy } from '../../support/proxy.ts';

const SIZE = 300_007;
let files: FileServer;

beforeEach(async () => {
  files = await startFileServer(SIZE);
});
afterEach(async () => {
  await files.close();
});

const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const unexpected = () => expect.unreachable('no session is unfit');

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
    ['another version', { version: 1, token: '0'.repeat(32), sessions: [] }],
    ['a short token', { version: 2, token: '0', sessions: [] }],
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

describe('a session that is unfit', () => {
  const TOKEN = '0'.repeat(32);
  const FILL = { first: 0, last: 9, how: 'zeros', pattern: 'AA==', pieces: [] };
  const record = (digit: string, extra: object = {}) => ({
    id: digit.repeat(32),
    sources: [{ url: 'http://nas:8080/x.mkv', headers: {} }],
    validators: {},
    name: 'Sintel.mkv',
    size: 1,
    mime: 'video/x-matroska',
    fills: [],
    ...extra,
  });

  it.each<[string, unknown]>([
    ['of a local file', record('1', { sources: [{ url: 'file:///x', headers: {} }] })],
    ['of no source', record('1', { sources: [] })],
    ['of a fill that is not in base64', record('1', { fills: [{ ...FILL, pattern: '!' }] })],
    ['of a fill of nothing', record('1', { fills: [{ ...FILL, pattern: '' }] })],
    ['of no size', record('1', { size: 0 })],
    ['of a name too long', record('1', { name: 'x'.repeat(1025) })],
    ['that is nothing', null],
  ])('%s costs neither the others nor the token', async (_what, unfit) => {
    const snapshot = { version: 2, token: TOKEN, sessions: [record('2'), unfit, record('3')] };
    const proxy = await startTestProxy({ snapshot });
    try {
      expect(proxy.token).toBe(TOKEN);
      expect(proxy.sessions().map(({ id }) => id[0])).toEqual(['2', '3']);
      expect(proxy.lines.join()).toMatch(/^warning: [^,]*cannot be used/);
    } finally {
      await proxy.close();
    }
  });

  it('is every one but the last sixteen', () => {
    const sessions = Array.from({ length: 20 }, (_, i) => record('a', { size: i + 1 }));
    const sizes = parseSnapshot({ version: 2, token: TOKEN, sessions }, unexpected)?.sessions.map(
      (s) => s.size,
    );
    expect(sizes).toEqual(sessions.slice(4).map((s) => s.size));
  });
});

it.each([1024, 1020])('a name of %i characters is taken over', async (length) => {
  const first = await startTestProxy();
  try {
    await prepare(first, files.url, 'x'.repeat(length));
    const second = await startTestProxy({ snapshot: copy(first.snapshot()) });
    expect(second.sessions().map(({ id }) => id)).toEqual(first.sessions().map(({ id }) => id));
    await second.close();
  } finally {
    await first.close();
  }
});

it('reads back what a proxy wrote', async () => {
  const proxy = await startTestProxy();
  try {
    await prepare(proxy, files.url, 'Sintel.mkv', { Authorization: 'Basic eDp5' });
    const { token, sessions, ended } = proxy.snapshot();
    expect(parseSnapshot(copy(proxy.snapshot()), unexpected)).toEqual({ token, sessions, ended });
  } finally {
    await proxy.close();
  }
});

const PROCESS = fileURLToPath(new URL('../../support/proxy-process.ts', import.meta.url));
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
      const { url } = await prepare(first, files.url);
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
