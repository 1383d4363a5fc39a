import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import * as esbuild from 'esbuild';

export interface Bundle {
  /** The whole engine. */
  readonly code: Uint8Array;
  /** Files that went into it, relative to the root, with "/" on every platform. */
  readonly inputs: readonly string[];
}

/**
 * Bundles `entry` with all that it imports to one CommonJS text for Node 20 and later. The add-on's version takes the
 * place of the name SLIPSTREAM_VERSION.
 * @throws Error when esbuild warns of anything, or something is left to be loaded at run time.
 */
export async function bundleEngine(root: string, entry: string, version: string): Promise<Bundle> {
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    plugins: [RAW_TEXT],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    define: { SLIPSTREAM_VERSION: JSON.stringify(version) },
    // So that a shell can start it (package.json, "bin"); Node reads it as a comment.
    banner: { js: '#!/usr/bin/env node' },
    legalComments: 'eof',
    charset: 'utf8',
    logLevel: 'silent',
    outfile: 'engine.cjs',
  });
  const warnings = await esbuild.formatMessages(result.warnings, { kind: 'warning' });
  if (warnings.length > 0) throw new Error(`esbuild warns:\n${warnings.join('\n')}`);
  const [file, ...others] = result.outputFiles;
  if (file === undefined || others.length > 0) throw new Error('the engine must be exactly one file');
  assertSelfContained(file.text);
  return { code: file.contents, inputs: Object.keys(result.metafile.inputs).sort() };
}

/** `import text from './page.html?raw'` gives the file's text, as it does in Vite. */
const RAW_TEXT: esbuild.Plugin = {
  name: 'raw-text',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace(/\?raw$/, '')),
      suffix: '?raw',
    }));
    onLoad({ filter: /\.(?:html|css|svg|mjs)$/ }, async ({ path, suffix }) =>
      suffix === '?raw' ? { contents: await readFile(path, 'utf8'), loader: 'text' } : undefined,
    );
  },
};

/**
 * Refuses code that loads at run time anything but Node's own modules.
 * @throws Error that names the first offender.
 */
export function assertSelfContained(code: string): void {
  const builtins = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));
  for (const [call, argument = ''] of code.matchAll(/\b(?:require|import)\(([^()]*)/g)) {
    const name = /^["'`]([^"'`$]+)["'`]$/.exec(argument.trim())?.[1];
    if (name === undefined || !(builtins.has(name) || name === 'node:sea')) {
      throw new Error(`the engine is not self-contained: ${call})`);
    }
  }
  const native = /["'`][^"'`\s]*\.node["'`]/.exec(code);
  if (native !== null) throw new Error(`the engine names a native module: ${native[0]}`);
}
