import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Kodi } from './harness/index.ts';

const LISTENS = '0A';

/**
 * The TCP addresses, as the kernel writes them, that Kodi and all that it started listen on; one that is open twice
 * counts twice.
 */
export const listening = (kodi: Kodi): string[] =>
  kodi
    .processes()
    .flatMap(({ pid }) => listeningOf(pid))
    .sort();

function listeningOf(pid: number): string[] {
  try {
    const own = socketsOf(pid);
    const lines = ['tcp', 'tcp6'].flatMap((table) =>
      readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1),
    );
    return lines.flatMap((line) => {
      const [, address = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      return state === LISTENS && own.has(inode) ? [address] : [];
    });
  } catch {
    // It has ended meanwhile, and listens on nothing.
    return [];
  }
}

/** The numbers of the sockets that a process holds. */
function socketsOf(pid: number): Set<string> {
  const inodes = new Set<string>();
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${name}`))?.[1];
    if (inode !== undefined) inodes.add(inode);
  }
  return inodes;
}

/** A file of a process that lives may be closed while it is looked at. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
