import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Root } from '../../../tools/debian-root/index.ts';
import { freeTcpPort } from '../../kodi/harness/ports.ts';
import { type Service, serviceFolder, startService } from './service.ts';

export interface Samba extends Service {
  /** smb://127.0.0.1:PORT/films, without a slash at its end. */
  readonly url: string;
  /** What the share shows; what is put there later is shown as well. */
  readonly share: string;
}

/** A real Samba with one share that guests may read: the given folder, which "nobody" can read, or one of its own. */
export async function startSamba(root: Root, given?: string): Promise<Samba> {
  const folder = await serviceFolder('samba');
  const port = await freeTcpPort();
  const own = join(folder, 'films');
  for (const each of [own, join(folder, 'state')]) await mkdir(each);
  const share = given ?? own;
  const config = join(folder, 'smb.conf');
  await writeFile(config, configuration(join(folder, 'state'), share, port));
  const service = await startService(root, {
    name: 'Samba',
    folder,
    binds: [{ from: share }],
    user: 'nobody',
    command: ['smbd', '--foreground', '--no-process-group', '--debug-stdout', `--configfile=${config}`],
    isReady: () => accepts(port),
  });
  return { ...service, url: `smb://127.0.0.1:${port}/films`, share };
}

function configuration(state: string, share: string, port: number): string {
  const places = ['lock directory', 'state directory', 'cache directory', 'pid directory', 'private dir'];
  return `[global]
interfaces = 127.0.0.1
bind interfaces only = yes
smb ports = ${port}
server role = standalone server
map to guest = Bad User
guest account = nobody
disable spoolss = yes
load printers = no
ncalrpc dir = ${state}/ncalrpc
${places.map((place) => `${place} = ${state}\n`).join('')}
[films]
path = ${share}
guest ok = yes
guest only = yes
read only = yes
`;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}
