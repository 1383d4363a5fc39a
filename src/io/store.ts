import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SlipstreamError } from '../errors/index.ts';

/**
 * What is kept on disk: one JSON document per file, written whole and renamed into place, with a version, readable by
 * the owner only. One writer per file: processes that work side by side each keep a file of their own.
 */
export interface Document<T> {
  read(): Promise<T | undefined>;
  write(value: T): Promise<void>;
  remove(): Promise<void>;
}

/** Anything larger was not written by us. */
const MAX_BYTES = 8 * 1024 * 1024;
const NAME = /^[\w-]{1,100}$/;

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
        const bytes = await readFile(path);
        if (bytes.byteLength > MAX_BYTES) return undefined;
        const envelope = JSON.parse(bytes.toString('utf8')) as { version?: unknown; value?: unknown };
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
        await rm(temporary, { force: true });
        throw storeFailed(folder, cause);
      }
    },
    remove: () => rm(path, { force: true }),
  };
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
