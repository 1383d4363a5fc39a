import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Root } from '../../../tools/debian-root/index.ts';
import { freeTcpPort } from '../../kodi/harness/ports.ts';
import { type Service, serviceFolder, startService } from '../services/service.ts';

const USERNAME = 'nzbget';
const PASSWORD = 'canary:nzbget "password"/5d11c9';
const ADD_ONLY = { username: 'adder', password: 'canary-adder-1f80b2' };

export interface Nzbget extends Service {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Of an account that may add downloads, and nothing else. */
  readonly addOnly: { readonly username: string; readonly password: string };
  /** Everything that it writes; the same path for it and for us. */
  readonly folder: string;
  /** Where finished downloads lie, in a folder for each category. */
  readonly downloads: string;
  /** Calls a method of its JSON-RPC. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
}

/** A real NZBGet, set up as it comes, that fetches from the news server on that port. */
export async function startNzbget(root: Root, newsPort: number): Promise<Nzbget> {
  const folder = await serviceFolder('nzbget');
  // Below its home. NZBGet would make it with the first download only.
  const downloads = join(folder, 'downloads/dst');
  await mkdir(downloads, { recursive: true });
  const port = await freeTcpPort();
  const url = `http://127.0.0.1:${port}`;
  const call = (method: string, ...params: readonly unknown[]) => jsonRpc(url, method, params);
  const options = Object.entries({
    OutputMode: 'log',
    ControlIP: '127.0.0.1',
    ControlPort: port,
    ControlUsername: USERNAME,
    ControlPassword: PASSWORD,
    AddUsername: ADD_ONLY.username,
    AddPassword: ADD_ONLY.password,
    'Server1.Host': '127.0.0.1',
    'Server1.Port': newsPort,
    'Server1.Username': '',
    'Server1.Password': '',
    // It would say nothing about the machine of a test.
    DiskSpace: 0,
    UpdateCheck: 'none',
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const service = await startService(root, {
    name: 'NZBGet',
    folder,
    user: 'nobody',
    command: ['nzbget', '-c', '/usr/share/nzbget/nzbget.conf', ...options, '-s'],
    isReady: async () => typeof (await call('version')) === 'string',
  });
  const accounts = { username: USERNAME, password: PASSWORD, addOnly: ADD_ONLY };
  return { ...service, url, ...accounts, folder, downloads, call };
}

async function jsonRpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const login = Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64');
  const response = await fetch(`${url}/jsonrpc`, {
    method: 'POST',
    headers: { authorization: `Basic ${login}` },
    body: JSON.stringify({ method, params, id: 1 }),
  });
  const answer = (await response.json()) as { result?: unknown; error?: unknown };
  if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
  return answer.result;
}
