import { mkdir, mkdtemp, open, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { kodiHost, kodiServiceHost } from '../../src/host/kodi/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { memoryLog } from '../support/log.ts';
import { kodiWithEngineHere } from './engine-here.ts';

const root = await rootOrSkip("files through a real Kodi 21's file layer");

const SIZE = 5_000_000_000;
/** Beyond what 32 bits can hold. */
const FAR = 2 ** 32 + 5;
/** What other rules would read as a query, a fragment or an escape. */
const ODD = 'Caminandes #2 100%41 ¿dónde?.mkv';

/** A folder with a sparse film, an oddly named file, one that nobody can look at and an empty folder. */
async function films(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-films-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'Subs'));
  const film = await open(join(folder, 'Sintel.mkv'), 'w');
  await film.truncate(SIZE);
  await film.write('far', FAR);
  await film.close();
  const odd = await open(join(folder, ODD), 'w');
  await odd.write('0123456789');
  await odd.close();
  await symlink(join(folder, 'absent'), join(folder, 'lost.mkv'));
  return folder;
}

describe.skipIf(!root)('files through Kodi', () => {
  test('are listed and read, in the plugin process and in the service', async () => {
    const folder = await films();
    const { kodi, service, call } = await kodiWithEngineHere(root!, { binds: [{ from: folder }] });
    const plugin = await call('/play');
    const { signal } = new AbortController();
    for (const { files } of [
      kodiHost(plugin.peer, plugin.start, memoryLog()),
      kodiServiceHost(service.peer, service.start, memoryLog()),
    ]) {
      const entries = await files.list(folder, signal);
      expect([...entries!].sort((a, b) => a.name.localeCompare(b.name))).toEqual([
        { name: ODD, isFolder: false, size: 10 },
        { name: 'lost.mkv', isFolder: false },
        { name: 'Sintel.mkv', isFolder: false, size: SIZE },
        { name: 'Subs', isFolder: true },
      ]);
      expect(await files.list(join(folder, 'Subs'), signal)).toEqual([]);
      expect(await files.list(join(folder, 'absent'), signal)).toBeUndefined();
      const read = async (name: string, from: number, length: number) => {
        const bytes = await files.read(join(folder, name), { from, length }, signal);
        return bytes && Buffer.from(bytes).toString('latin1');
      };
      expect(await read('Sintel.mkv', FAR - 1, 5)).toBe('\0far\0');
      expect(await read('Sintel.mkv', SIZE - 2, 100)).toBe('\0\0');
      expect(await read(ODD, 2, 100)).toBe('23456789');
      expect(await read('Sintel.mkv', SIZE + 1, 4)).toBe('');
      expect(await read('absent.mkv', 0, 4)).toBeUndefined();
      expect(await read('Subs', 0, 4)).toBeUndefined();
    }
    plugin.end();
    await kodi.until(
      'the call is over',
      async () => (await kodi.homeProperty('slipstream.starting')) === '' || undefined,
    );
  });
});
