import { homedir } from 'node:os';
import { join } from 'node:path';
import { SUITE } from './packages.ts';

/** The project's cache folder: SLIPSTREAM_CACHE itself, else `slipstream` in XDG_CACHE_HOME or in ~/.cache. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const own = env['SLIPSTREAM_CACHE'];
  if (own) return own;
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'slipstream');
}

export interface RootPaths {
  /** Everything about this root; may be deleted whole at any time that nothing runs in it. */
  readonly folder: string;
  /** The file system that commands are chrooted into. */
  readonly fs: string;
  /** An empty folder that each command's private mount namespace builds its view upon. */
  readonly mount: string;
  /** debootstrap, apt's lists: what is needed to make the root, not to use it. */
  readonly kit: string;
  readonly log: string;
  readonly lock: string;
  /** Exists once debootstrap has come to its end. */
  readonly bootstrapped: string;
  /** Holds the stamp of the package list that is installed. */
  readonly installed: string;
}

export function rootPaths(cache: string): RootPaths {
  const folder = join(cache, `debian-${SUITE}`);
  return {
    folder,
    fs: join(folder, 'fs'),
    mount: join(folder, 'mount'),
    kit: join(folder, 'kit'),
    log: join(folder, 'install.log'),
    lock: join(folder, 'lock'),
    bootstrapped: join(folder, 'bootstrapped'),
    installed: join(folder, 'installed'),
  };
}
