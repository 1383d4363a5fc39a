import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SlipstreamError } from '../../errors/index.ts';
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
    // A folder opens as well, but not as a file.
    const isFile = await stat(path).then(
      (found) => found.isFile(),
      () => false,
    );
    const file = isFile ? await open(path).catch(() => undefined) : undefined;
    if (file === undefined) return undefined;
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    } catch (cause) {
      throw new SlipstreamError(
        'HOST_FAILED',
        { what: 'A file cannot be read.', next: 'Check the disk that it is on.' },
        { detail: path, cause },
      );
    } finally {
      await file.close();
    }
  },
};
