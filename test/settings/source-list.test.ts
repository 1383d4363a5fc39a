import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readSourceList } from '../../src/settings/index.ts';
import { memoryLog } from '../support/log.ts';

const KEY = 'k3y-that-nobody-sees';
const GOOD = { kind: 'newznab', name: 'Another', url: 'https://another.example', apiKey: KEY, enabled: true };

async function read(text: string, mode = 0o600) {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-list-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'sources.json');
  await writeFile(path, text);
  await chmod(path, mode);
  const log = memoryLog();
  const list = await readSourceList(folder, log);
  return { ...list, mode: (await stat(path)).mode & 0o777, log: log.lines.join('\n') };
}

const entries = (...value: readonly unknown[]) => JSON.stringify({ version: 1, value });

describe('the list of sources', () => {
  test('is empty where there is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipstream-list-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    expect(await readSourceList(folder, memoryLog())).toEqual({ entries: [], problems: [] });
  });

  test('is read in its order; a key in the address and a source that is on need not be written', async () => {
    const { kind, name, url } = GOOD;
    const second = { kind: 'hydra', name: 'Second', url: 'http://h.example', apiKey: '', enabled: false };
    expect((await read(entries(GOOD, { kind, name, url }, second))).entries).toEqual([
      GOOD,
      { ...GOOD, apiKey: '' },
      second,
    ]);
  });

  test.each<[string, unknown]>([
    ['its "kind" is not one of "newznab", "hydra", "prowlarr" and "stremio"', { ...GOOD, kind: KEY }],
    ['its "kind" is missing', { ...GOOD, kind: undefined }],
    ['its "name" is not a text of 1 to 100 characters', { ...GOOD, name: '' }],
    ['its "url" is missing', { ...GOOD, url: undefined }],
    ['its "url" is not a text', { ...GOOD, url: 7 }],
    ['its "apiKey" is not a text', { ...GOOD, apiKey: KEY.repeat(200) }],
    ['its "enabled" is not true or false', { ...GOOD, enabled: 'yes' }],
    ['it is no { … } with "kind", "name", "url" and "apiKey"', KEY],
    ['it is no { … } with "kind", "name", "url" and "apiKey"', null],
  ])('leaves out an entry, as %s, and keeps the others', async (why, bad) => {
    const { entries: kept, problems } = await read(entries(GOOD, bad, { ...GOOD, name: 'Third' }));
    expect(kept.map(({ name }) => name)).toEqual(['Another', 'Third']);
    expect(problems).toEqual([`Entry 2 of sources.json is left out: ${why}.`]);
  });

  test.each([
    '{"version": 1, "value": [,]}',
    '[]',
    '{"version": 2, "value": []}',
    '{"version": 1, "value": {}}',
  ])('that is no such list, %s, says so', async (text) => {
    expect((await read(text)).problems).toEqual([
      'sources.json is no JSON of the form {"version": 1, "value": [ … ]}, so none of it counts.',
    ]);
  });

  test('ends after a hundred', async () => {
    const { entries: kept, problems } = await read(entries(...Array.from({ length: 102 }, () => GOOD)));
    expect(kept).toHaveLength(100);
    expect(problems).toEqual(['Only the first 100 entries of sources.json count.']);
  });

  test.skipIf(process.platform === 'win32')(
    'is kept from others, and the log says when it was not',
    async () => {
      const shared = await read(entries(GOOD), 0o644);
      expect(shared.mode).toBe(0o600);
      expect(shared.log).toContain('mode 600');
      expect(await read('no list, but keys', 0o640)).toMatchObject({ mode: 0o600 });
      // Whoever has made it stricter has meant it.
      expect(await read(entries(GOOD), 0o400)).toMatchObject({ mode: 0o400, log: '' });
    },
  );
});
