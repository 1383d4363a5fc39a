import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Root } from '../../../tools/debian-root/index.ts';
import { freeTcpPort } from '../../kodi/harness/ports.ts';
import { type Service, serviceFolder, startService } from '../services/service.ts';

const USERNAME = 'nzbget';
const PASSWORD = 'canary:nzbget "password"/5d11c9';

export interface Nzbget extends Service {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Where finished downloads lie, in a folder for each category; the same path for NZBGet and for us. */
  readonly downloads: string;
  /** Calls a method of its JSON-RPC. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
}

/** A real NZBGet that fetches from the news server on that port. */
export async function startNzbget(root: Root, newsPort: number): Promise<Nzbget> {
  const folder = await serviceFolder('nzbget');
  const port = await freeTcpPort();
  const url = `http://127.0.0.1:${port}`;
  const downloads = join(folder, 'dst');
  await mkdir(downloads);
  await writeFile(join(folder, 'nzbget.conf'), configuration(folder, port, newsPort));
  const call = (method: string, ...params: readonly unknown[]) => jsonRpc(url, method, params);
  const service = await startService(root, {
    name: 'NZBGet',
    folder,
    user: 'nobody',
    command: ['nzbget', '-c', join(folder, 'nzbget.conf'), '-s', '-o', 'OutputMode=log'],
    isReady: async () => typeof (await call('version')) === 'string',
  });
  return { ...service, url, username: USERNAME, password: PASSWORD, downloads, call };
}

/** What is not named is as NZBGet comes. */
function configuration(folder: string, port: number, newsPort: number): string {
  return `MainDir=${folder}/main
DestDir=${folder}/dst
QueueDir=${folder}/main/queue
TempDir=${folder}/main/tmp
NzbDir=${folder}/main/nzb
ScriptDir=${folder}/main/scripts
LockFile=${folder}/nzbget.lock
LogFile=${folder}/nzbget.log
WebDir=
DiskSpace=0
SevenZipCmd=/usr/bin/7z
Server1.Active=yes
Server1.Host=127.0.0.1
Server1.Port=${newsPort}
Server1.Connections=4
ControlIP=127.0.0.1
ControlPort=${port}
ControlUsername=${USERNAME}
ControlPassword=${PASSWORD}
Category1.Name=Movies
Category2.Name=Series
`;
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
