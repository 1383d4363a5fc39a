import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Root } from '../../../tools/debian-root/index.ts';
import { freeTcpPort } from '../../kodi/harness/ports.ts';
import { type Service, serviceFolder, startService } from './service.ts';

export interface Samba extends Service {
  /** smb://127.0.0.1:PORT/share, without a slash at its end. */
  readonly url: string;
  /** What the share holds; what is put there later is shown as well. */
  readonly folder: string;
}

/** A real Samba with one share that guests may read. */
export async function startSamba(root: Root): Promise<Samba> {
  const folder = await serviceFolder('samba');
  const port = await freeTcpPort();
  const share = join(folder, 'share');
  for (const each of ['share', 'state']) await mkdir(join(folder, each));
  const config = join(folder, 'smb.conf');
  await writeFile(config, configuration(folder, port));
  const service = await startService(root, {
    name: 'Samba',
    folder,
    user: 'nobody',
    command: ['smbd', '--foreground', '--no-process-group', '--debug-stdout', `--configfile=${config}`],
    isReady: () => accepts(port),
  });
  return { ...service, url: `smb://127.0.0.1:${port}/share`, folder: share };
}

function configuration(folder: string, port: number): string {
  const state = ['lock', 'state', 'cache', 'private', 'pid'].map(
    (each) => `${each} ${each === 'private' ? 'dir' : 'directory'} = ${folder}/state\n`,
  );
  return `[global]
interfaces = 127.0.0.1
bind interfaces only = yes
smb ports = ${port}
server role = standalone server
map to guest = Bad User
guest account = nobody
disable spoolss = yes
load printers = no
ncalrpc dir = ${folder}/state/ncalrpc
log level = 1
${state.join('')}
[share]
path = ${folder}/share
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
