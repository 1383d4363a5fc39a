import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localFiles } from '../../../src/host/terminal/files.ts';

let folder: string;
const live = () => new AbortController().signal;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipstream-files-'));
});

afterEach(() => rm(folder, { recursive: true }));

// What every host promises of files is in the contract (test/contracts/host.ts).
describe("this machine's files", () => {
  test('what a link leads to counts, and one that leads nowhere is a file of unknown size', async () => {
    await mkdir(join(folder, 'Sintel'));
    await writeFile(join(folder, 'Sintel.mkv'), '1234');
    await symlink('Sintel', join(folder, 'a'));
    await symlink('Sintel.mkv', join(folder, 'b'));
    await symlink('gone', join(folder, 'c'));
    const found = await localFiles.list(folder, live());
    expect(
      found?.filter(({ name }) => name.length === 1).sort((a, b) => a.name.localeCompare(b.name)),
    ).toEqual([
      { name: 'a', isFolder: true },
      { name: 'b', isFolder: false, size: 4 },
      { name: 'c', isFolder: false },
    ]);
  });

  test('a folder is not read, and a file is not listed', async () => {
    await writeFile(join(folder, 'Sintel.mkv'), '1234');
    expect(await localFiles.read(folder, { from: 0, length: 4 }, live())).toBeUndefined();
    expect(await localFiles.list(join(folder, 'Sintel.mkv'), live())).toBeUndefined();
  });
});
