import { randomInt } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poll } from '../src/io/wait.ts';
import { ensureRoot, exitStatus, killInside, spawnInRoot } from '../tools/debian-root/index.ts';
import type { Resource } from './resources.ts';

/** nginx as a proxy of one upstream. */
export interface Nginx extends Resource {
  readonly port: number;
}

const CONFIGURATION = '/tmp/slipstream-nginx.conf';
/** Milliseconds. */
const LOOK_AGAIN = 20;
const PATIENCE = 10_000;

/** Starts the Debian root's nginx before an upstream on loopback. @throws Error when there is no root, or it ends. */
export async function startNginx(upstreamPort: number): Promise<Nginx> {
  const root = await ensureRoot();
  if ('skip' in root) throw new Error(root.skip);
  // It cannot tell which port it was given, so it must be told one: from below those that the system gives away.
  const port = randomInt(20_000, 30_000);
  const file = join(await mkdtemp(join(tmpdir(), 'slipstream-nginx-')), 'nginx.conf');
  await writeFile(file, configuration(port, upstreamPort));
  const child = spawnInRoot(root, ['nginx', '-c', CONFIGURATION], {
    binds: [{ from: file, to: CONFIGURATION, readOnly: true }],
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const ended = exitStatus(child);
  const stop = async () => {
    killInside(child);
    await ended;
  };
  const answers = await poll(() => answer(port), {
    signal: new AbortController().signal,
    interval: () => LOOK_AGAIN,
    deadline: PATIENCE,
  });
  if (answers !== undefined) return { port, stop };
  await stop();
  throw new Error(`nginx has not started: ${said.join('')}`);
}

/** One worker, large buffers, nothing on disk; it writes to /tmp alone. */
const configuration = (port: number, upstreamPort: number) => `
daemon off;
user root;
worker_processes 1;
pid /tmp/nginx.pid;
error_log stderr error;
events { worker_connections 64; }
http {
  access_log off;
  client_body_temp_path /tmp/body;
  proxy_temp_path /tmp/proxy;
  fastcgi_temp_path /tmp/fastcgi;
  uwsgi_temp_path /tmp/uwsgi;
  scgi_temp_path /tmp/scgi;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${upstreamPort};
      proxy_http_version 1.1;
      proxy_max_temp_file_size 0;
      proxy_buffer_size 256k;
      proxy_buffers 32 256k;
    }
  }
}
`;

async function answer(port: number): Promise<true | undefined> {
  const first = await fetch(`http://127.0.0.1:${port}/`, { headers: { range: 'bytes=0-0' } }).catch(
    () => undefined,
  );
  await first?.arrayBuffer();
  return first?.status === 206 || undefined;
}
