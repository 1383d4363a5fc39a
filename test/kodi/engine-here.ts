import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createPeer, type Peer, receiveStart, type StartMessage } from '../../src/host/kodi/index.ts';
import type { Root } from '../../tools/debian-root/index.ts';
import { memoryLog } from '../support/log.ts';
import { type Kodi, type KodiOptions, startKodi } from './harness/index.ts';
import { ADDON_ID } from './slipstream.ts';

const ADDON = join(import.meta.dirname, '../../addon');

/** In the engine's place: gives the host's pipes to the test, and ends with either. */
const PIPE = `
const socket = require('node:net').connect(Number(process.env.SLIPSTREAM_TEST_PORT), '127.0.0.1');
process.stdin.pipe(socket).pipe(process.stdout);
socket.on('close', () => process.exit(0));
`;

/** One process of the add-on, whose engine is this test. */
export interface EngineHere {
  readonly peer: Peer;
  readonly start: StartMessage;
  /** Ends the engine. */
  end(): void;
}

export interface KodiWithEngineHere {
  readonly kodi: Kodi;
  readonly service: EngineHere;
  /** Opens a plugin:// path, or a RunScript when it begins with one; gives the engine that it starts. */
  call(what: string): Promise<EngineHere>;
}

/** A real Kodi with the add-on's own host, while the engine's end of the bridge is here. All ends with the test. */
export async function kodiWithEngineHere(root: Root, options: KodiOptions = {}): Promise<KodiWithEngineHere> {
  const addon = await mkdtemp(join(tmpdir(), 'slipstream-engine-'));
  onTestFinished(() => rm(addon, { recursive: true }));
  await cp(ADDON, addon, { recursive: true });
  await mkdir(join(addon, 'resources/engine'));
  await writeFile(join(addon, 'resources/engine/engine.cjs'), PIPE);
  const engines: EngineHere[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const peer = createPeer(socket, socket, memoryLog());
    peer.handle('ping', () => 'pong');
    // Kodi may end in between.
    receiveStart(peer).then(
      (start) => engines.push({ peer, start, end: () => socket.destroy() }),
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const env = { ...options.env, SLIPSTREAM_TEST_PORT: String(port) };
  const kodi = await startKodi(root, { ...options, addons: [addon, ...(options.addons ?? [])], env });
  onTestFinished(() => kodi.kill());
  const take = (what: string, isIt: (engine: EngineHere) => boolean) =>
    kodi.until(what, () => {
      const index = engines.findIndex(isIt);
      return Promise.resolve(index < 0 ? undefined : engines.splice(index, 1)[0]);
    });
  const service = await take('the service engine is there', ({ start }) => start.entry === 'service');
  return {
    kodi,
    service,
    call: async (what) => {
      if (what.startsWith('RunScript')) await kodi.builtin(what);
      else await kodi.rpc('Player.Open', { item: { file: `plugin://${ADDON_ID}${what}` } });
      return take('the engine is there', ({ start }) => start.entry !== 'service');
    },
  };
}
