// npm run build: the add-on as Kodi installs it, in dist/.
import { relative } from 'node:path';
import { build } from './build/index.ts';
import { DIST, ROOT } from './lib/paths.ts';

try {
  const sizes = await build();
  console.log(`${relative(ROOT, DIST)}: engine ${sizes.engine} bytes, the whole add-on ${sizes.addon} bytes`);
} catch (error) {
  console.error(`build failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
