import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

export interface PackedFile {
  readonly content: Uint8Array;
  /** Whether it is a program. Kodi drops the bit when it installs; whoever unpacks by hand gets it. */
  readonly executable?: boolean;
}

/** An add-on's files by their path inside its folder, with "/" on every platform. */
export type Files = ReadonlyMap<string, PackedFile>;

/** One zip that Kodi installs. */
export interface AddonPackage {
  readonly id: string;
  readonly version: string;
  /** Where it lies among the others, with "/": its id, and the platform when there is one zip for each. */
  readonly folder: string;
  readonly files: Files;
}

export const zipName = ({ id, version }: AddonPackage): string => `${id}-${version}.zip`;

/** Everything in `folder`. */
export async function readFiles(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const pairs = paths.map(
    async (path): Promise<[string, PackedFile]> => [
      relative(folder, path).replaceAll(sep, '/'),
      { content: await readFile(path) },
    ],
  );
  return new Map(await Promise.all(pairs));
}

export const text = (content: string): PackedFile => ({ content: new TextEncoder().encode(content) });

export const sha256 = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('hex');
