// The one door of every npm script: brings the dependencies up to date, then runs tools/<command>.ts.
// Plain JavaScript on Node's standard library, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MINIMUM_NODE = 20;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [command, ...args] = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) < MINIMUM_NODE) {
  console.error(`Node ${MINIMUM_NODE} or newer is needed; this is ${process.version}.`);
  process.exit(1);
}

installIfStale();
const tool = spawn(process.execPath, ['--import', 'tsx', join(root, 'tools', `${command}.ts`), ...args], {
  cwd: root,
  stdio: 'inherit',
});
// The prompt comes back when the tool has cleaned up, not before. A terminal sends Ctrl-C to the tool as well; the
// other signals come from elsewhere, to this process alone.
process.on('SIGINT', () => undefined);
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => tool.kill(signal));
tool.on('close', (status, signal) => {
  process.exitCode = status ?? 128 + constants.signals[signal];
});

/** Installs what package-lock.json names, unless exactly that was installed before. */
function installIfStale() {
  const stamp = join(root, 'node_modules', '.slipstream-lock');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.error('Installing the development dependencies ...');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const install = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (install.status !== 0) {
    console.error('npm ci failed; see above.');
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}
