import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type BuildOptions, build } from '../build/index.ts';
import { ADDON_ID, ROOT } from '../lib/paths.ts';
import { assertWithinBudgets, type PackageBudgets } from './budget.ts';
import { type Site, siteOf, type Zipped } from './catalogue.ts';
import { type AddonPackage, readFiles } from './files.ts';
import type { ReadPackage } from './node-binary.ts';
import { NODE_BINARIES, type NodeBinaries } from './platforms.ts';
import { REPOSITORY_ID, repositoryAddon } from './repository.ts';
import { RUNTIME_ID, runtimeAddon } from './runtime.ts';
import { verifyPackages } from './verify/index.ts';
import { cachedZip } from './zip-cache.ts';

export interface PackageOptions {
  /** The folder to be served; replaced whole. */
  readonly out: string;
  /** Where what is fetched and packed is kept for the next time. */
  readonly cache: string;
  readonly read: ReadPackage;
  /** The address at which `out` will be served. Without one there is no repository add-on. */
  readonly baseUrl?: string;
  /** The Nodes to bring; by default one for each platform. */
  readonly nodes?: NodeBinaries;
  /** How the add-on is built: its version, if not that of package.json. */
  readonly build?: Omit<BuildOptions, 'out'>;
}

/** Makes everything that is installed through Kodi, checks it, and gives what it made. */
export async function makePackages(options: PackageOptions): Promise<readonly Zipped[]> {
  await assertReplaceable(options.out);
  const packages = await packagesOf(options);
  verifyPackages(packages);
  const zipped: Zipped[] = [];
  // One after the other: each holds a Node and its zip in memory.
  for (const one of packages) zipped.push({ ...one, zip: await cachedZip(one, options.cache) });
  const { packages: budgets } = JSON.parse(await readFile(join(ROOT, 'size-budget.json'), 'utf8')) as {
    packages: PackageBudgets;
  };
  assertWithinBudgets(zipped, budgets);
  await writeSite(siteOf(zipped), options.out);
  return zipped;
}

async function packagesOf({
  baseUrl,
  nodes = NODE_BINARIES,
  read,
  build,
}: PackageOptions): Promise<AddonPackage[]> {
  const icon = await readFile(join(ROOT, 'addon', 'icon.png'));
  const licence = await readFile(join(ROOT, 'LICENSE'));
  const runtimes: AddonPackage[] = [];
  for (const [platform, pinned] of Object.entries(nodes))
    runtimes.push(await runtimeAddon(platform, pinned, { icon, read }));
  return [
    await builtAddon(build),
    ...(baseUrl === undefined ? [] : [repositoryAddon({ baseUrl, icon, licence })]),
    ...runtimes,
  ];
}

/** The add-on itself, built anew: what lies in dist/ may be of another day, or of another version. */
async function builtAddon(options: Omit<BuildOptions, 'out'> = {}): Promise<AddonPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-package-'));
  try {
    const out = join(folder, ADDON_ID);
    await build({ ...options, out });
    const files = await readFiles(out);
    return { id: ADDON_ID, version: options.version ?? (await ownVersion()), folder: ADDON_ID, files };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function ownVersion(): Promise<string> {
  return (JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
}

/** What a folder of packages holds, by name: its index, a folder for each add-on, and the repository's zip. */
const PACKAGES = new Set([
  ...['addons.xml', 'addons.xml.sha256', 'index.html'],
  ...[ADDON_ID, REPOSITORY_ID, RUNTIME_ID],
]);

/** @throws Error when something else than packages lies there: it would be lost. */
async function assertReplaceable(out: string): Promise<void> {
  if (!existsSync(out)) return;
  const other = (await readdir(out)).find(
    (name) => !PACKAGES.has(name) && !(name.startsWith(`${REPOSITORY_ID}-`) && name.endsWith('.zip')),
  );
  if (other !== undefined)
    throw new Error(`${out} holds something else than packages (${other}); give another --out`);
}

/** Writes it beside `out`, and puts it there only when it is whole. */
async function writeSite(site: Site, out: string): Promise<void> {
  const draft = `${out}.${process.pid}.draft`;
  try {
    for (const [path, content] of site) {
      const file = join(draft, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    await rm(out, { recursive: true, force: true });
    await rename(draft, out);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
