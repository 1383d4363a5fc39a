import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertSelfContained } from '../../tools/build/engine.ts';
import { build } from '../../tools/build/index.ts';
import { packageFolders } from '../../tools/build/notices.ts';
import { verifyAddon } from '../../tools/build/verify.ts';
import { ENGINE_PATH, ROOT } from '../../tools/lib/paths.ts';

// A stand-in engine and add-on, so that the builder is tested apart from what it builds.
const MAIN = `import { SaxesParser } from 'saxes';
new SaxesParser();
console.log(SLIPSTREAM_VERSION);
`;

let folder: string;
let out: string;

beforeEach(async () => {
  // Inside the repository, so that the stand-in finds its imports.
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  folder = await mkdtemp(join(ROOT, '.cache', 'build-test-'));
  out = join(folder, 'out');
  const version = (JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string })
    .version;
  await mkdir(join(folder, 'addon', 'tests'), { recursive: true });
  await mkdir(join(folder, 'addon', '__pycache__'));
  await writeFile(join(folder, 'addon', 'addon.xml'), `<addon id="x" version="${version}"></addon>`);
  await writeFile(join(folder, 'addon', 'addon.py'), '');
  await writeFile(join(folder, 'addon', 'tests', 'a.py'), '');
  await writeFile(join(folder, 'addon', '__pycache__', 'a.pyc'), '');
  await writeFile(join(folder, 'main.ts'), MAIN);
});

afterEach(() => rm(folder, { recursive: true }));

const options = () => ({ entry: join(folder, 'main.ts'), addon: join(folder, 'addon'), out });

async function hashes(): Promise<Record<string, string>> {
  const entries = await readdir(out, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const pairs = files.sort().map(async (file) => {
    const hash = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    return [relative(out, file), hash] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}

describe('build', () => {
  it('ships the host, one engine, settings, strings and licences, and nothing else', async () => {
    await build(options());
    expect(Object.keys(await hashes()).sort()).toEqual(
      [
        'LICENSE.txt',
        'NOTICES.txt',
        'addon.py',
        'addon.xml',
        ENGINE_PATH,
        join('resources', 'language', 'resource.language.en_gb', 'strings.po'),
        join('resources', 'settings.xml'),
      ].sort(),
    );
    const notices = await readFile(join(out, 'NOTICES.txt'), 'utf8');
    expect(notices).toContain('saxes 6.0.0 (ISC)');
    expect(notices).toContain('xmlchars ');
  });

  it("makes the engine's file of a translation, and leaves Kodi its own", async () => {
    const german = join('resources', 'language', 'resource.language.de_de', 'strings.po');
    const text = `msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgctxt "errors.internal"
msgid "Something went wrong inside Slipstream."
msgstr "In Slipstream ist etwas schiefgegangen."
`;
    await mkdir(join(folder, 'addon', german, '..'), { recursive: true });
    await writeFile(join(folder, 'addon', german), text);
    await build(options());
    expect(await readFile(join(out, german), 'utf8')).toBe(text);
    const made = await readFile(join(out, 'resources', 'engine', 'texts', 'de_de.json'), 'utf8');
    expect(JSON.parse(made)).toEqual({
      language: 'de_de',
      texts: { 'errors.internal': 'In Slipstream ist etwas schiefgegangen.' },
    });
  });

  it('refuses a translation that names another placeholder than English', async () => {
    const place = join(folder, 'addon', 'resources', 'language', 'resource.language.de_de');
    await mkdir(place, { recursive: true });
    await writeFile(
      join(place, 'strings.po'),
      'msgid ""\nmsgstr ""\n\nmsgctxt "errors.internal"\nmsgid "x"\nmsgstr "{name}"\n',
    );
    await expect(build(options())).rejects.toThrow('de_de: errors.internal names {name}');
  });

  it('gives the same bytes each time', async () => {
    await build(options());
    const first = await hashes();
    await build(options());
    expect(await hashes()).toEqual(first);
  });

  it('keeps the last good add-on when the new one is broken', async () => {
    await build(options());
    const first = await hashes();
    await writeFile(join(folder, 'main.ts'), 'throw new Error("broken");');
    await expect(build(options())).rejects.toThrow('--version');
    expect(await hashes()).toEqual(first);
    expect((await readdir(folder)).filter((name) => name.includes('draft'))).toEqual([]);
  });

  it('refuses an addon.xml of another version', async () => {
    await writeFile(join(folder, 'addon', 'addon.xml'), '<addon id="x" version="99.0.0"></addon>');
    await expect(build(options())).rejects.toThrow('99.0.0');
  });

  it('refuses a second script or native code', async () => {
    await writeFile(join(folder, 'addon', 'fast.node'), '');
    await expect(build(options())).rejects.toThrow('fast.node');
  });

  it('refuses an add-on beyond the size budget', async () => {
    await build(options());
    await expect(verifyAddon(out, '0.1.0', { engine: 10, addon: 1e9 })).rejects.toThrow('engine');
    await expect(verifyAddon(out, '0.1.0', { engine: 1e9, addon: 10 })).rejects.toThrow('addon');
  });
});

describe('what the engine may load at run time', () => {
  it.each(['require("node:fs")', "require('crypto')", 'import("node:sea")', 'const a=require(`node:path`)'])(
    'allows %s',
    (code) => {
      expect(() => {
        assertSelfContained(code);
      }).not.toThrow();
    },
  );

  it.each(['require("saxes")', 'require(name)', 'import("./x.js")', 'require(`${a}`)', 'load("a/b.node")'])(
    'refuses %s',
    (code) => {
      expect(() => {
        assertSelfContained(code);
      }).toThrow();
    },
  );
});

describe('bundled packages', () => {
  it('are found by their folder, scoped and nested ones too', () => {
    const inputs = [
      'src/main.ts',
      'node_modules/saxes/saxes.js',
      'node_modules/@a/b/dist/i.js',
      'node_modules/@a/b/dist/j.js',
      'node_modules/a/node_modules/c/i.js',
    ];
    expect(packageFolders(inputs)).toEqual([
      'node_modules/@a/b',
      'node_modules/a/node_modules/c',
      'node_modules/saxes',
    ]);
  });
});
