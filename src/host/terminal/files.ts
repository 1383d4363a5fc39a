import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostFiles } from '../port.ts';

/** The file system of this machine; a shell opens no smb:// and no nfs://. */
export const localFiles: HostFiles = {
  list: async (folder, signal) => {
    signal.throwIfAborted();
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) return undefined;
    return await Promise.all(
      entries.map(async (entry) => {
        // What a link leads to counts; one that leads nowhere is a file of unknown size.
        const found = await stat(join(folder, entry.name)).catch(() => undefined);
        const isFolder = found?.isDirectory() ?? false;
        const { name } = entry;
        return isFolder || found === undefined ? { name, isFolder } : { name, isFolder, size: found.size };
      }),
    );
  },
  read: async (path, { from, length }, signal) => {
    signal.throwIfAborted();
    const file = await open(path).catch(() => undefined);
    if (file === undefined) return undefined;
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  },
};
