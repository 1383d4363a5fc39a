// A Debian root of the project's own, in its cache folder, for the real components that tests run against (Kodi,
// ffmpeg, …). The host needs Node, root and apt; nothing is installed on it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getuid } from 'node:process';
import type { Root } from './enter.ts';
import { install } from './install.ts';
import { withLock } from './lock.ts';
import { DPKG_EXCLUDES, PACKAGES, SUITE } from './packages.ts';
import type { RootPaths } from './paths.ts';
import { cacheFolder, rootPaths } from './paths.ts';

export type { Bind, Root } from './enter.ts';
export { exitStatus, runInRoot, spawnInRoot } from './enter.ts';
export { withLock } from './lock.ts';
export type { InnerProcess } from './processes.ts';
export { killInside, processesInside } from './processes.ts';

/** Holds why there is no root, for processes that need not find out again. */
export const SKIP_VARIABLE = 'SLIPSTREAM_NO_ROOT';

/** Why there is no root here, in one line. */
export interface Skip {
  readonly skip: string;
}

/** The installed root, made first when it is missing, unfinished or older than the package list. About a minute. */
export function ensureRoot(): Promise<Root | Skip> {
  made ??= make(rootPaths(cacheFolder()));
  return made;
}

let made: Promise<Root | Skip> | undefined;

/**
 * For test files: the root, or undefined after one line that says what is skipped and why. With CI=true a skip is a
 * failure.
 */
export async function rootOrSkip(what: string): Promise<Root | undefined> {
  const root = await ensureRoot();
  if (!('skip' in root)) return root;
  const line = `Skipped: ${what}. ${root.skip}`;
  if (process.env['CI'] === 'true') throw new Error(line);
  console.warn(line);
  return undefined;
}

async function make(paths: RootPaths): Promise<Root | Skip> {
  // Told by npm test when making it has just failed: each test file would try again.
  const reason = process.env[SKIP_VARIABLE] ?? whyNot();
  if (reason !== undefined) return { skip: reason };
  if (isInstalled(paths)) return { paths };
  try {
    mkdirSync(paths.folder, { recursive: true });
    await withLock(paths.lock, async () => {
      // Somebody else may have made it while we waited.
      if (isInstalled(paths)) return;
      console.warn(`Making the Debian root in ${paths.folder} (once, about a minute) ...`);
      await install(paths);
      writeFileSync(paths.installed, stamp());
    });
    return { paths };
  } catch (error) {
    return { skip: `The Debian root could not be made: ${(error as Error).message}` };
  }
}

function isInstalled(paths: RootPaths): boolean {
  return existsSync(paths.installed) && readFileSync(paths.installed, 'utf8') === stamp();
}

/** Changes whenever the root has to be brought up to date. */
function stamp(): string {
  return createHash('sha256')
    .update(JSON.stringify([SUITE, PACKAGES, DPKG_EXCLUDES]))
    .digest('hex');
}

/** Why this machine cannot have a root, or undefined when it can. */
function whyNot(): string | undefined {
  if (process.platform !== 'linux') return `The real components need Linux; this is ${process.platform}.`;
  if (getuid?.() !== 0) return 'The real components need root, for chroot and mounts.';
  const missing = ['apt-get', 'dpkg-deb', 'flock', 'setpriv', 'unshare'].filter(
    (tool) => !succeeds(tool, '--version'),
  );
  if (missing.length > 0) return `The real components need Debian's ${missing.join(', ')}.`;
  if (!succeeds('unshare', '--mount', '--pid', '--fork', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'))
    return 'This system does not let us make mount and PID namespaces (an unprivileged container?).';
  return undefined;
}

function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
