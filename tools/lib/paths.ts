import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top folder of the repository. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export const ADDON_ID = 'plugin.video.slipstream';

/** The add-on as Kodi installs it. */
export const DIST = join(ROOT, 'dist', ADDON_ID);

/** Where the engine lies inside of the add-on. */
export const ENGINE_PATH = join('resources', 'engine', 'engine.cjs');

const modules = join(ROOT, 'node_modules');

/** The tools' own scripts, to be started with Node: the links in node_modules/.bin are shell scripts on Windows. */
export const BIN = {
  biome: join(modules, '@biomejs', 'biome', 'bin', 'biome'),
  eslint: join(modules, 'eslint', 'bin', 'eslint.js'),
  knip: join(modules, 'knip', 'bin', 'knip.js'),
  pyright: join(modules, 'pyright', 'index.js'),
  tsc: join(modules, 'typescript', 'bin', 'tsc'),
  vitest: join(modules, 'vitest', 'vitest.mjs'),
} as const;
