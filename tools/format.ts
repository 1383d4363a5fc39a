// npm run format: lays out every file the way npm run check wants it.
import { spawnSync } from 'node:child_process';
import { BIN, ROOT } from './lib/paths.ts';

const run = spawnSync(process.execPath, [BIN.biome, 'check', '--write', '.'], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.exitCode = run.status ?? 1;
