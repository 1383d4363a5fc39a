import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installNpmPackage } from '../lib/npm-package.ts';
import { sha256 } from './files.ts';
import type { NodeBinary } from './platforms.ts';

/** Gives a file of an npm package of that name and version. */
export type ReadPackage = (name: string, version: string, path: string) => Promise<Uint8Array>;

export interface Node {
  readonly program: Uint8Array;
  readonly licences: Uint8Array;
}

/** The program that `pinned` names, and the licences that must travel with it. @throws Error when it is another one. */
export async function nodeBinary(pinned: NodeBinary, read: ReadPackage): Promise<Node> {
  const program = await read(pinned.package, pinned.node, pinned.file);
  const found = sha256(program);
  if (found !== pinned.sha256 || program.length !== pinned.size) {
    throw new Error(
      `${pinned.package}@${pinned.node} is not the one that was checked: ${pinned.file} has ${program.length} bytes and SHA-256 ${found}, node-binaries.json says ${pinned.size} and ${pinned.sha256}`,
    );
  }
  return { program, licences: await read(pinned.licences ?? pinned.package, pinned.node, 'LICENSE') };
}

/** Reads from npm's registry, each package once: it stays in `cache`. */
export function npmReader(cache: string): ReadPackage {
  return async (name, version, path) => {
    const home = join(cache, 'npm', `${name}-${version}`);
    const file = join(home, 'node_modules', name, path);
    if (!existsSync(file)) {
      console.warn(`Fetching ${name} ${version} into ${home} (once) ...`);
      const fault = await installNpmPackage(`${name}@${version}`, home, { foreign: true });
      if (fault !== undefined) throw new Error(`${name}@${version} could not be fetched: ${fault}`);
      if (!existsSync(file)) throw new Error(`${name}@${version} holds no ${path}`);
    }
    return readFile(file);
  };
}
