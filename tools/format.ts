// npm run format: lays out every file the way npm run check wants it, and writes the generated pages anew.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES } from '../src/settings/index.ts';
import { settingsPage } from './generate/settings-page.ts';
import { BIN, ROOT } from './lib/paths.ts';

writeFileSync(join(ROOT, 'docs/settings.md'), settingsPage(PAGES));
const run = spawnSync(process.execPath, [BIN.biome, 'check', '--write', '.'], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.exitCode = run.status ?? 1;
