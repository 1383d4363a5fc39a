import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPreferenceLists } from '../../src/router/preference-lists.ts';
import { memoryLog } from '../support/log.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-lists-'));
  mkdirSync(join(folder, 'formats'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const format = (name: string, pattern = 'x265') =>
  JSON.stringify({
    name,
    score: 10,
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
    const folder = mkdtempSync(join(tmpdir(), 'slipstream-lists-'));
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
});
