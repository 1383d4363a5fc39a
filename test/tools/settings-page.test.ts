import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES } from '../../src/settings/index.ts';
import { settingsPage } from '../../tools/generate/settings-page.ts';

test('docs/settings.md says what the table says (npm run format writes it)', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8');
  expect(page).toBe(settingsPage(PAGES));
});
