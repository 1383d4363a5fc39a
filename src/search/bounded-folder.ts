import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listDocuments } from '../io/store.ts';

export interface Bounds {
  readonly files: number;
  readonly bytes: number;
  /** Milliseconds since a file was last written. */
  readonly age: number;
}

/** Removes documents until the folder is within its bounds, the oldest first. It is nobody's failure when that fails. */
export async function prune(folder: string, bounds: Bounds): Promise<void> {
  const files = await Promise.all(
    (await listDocuments(folder)).map(async (name) => {
      const path = join(folder, `${name}.json`);
      const stats = await stat(path).catch(() => undefined);
      return { path, bytes: stats?.size ?? 0, written: stats?.mtimeMs ?? 0 };
    }),
  );
  let bytes = 0;
  const newestFirst = files.sort((a, b) => b.written - a.written);
  for (const [index, file] of newestFirst.entries()) {
    bytes += file.bytes;
    if (index < bounds.files && bytes <= bounds.bytes && Date.now() - file.written <= bounds.age) continue;
    await rm(file.path, { force: true }).catch(() => undefined);
  }
}
