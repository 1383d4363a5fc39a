import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { mkvClip } from '../../sandbox/index.ts';
import {
  createPeer,
  kodiHost,
  kodiServiceHost,
  type Peer,
  receiveStart,
  type StartMessage,
} from '../../src/host/kodi/index.ts';
import type { Host, ServiceHost } from '../../src/host/port.ts';
import type { LocalStream } from '../../src/model/index.ts';
import type { Root } from '../../tools/debian-root/index.ts';
import { serve } from '../support/http-server.ts';
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

/** A film on loopback, as the proxy would serve it; with `until` (seconds) it breaks off there. */
export async function film(seconds: number, until = seconds): Promise<LocalStream> {
  const whole = mkvClip({ name: 'film.mkv', seconds, size: seconds * 100_000 });
  const clip = { size: Math.floor((whole.size * until) / seconds), read: whole.read };
  const base = await serve((request, response) => {
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    const start = Number(from);
    const end = to === '' ? clip.size : Math.min(clip.size, Number(to) + 1);
    response.writeHead(206, {
      'content-length': end - start,
      'content-range': `bytes ${start}-${end - 1}/${clip.size}`,
    });
    const send = (at: number) => {
      const next = Math.min(end, at + 256 * 1024);
      response.write(clip.read(at, next), () => {
        if (next < end) send(next);
        else response.end();
      });
    };
    send(start);
  });
  return { url: `${base}/film.mkv`, mime: 'video/x-matroska', size: clip.size };
}

/** One process of the add-on, whose engine is this test. */
export interface EngineHere {
  readonly peer: Peer;
  readonly start: StartMessage;
  /** Ends the engine. */
  end(): void;
}

/** Kodi as a host to that engine. */
export const hostOf = ({ peer, start }: EngineHere): Host => kodiHost(peer, start, memoryLog());

export interface KodiWithEngineHere {
  readonly kodi: Kodi;
  readonly service: EngineHere;
  /** Kodi as a host to the service's engine. */
  readonly serviceHost: ServiceHost;
  /** The engine that Kodi starts next by itself. */
  next(): Promise<EngineHere>;
  /** Opens a plugin:// path, or a RunScript when it begins with one; gives the engine that it starts. */
  call(what: string, options?: { readonly resume: boolean }): Promise<EngineHere>;
  /** Waits until nothing plays and the next play may start. */
  idle(): Promise<void>;
}

/** A real Kodi with the add-on's own host, while the engine's end of the bridge is here. All ends with the test. */
export async function kodiWithEngineHere(
  root: Root,
  { settingsXml, ...options }: KodiOptions & { readonly settingsXml?: string } = {},
): Promise<KodiWithEngineHere> {
  const addon = await mkdtemp(join(tmpdir(), 'slipstream-engine-'));
  onTestFinished(() => rm(addon, { recursive: true }));
  await cp(ADDON, addon, { recursive: true });
  await mkdir(join(addon, 'resources/engine'));
  await writeFile(join(addon, 'resources/engine/engine.cjs'), PIPE);
  if (settingsXml !== undefined) await writeFile(join(addon, 'resources/settings.xml'), settingsXml);
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
  // As the engine does at once: what the player does is written down for the calls.
  const serviceHost = kodiServiceHost(service.peer, service.start, memoryLog());
  serviceHost.onPlayerEvent(() => undefined);
  const next = () => take('the engine is there', ({ start }) => start.entry !== 'service');
  return {
    kodi,
    service,
    serviceHost,
    next,
    idle: async () => {
      await kodi.until(
        'nothing plays',
        async () => (await kodi.player.position()) === undefined || undefined,
      );
      // The second one is up for a while after a stop that came before the first picture.
      for (const property of ['slipstream.starting', 'slipstream.failure-box']) {
        await kodi.until(
          `${property} is cleared`,
          async () => (await kodi.homeProperty(property)) === '' || undefined,
        );
      }
    },
    call: async (what, options = { resume: false }) => {
      if (what.startsWith('RunScript')) await kodi.builtin(what);
      else await kodi.rpc('Player.Open', { item: { file: `plugin://${ADDON_ID}${what}` }, options });
      return next();
    },
  };
}
