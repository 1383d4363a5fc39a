import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SlipstreamError } from '../errors/index.ts';

/**
 * What is kept on disk: one JSON document per file, written whole and renamed into place, with a version, readable by
 * the owner only. One writer per file: processes that work side by side each keep a file of their own.
 */
export interface Document<T> {
  read(): Promise<T | undefined>;
  /** @throws STORE_FAILED; what was there before is then still there. */
  write(value: T): Promise<void>;
  /** Absent is fine. @throws STORE_FAILED */
  remove(): Promise<void>;
}

/** Anything larger was not written by us. */
const MAX_BYTES = 8 * 1024 * 1024;
const NAME = /^[\w-]{1,100}$/;
/** What `write` calls a file until it is whole: the document's name and a UUID. */
const TEMPORARY = /^[\w-]{1,100}\.json\.[\da-f-]{36}\.tmp$/;
/** Milliseconds after which nobody is writing a file any more. */
const STALE_MS = 10 * 60_000;

interface DocumentOptions<T> {
  /** Raised whenever the shape changes; a document of another version counts as absent. */
  readonly version: number;
  /** Checks the shape; throws when it does not fit. */
  readonly parse: (value: unknown) => T;
}

/** Opens the document `name` in `folder`. A damaged or foreign file reads as absent: nothing of ours may stop a play. */
export function openDocument<T>(
  folder: string,
  name: string,
  { version, parse }: DocumentOptions<T>,
): Document<T> {
  if (!NAME.test(name)) throw new TypeError(`not a document name: ${name}`);
  const path = join(folder, `${name}.json`);
  return {
    read: async () => {
      try {
        const file = await stat(path);
        // A pipe or a device would be waited for, or never end.
        if (!file.isFile() || file.size > MAX_BYTES) return undefined;
        const envelope = JSON.parse(await readFile(path, 'utf8')) as { version?: unknown; value?: unknown };
        return envelope.version === version ? parse(envelope.value) : undefined;
      } catch {
        return undefined;
      }
    },
    write: async (value) => {
      const temporary = `${path}.${randomUUID()}.tmp`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(temporary, JSON.stringify({ version, value }), { mode: 0o600, flush: true });
        await rename(temporary, path);
      } catch (cause) {
        await rm(temporary, { force: true }).catch(() => undefined);
        throw storeFailed(folder, cause);
      }
      await sweepTemporaries(folder);
    },
    remove: () =>
      rm(path, { force: true }).catch((cause: unknown) => {
        throw storeFailed(folder, cause);
      }),
  };
}

/** Removes what killed writers left behind. It is nobody's failure when that cannot be done. */
async function sweepTemporaries(folder: string): Promise<void> {
  const files = await readdir(folder).catch(() => []);
  for (const file of files.filter((name) => TEMPORARY.test(name))) {
    const path = join(folder, file);
    const written = await stat(path).catch(() => undefined);
    if (written === undefined || Date.now() - written.mtimeMs < STALE_MS) continue;
    await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Names of the documents in `folder`; none when there is no such folder. */
export async function listDocuments(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .filter((name) => NAME.test(name));
}

function storeFailed(folder: string, cause: unknown): SlipstreamError {
  return new SlipstreamError(
    'STORE_FAILED',
    {
      what: 'Slipstream cannot write to its data folder.',
      next: 'Check the free space and the rights of that folder.',
    },
    { cause, detail: folder },
  );
}
