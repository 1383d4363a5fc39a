import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PAGES } from '../../src/settings/index.ts';
import { settingsXml } from '../generate/settings-xml.ts';
import { stringsPo } from '../generate/strings-po.ts';
import { catalogueTexts, readTranslations } from '../generate/translations.ts';
import { ADDON_ID, DIST, ENGINE_PATH, ROOT } from '../lib/paths.ts';
import { bundleEngine } from './engine.ts';
import { notices } from './notices.ts';
import { type SizeBudget, type Sizes, verifyAddon } from './verify.ts';

export interface BuildOptions {
  /** The engine's first file, relative to the root. */
  readonly entry?: string;
  /** What is copied as it is: the Python host, skins, player files. */
  readonly addon?: string;
  /** Where the add-on goes; replaced whole. */
  readonly out?: string;
  /** In place of the one in package.json: for a release's trial, and for tests of an update. */
  readonly version?: string;
}

/**
 * Makes the add-on as Kodi installs it, and checks it. The same sources give the same bytes.
 * The new add-on takes the old one's place only when it is whole and right.
 */
export async function build(options: BuildOptions = {}): Promise<Sizes> {
  const { entry = 'src/main.ts', addon = join(ROOT, 'addon'), out = DIST } = options;
  const { version: own } = await readJson<{ version: string }>('package.json');
  const { version = own } = options;
  const budget = await readJson<SizeBudget>('size-budget.json');
  const draft = `${out}.${process.pid}.draft`;
  try {
    await cp(addon, draft, { recursive: true, filter: ships });
    if (version !== own) await stamp(join(draft, 'addon.xml'), own, version);
    const bundle = await bundleEngine(ROOT, entry, version);
    await write(join(draft, ENGINE_PATH), bundle.code, EXECUTABLE);
    await write(join(draft, 'resources', 'settings.xml'), settingsXml(ADDON_ID, PAGES));
    await write(
      join(draft, 'resources', 'language', 'resource.language.en_gb', 'strings.po'),
      stringsPo(ADDON_ID, PAGES, catalogueTexts()),
    );
    for (const translations of await readTranslations(join(draft, 'resources', 'language')))
      await write(
        join(draft, 'resources', 'engine', 'texts', `${translations.language}.json`),
        `${JSON.stringify(translations)}\n`,
      );
    await write(join(draft, 'NOTICES.txt'), await notices(ROOT, bundle.inputs));
    await copyFile(join(ROOT, 'LICENSE'), join(draft, 'LICENSE.txt'));
    const sizes = await verifyAddon(draft, version, budget);
    await replace(draft, out);
    return sizes;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Tests, caches and hidden files stay at home. */
function ships(path: string): boolean {
  const name = basename(path);
  return !(/^(tests?|__pycache__)$/.test(name) || /^\../.test(name) || /\.(pyc|test\.py)$/.test(name));
}

/** Gives the add-on another version, which everything else then has to agree with. */
async function stamp(addonXml: string, own: string, version: string): Promise<void> {
  const text = await readFile(addonXml, 'utf8');
  await writeFile(addonXml, text.replace(` version="${own}"`, ` version="${version}"`));
}

async function replace(draft: string, out: string): Promise<void> {
  const old = `${draft}.old`;
  if (existsSync(out)) await rename(out, old);
  await rename(draft, out);
  await rm(old, { recursive: true, force: true });
}

const EXECUTABLE = 0o755;

async function write(path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { mode });
}

async function readJson<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(join(ROOT, name), 'utf8')) as T;
}
