// What posters put around a film: recovery files and archives, made by the real programs.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Root, runInRoot } from '../../../tools/debian-root/index.ts';
import type { PostedFile } from './poster.ts';

export interface Par2Options {
  /** Bytes; a multiple of 4. */
  readonly blockSize: number;
  /** Recovery blocks: so many lost or damaged ones can be made again. */
  readonly blocks: number;
}

/** The recovery files of these files, `name`.par2 first. */
export function par2Of(
  root: Root,
  name: string,
  files: readonly PostedFile[],
  { blockSize, blocks }: Par2Options,
): Promise<PostedFile[]> {
  const amount = [`-s${blockSize}`, `-c${blocks}`, '-n1'];
  const names = files.map((file) => file.name);
  return made(root, files, ['par2', 'create', '-qq', ...amount, `${name}.par2`, ...names]);
}

/** The files in a 7z archive without compression, in volumes of so many bytes; encrypted where there is a password. */
export function sevenZipOf(
  root: Root,
  name: string,
  files: readonly PostedFile[],
  volumeSize: number,
  password?: string,
): Promise<PostedFile[]> {
  const names = files.map((file) => file.name);
  const encrypted = password === undefined ? [] : [`-p${password}`];
  return made(root, files, [
    '7z',
    'a',
    '-mx0',
    '-bd',
    ...encrypted,
    `-v${volumeSize}b`,
    `${name}.7z`,
    ...names,
  ]);
}

/** Runs a command in a folder that holds the files, and gives what it has added. */
async function made(
  root: Root,
  files: readonly PostedFile[],
  command: readonly string[],
): Promise<PostedFile[]> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-post-'));
  try {
    for (const { name, bytes } of files) await writeFile(join(folder, name), bytes);
    await runInRoot(root, command, { binds: [{ from: folder }], cwd: folder });
    const given = new Set(files.map(({ name }) => name));
    const names = (await readdir(folder)).filter((name) => !given.has(name)).sort();
    return await Promise.all(
      names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
