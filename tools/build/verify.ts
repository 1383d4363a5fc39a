import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINE_PATH } from '../lib/paths.ts';

/** The committed limits (size-budget.json), in bytes. A larger bundle is a decision, not an accident. */
export interface SizeBudget {
  readonly engine: number;
  readonly addon: number;
}

export interface Sizes {
  readonly engine: number;
  readonly addon: number;
}

/** Holds the finished add-on in `folder` against its promises. @throws Error naming the first broken one. */
export async function verifyAddon(folder: string, version: string, budget: SizeBudget): Promise<Sizes> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  const scripts = paths.filter((path) => /\.([cm]?js|node|so|dll|dylib)$/.test(path));
  if (scripts.join() !== join(folder, ENGINE_PATH)) {
    throw new Error(`the add-on must hold exactly one script and no native code, not ${scripts.join(', ')}`);
  }
  const lengths = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const sizes: Sizes = {
    engine: (await stat(join(folder, ENGINE_PATH))).size,
    addon: lengths.reduce((sum, size) => sum + size, 0),
  };
  assertWithin('engine', sizes.engine, budget.engine);
  assertWithin('addon', sizes.addon, budget.addon);
  await assertVersion(join(folder, 'addon.xml'), version);
  await assertRuns(join(folder, ENGINE_PATH), version);
  return sizes;
}

function assertWithin(what: keyof SizeBudget, size: number, limit: number): void {
  if (size > limit) {
    throw new Error(`${what} is ${size} bytes, more than the ${limit} that size-budget.json allows`);
  }
}

async function assertVersion(addonXml: string, version: string): Promise<void> {
  const text = await readFile(addonXml, 'utf8');
  const found = /<addon\b[^>]*?\sversion="([^"]*)"/.exec(text)?.[1];
  if (found !== version) {
    throw new Error(`addon.xml says version ${found ?? 'nothing'}, package.json says ${version}`);
  }
}

/** Starts the engine from an empty directory with an empty environment: it may need nothing but itself and Node. */
async function assertRuns(engine: string, version: string): Promise<void> {
  const empty = await mkdtemp(join(tmpdir(), 'slipstream-empty-'));
  try {
    const run = spawnSync(process.execPath, [engine, '--version'], {
      cwd: empty,
      env: {},
      encoding: 'utf8',
      timeout: 20_000,
    });
    if (run.status !== 0 || !run.stdout.includes(version)) {
      throw new Error(
        `"engine.cjs --version" must print ${version}; status ${run.status ?? run.signal ?? 'none'}, printed: ${run.stdout}${run.stderr}`,
      );
    }
  } finally {
    await rm(empty, { recursive: true });
  }
}
