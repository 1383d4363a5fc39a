// npm run package: the zips that Kodi installs, and the folder to serve them from.
import { join, relative } from 'node:path';
import { cacheFolder } from './debian-root/paths.ts';
import { parseOptions } from './lib/options.ts';
import { ROOT } from './lib/paths.ts';
import { zipName } from './package/files.ts';
import { makePackages } from './package/index.ts';
import { npmReader } from './package/node-binary.ts';
import { binariesFor } from './package/platforms.ts';
import { parseBaseUrl } from './package/repository.ts';

const options = parseOptions(
  'npm run package -- [--base-url <address>] [--allow-http] [--platforms <one,two>] [--version <version>] [--out <folder>]',
  {
    'base-url': { type: 'string' },
    'allow-http': { type: 'boolean', default: false },
    platforms: { type: 'string' },
    version: { type: 'string' },
    out: { type: 'string', default: join(ROOT, 'dist', 'package') },
  },
);

try {
  const { out, platforms, version, 'base-url': baseUrl, 'allow-http': allowHttp } = options;
  const cache = cacheFolder();
  const packages = await makePackages({
    out,
    cache,
    read: npmReader(cache),
    ...(baseUrl !== undefined && { baseUrl: parseBaseUrl(baseUrl, { allowHttp }) }),
    ...(platforms !== undefined && { nodes: binariesFor(platforms) }),
    ...(version !== undefined && { build: { version } }),
  });
  for (const one of packages)
    console.log(`${relative(ROOT, join(out, one.folder, zipName(one)))}: ${one.zip.length} bytes`);
  if (baseUrl === undefined)
    console.log('Without --base-url there is no repository add-on: nothing would update itself.');
} catch (error) {
  console.error(`package failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
