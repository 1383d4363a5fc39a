import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPreferenceLists } from '../../src/release/stored-lists.ts';
import { memoryLog } from '../support/log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'formats'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const format = (name: string, pattern = 'x265', score = 10) =>
  JSON.stringify({
    name,
    score,
    specifications: [
      {
        name: 'words',
        implementation: 'ReleaseTitleSpecification',
        negate: false,
        required: true,
        fields: [{ name: 'value', value: pattern }],
      },
    ],
  });

describe("the person's lists", () => {
  test('are empty where nothing was ever kept', async () => {
    const folder = temporaryFolder();
    expect(await readPreferenceLists(folder, memoryLog())).toEqual({ criteria: [], formats: [], tiers: [] });
  });

  test('hold the custom formats of the folder for them, each name once, beside what is kept', async () => {
    const folder = folderWith({
      'preferences.json': JSON.stringify({ version: 1, value: { criteria: ['size', 'resolution'] } }),
      'formats/a.json': format('Small'),
      'formats/b.json': `[${format('Small')}, ${format('Large', 'remux')}]`,
      'formats/notes.txt': 'no format',
    });
    const { criteria, formats } = await readPreferenceLists(folder, memoryLog());
    expect(criteria).toEqual(['size', 'resolution']);
    expect(formats.map(({ name }) => name)).toEqual(['Small', 'Large']);
  });

  test('leave out what cannot be used, and say so', async () => {
    const folder = folderWith({
      'formats/bad.json': format('Endless', '(a+)+$'),
      'formats/broken.json': '{',
      'formats/good.json': format('Good'),
    });
    const log = memoryLog();
    const { formats } = await readPreferenceLists(folder, log);
    expect(formats.map(({ name }) => name)).toEqual(['Good']);
    expect(log.lines.join('\n')).toMatch(/"Endless" is left out/);
    expect(log.lines.join('\n')).toMatch(/broken\.json holds no custom formats/);
  });

  test('keep what is good of a document with a mistake in it, and say what is not', async () => {
    const folder = folderWith({
      'preferences.json': JSON.stringify({
        version: 1,
        value: { criteria: ['size'], tiers: [['INV']], formats: [{ name: 'x' }] },
      }),
    });
    const log = memoryLog();
    const lists = await readPreferenceLists(folder, log);
    expect(lists).toEqual({ criteria: ['size'], tiers: [['INV']], formats: [] });
    expect(log.lines.join('\n')).toMatch(/warning: .*preferences\.json: entry 1 of formats is left out/i);
  });

  test.each(['{"version": 1, "value": {', '{"criteria": []}'])(
    'say that %s is no document of theirs',
    async (text) => {
      const log = memoryLog();
      const lists = await readPreferenceLists(folderWith({ 'preferences.json': text }), log);
      expect(lists.criteria).toEqual([]);
      expect(log.lines.join('\n')).toMatch(/preferences\.json: it is no JSON of the form/);
    },
  );

  test('hold formats of files as other systems write and name them', async () => {
    const folder = folderWith({ 'formats/A.JSON': `\ufeff${format('Marked')}` });
    const log = memoryLog();
    expect((await readPreferenceLists(folder, log)).formats.map(({ name }) => name)).toEqual(['Marked']);
    expect(log.lines).toEqual([]);
  });

  test('say of a format without points that it counts nothing', async () => {
    const folder = folderWith({ 'formats/a.json': `[${format('Idle', 'x', 0)}, ${format('Counted')}]` });
    const log = memoryLog();
    await readPreferenceLists(folder, log);
    expect(log.lines).toHaveLength(1);
    expect(log.lines[0]).toMatch(/"Idle" counts nothing/);
  });
});
