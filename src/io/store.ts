import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SlipstreamError } from '../errors/index.ts';

/**
 * What is kept on disk: one JSON document per file, written whole and renamed into place, with a version, readable by
 * the owner only. One writer per file: processes that work side by side each keep a file of their own.
 */
export interface StoredDocument<T> {
  read(): Promise<T | undefined>;
  /** @throws STORE_FAILED; what was there before is then still there. */
  write(value: T): Promise<void>;
  /** Absent is fine; a newer version's document that is to be kept stays. @throws STORE_FAILED */
  remove(): Promise<void>;
}

/** Anything larger was not written by us. */
const MAX_BYTES = 8 * 1024 * 1024;
const NAME = /^[\w-]{1,100}$/;
/** How a file is called until it is whole: by its name and a UUID. */
const TEMPORARY = /^[\w-]{1,100}\.(?:json|txt)\.[\da-f-]{36}\.tmp$/;
/** Milliseconds after which nobody is writing a file any more. */
const STALE_MS = 10 * 60_000;

/** Turns the value of one version into that of the next. What it gives for nonsense, `parse` refuses. */
type Migration = (value: unknown) => unknown;

interface DocumentOptions<T> {
  /** Raised whenever the shape changes. */
  readonly version: number;
  /** Checks the shape; throws when it does not fit. */
  readonly parse: (value: unknown) => T;
  /** How documents of older versions are read, by their version; those of any other count as absent. */
  readonly migrations?: Readonly<Record<number, Migration>>;
  /**
   * What happens to a document of a newer version, which is there when the person has gone back to an older add-on.
   * It counts as absent in any case. `replace`: it is written over, as what can be had again should be. `keep`: it is
   * neither written over nor removed, for it is all that the person has of it when the newer add-on is back.
   */
  readonly newer?: 'replace' | 'keep';
}

/** Opens the document `name` in `folder`. A damaged or foreign file reads as absent: nothing of ours may stop a play. */
export function openDocument<T>(
  folder: string,
  name: string,
  { version, parse, migrations: lifts = {}, newer = 'replace' }: DocumentOptions<T>,
): StoredDocument<T> {
  if (!NAME.test(name)) throw new TypeError(`not a document name: ${name}`);
  const path = join(folder, `${name}.json`);
  const isKept = async () => newer === 'keep' && ((await versionOf(path)) ?? 0) > version;
  return {
    read: async () => {
      try {
        const file = await stat(path);
        // A pipe or a device would be waited for, or never end.
        if (!file.isFile() || file.size > MAX_BYTES) return undefined;
        const envelope = JSON.parse(await readFile(path, 'utf8')) as { version?: unknown; value?: unknown };
        return parse(migrated(envelope, version, lifts));
      } catch {
        return undefined;
      }
    },
    write: async (value) => {
      if (await isKept()) throw newerVersion(folder);
      await replaceFile(folder, path, jsonOf(folder, { version, value }));
      await sweepTemporaries(folder);
    },
    remove: async () => {
      if (await isKept()) return;
      await rm(path, { force: true }).catch((cause: unknown) => {
        throw storeFailed(folder, cause);
      });
    },
  };
}

/** Writes a text for people to read, as a document is written. @returns its path @throws STORE_FAILED */
export async function writeTextFile(folder: string, name: string, text: string): Promise<string> {
  if (!NAME.test(name)) throw new TypeError(`not a file name: ${name}`);
  const path = join(folder, `${name}.txt`);
  await replaceFile(folder, path, text);
  return path;
}

/**
 * Writes a file of that folder whole or not at all. A link that lies at its path is replaced, not followed.
 * @throws STORE_FAILED
 */
export async function replaceFile(folder: string, path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(temporary, content, { mode: 0o600, flush: true });
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw storeFailed(folder, cause);
  }
}

/** Gives what lies in that folder another path there, whatever it is; a link stays a link. @throws STORE_FAILED */
export async function moveAside(folder: string, path: string, to: string): Promise<void> {
  await rename(path, to).catch((cause: unknown) => {
    throw storeFailed(folder, cause);
  });
}

/** Removes a folder of ours with all that is in it. It is nobody's failure when that cannot be done. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

/** @throws STORE_FAILED for what JSON cannot hold */
function jsonOf(folder: string, document: unknown): string {
  try {
    return JSON.stringify(document);
  } catch (cause) {
    throw storeFailed(folder, cause);
  }
}

/** The value as the version `to` knows it. @throws TypeError when there is no way to it */
function migrated(
  { version, value }: { version?: unknown; value?: unknown },
  to: number,
  lifts: Record<number, Migration>,
) {
  if (!Number.isSafeInteger(version)) throw new TypeError('no version');
  let [at, lifting] = [version as number, value];
  while (at !== to) {
    const lift = at < to ? lifts[at] : undefined;
    if (lift === undefined) throw new TypeError(`no way from version ${at} to ${to}`);
    lifting = lift(lifting);
    at++;
  }
  return lifting;
}

/** Bytes. The version stands first in all that `write` has written. */
const VERSION_HEAD_BYTES = 64;
const VERSION = /^\{"version":(\d{1,9}),/;

/** The version of what `write` has written there; undefined for anything else. Reads no more than it must. */
async function versionOf(path: string): Promise<number | undefined> {
  try {
    if (!(await stat(path)).isFile()) return undefined;
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(VERSION_HEAD_BYTES),
        0,
        VERSION_HEAD_BYTES,
        0,
      );
      const version = VERSION.exec(buffer.toString('latin1', 0, bytesRead))?.[1];
      return version === undefined ? undefined : Number(version);
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
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

export interface FolderBounds {
  readonly files: number;
  readonly bytes?: number;
  /** Milliseconds since a file was last written. */
  readonly age?: number;
}

/**
 * Removes documents until the folder is within its bounds, those that were written longest ago first. It is nobody's
 * failure when that cannot be done.
 */
export async function pruneDocuments(
  folder: string,
  { files: mostFiles, bytes: mostBytes = Infinity, age: mostAge = Infinity }: FolderBounds,
): Promise<void> {
  const files = await Promise.all(
    (await listDocuments(folder)).map(async (name) => {
      const path = join(folder, `${name}.json`);
      const stats = await stat(path).catch(() => undefined);
      return { path, bytes: stats?.size ?? 0, written: stats?.mtimeMs ?? 0 };
    }),
  );
  let bytes = 0;
  for (const [index, file] of files.sort((a, b) => b.written - a.written).entries()) {
    bytes += file.bytes;
    if (index < mostFiles && bytes <= mostBytes && Date.now() - file.written <= mostAge) continue;
    await rm(file.path, { force: true }).catch(() => undefined);
  }
}

function newerVersion(folder: string): SlipstreamError {
  return new SlipstreamError(
    'STORE_FAILED',
    {
      what: 'A newer version of Slipstream has kept something that this version does not know, and so leaves alone.',
      next: 'Install the newer version again, or remove what it has kept from the data folder.',
    },
    { detail: folder },
  );
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
