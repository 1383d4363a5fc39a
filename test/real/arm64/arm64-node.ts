import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Root, rootOrSkip } from '../../../tools/debian-root/index.ts';
import { cacheFolder } from '../../../tools/debian-root/paths.ts';
import { ensureOtherNode } from '../../../tools/test/other-node.ts';

/** The line of Node that the runtime add-on brings. */
const SHIPPED = 24;

/** Node for ARM64, and what runs it here. */
export interface Arm64 {
  readonly root: Root;
  readonly node: string;
}

/** The Node that ships, for ARM64, under an emulator of the Debian root; undefined, with a line that says why, without. */
export async function arm64OrSkip(): Promise<Arm64 | undefined> {
  const root = await rootOrSkip('the engine on ARM64');
  if (root === undefined) return undefined;
  const node = await ensureOtherNode(cacheFolder(), SHIPPED, 'linux-arm64');
  if ('skip' in node) throw new Error(node.skip);
  return { root, node: node.binary };
}

/** A program that is Node on ARM64, for whoever starts one by its path. Gone when the test ends. */
export async function arm64Node({ root, node }: Arm64): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-arm64-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { fs } = root.paths;
  const path = join(folder, 'node');
  await writeFile(
    path,
    `#!/bin/sh\nexec '${fs}/usr/bin/qemu-aarch64' -L '${fs}/usr/aarch64-linux-gnu' '${node}' "$@"\n`,
  );
  await chmod(path, 0o755);
  return path;
}
