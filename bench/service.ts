import { poll } from '../src/io/wait.ts';
import type { Opening, Serving } from '../src/model/index.ts';
import type { PreparedStream } from '../src/stream-proxy.ts';
import { startEngine } from '../test/support/engine.ts';
import type { Resource } from './resources.ts';

/** The built engine as the service: the proxy as it ships. */
export interface Service extends Resource {
  readonly pid: number;
  /** What it has written to stderr. */
  readonly stderr: readonly string[];
  /** The URL that a player plays instead of the upstream's. */
  prepare(upstream: string, played?: PlayedBy): Promise<string>;
  /** GET /status. */
  status(): Promise<unknown>;
}

/** Who gave an upstream's address to be played, and how it serves. */
export interface PlayedBy {
  readonly opening: Opening;
  readonly serving: Serving;
}

/** Milliseconds. */
const LOOK_AGAIN = 20;
const PATIENCE = 10_000;

export interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The Node to run it on; this one when absent. */
  readonly node?: string;
  /** Whether the host asks each second whether it still lives, as Kodi's does. */
  readonly pinged?: boolean;
}

/** Milliseconds between the host's pings (docs/bridge.md). */
const PING = 1_000;

/** Starts the service of the engine that was built last. @throws Error when it ends before it listens. */
export async function startService({ pinged = false, ...options }: ServiceOptions = {}): Promise<Service> {
  const engine = startEngine({ command: 'service', start: { listen: { port: 0 } }, ...options });
  const { child, properties, stderr } = engine;
  const ping = () => {
    // Whoever does not answer is none of a figure's business.
    engine.request('ping', {}).catch(() => undefined);
  };
  const pings = pinged ? setInterval(ping, PING) : undefined;
  const stop = async () => {
    clearInterval(pings);
    child.kill('SIGKILL');
    await engine.ended;
  };
  const port = await poll(() => Promise.resolve(properties.get('svc.proxy_port')), {
    signal: new AbortController().signal,
    interval: () => LOOK_AGAIN,
    deadline: PATIENCE,
  });
  if (port === undefined) {
    await stop();
    throw new Error(`the service has not started: ${stderr.join('')}`);
  }
  return {
    pid: child.pid!,
    stderr,
    prepare: async (url, played) => {
      const body = JSON.stringify({ url, name: 'Big Buck Bunny.mkv', ...played });
      return ((await ask(properties, '/prepare', { method: 'POST', body })) as PreparedStream).url;
    },
    status: () => ask(properties, '/status'),
    stop,
  };
}

async function ask(
  properties: ReadonlyMap<string, string>,
  path: string,
  request: RequestInit = {},
): Promise<unknown> {
  const headers = { authorization: `Bearer ${properties.get('svc.proxy_token')!}` };
  const answer = await fetch(`http://127.0.0.1:${properties.get('svc.proxy_port')!}${path}`, {
    ...request,
    headers,
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}
