import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';

/**
 * Installs one npm package, `spec`, into `home`, by a draft that takes its place only when it is whole; no script of it
 * is run. Gives the fault, or undefined. `foreign`: also a package that is meant for another platform.
 */
export async function installNpmPackage(
  spec: string,
  home: string,
  { foreign = false } = {},
): Promise<string | undefined> {
  const draft = `${home}.${process.pid}.draft`;
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await mkdir(draft, { recursive: true });
    // Without a package.json of its own npm would look for one in the folders above.
    await writeFile(join(draft, 'package.json'), '{ "private": true }\n');
    const npm = await run(
      'npm',
      ['install', '--prefix', draft, ...quiet, ...(foreign ? ['--force'] : []), spec],
      { cwd: draft },
    );
    if (npm.status !== 0) return npm.output.trim().split('\n')[0] ?? 'npm failed';
    await rm(home, { recursive: true, force: true });
    await rename(draft, home);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
