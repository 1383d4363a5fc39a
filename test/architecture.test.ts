import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const SRC = join(ROOT, 'src');

/**
 * The rooms of the house from the cellar up. A file may import from its own room and from rooms in rows above its
 * row here; rooms that share a row do not know each other. A façade (src/router.ts) belongs to the room of its name.
 */
const ROWS: readonly (readonly string[])[] = [
  ['texts'],
  ['errors', 'log'],
  ['io'],
  ['model'],
  ['settings'],
  ['media', 'release', 'host', 'diagnosis'],
  ['job-files', 'play-address'],
  ['search', 'backends', 'stream-proxy', 'host/kodi', 'host/terminal'],
  ['library'],
  ['connections'],
  ['resolver'],
  ['selection', 'service'],
  ['setup'],
  ['router'],
  ['commands'],
  ['main'],
];

/** Words that only host/kodi may use. */
const KODI_WORDS = /\bsetResolvedUrl\b|\bxbmc\w*|\bListItem\b|special:\/\//;

/** What changes a file system, of node:fs and its promises. `rm` and `open` are not: they write nothing by themselves. */
const WRITING =
  /^(?:\*|default|promises|writeFile|appendFile|createWriteStream|copyFile|cp|rename|truncate|mkdir|mkdtemp|link|symlink|write.*|.*Sync)$/;

interface Source {
  /** Relative to src, with "/" on every platform. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const sources = sourcesIn('src');

function sourcesIn(folder: string): readonly Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => source(path.split(sep).join('/'), readFileSync(join(ROOT, folder, path), 'utf8')));
}

function source(path: string, text: string): Source {
  const imports = ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(posix.dirname(path), name))
    .filter((name) => !name.startsWith('..'));
  return { path, text, imports };
}

/** Whether it imports something that changes a file system, or opens a file for writing. */
function writesToDisk(path: string, text: string): boolean {
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const names = statements.filter(ts.isImportDeclaration).flatMap(({ moduleSpecifier, importClause }) => {
    const isFs =
      ts.isStringLiteral(moduleSpecifier) && /^(?:node:)?fs(?:\/promises)?$/.test(moduleSpecifier.text);
    if (!isFs || importClause === undefined) return [];
    const { name, namedBindings: bindings } = importClause;
    const named =
      bindings === undefined
        ? []
        : ts.isNamespaceImport(bindings)
          ? ['*']
          : bindings.elements.map((element) => (element.propertyName ?? element.name).text);
    return name === undefined ? named : ['default', ...named];
  });
  return (
    names.some((name) => WRITING.test(name)) ||
    (names.includes('open') && /\bopen\([^)]*['"](?:[wa]|r\+)/.test(text))
  );
}

/** The room of a file: "io/http.ts" → io, "host/kodi/x.ts" → host/kodi, "host/port.ts" → host, "router.ts" → router. */
function room(path: string): string {
  const parts = path.replace(/\.ts$/, '').split('/');
  const [first = '', second = ''] = parts;
  return first === 'host' && parts.length > 2 ? `${first}/${second}` : first;
}

function row(path: string): number {
  return ROWS.findIndex((rooms) => rooms.includes(room(path)));
}

function upwardImports({ path, imports }: Source): string[] {
  return imports
    .filter((target) => room(target) !== room(path) && row(target) >= row(path))
    .map((target) => `${path} imports ${target}`);
}

/** What other rooms import of the room release beside its index.ts. */
function importsBehindIndex({ path, imports }: Source): string[] {
  if (room(path) === 'release') return [];
  return imports
    .filter((target) => room(target) === 'release' && target !== 'release/index.ts')
    .map((target) => `${path} imports ${target}`);
}

/** One ring of files that import each other, be it types only, or undefined. */
function findCycle(files: readonly Source[]): string[] | undefined {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const target of byPath.get(path)?.imports ?? []) {
      const cycle = visit(target, [...trail, path]);
      if (cycle !== undefined) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const { path } of files) {
    const cycle = visit(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

describe('the house', () => {
  it('has a place for every file', () => {
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.map(({ path }) => path).filter((path) => row(path) < 0)).toEqual([]);
  });

  it('lets folders depend downwards only', () => {
    expect(sources.flatMap(upwardImports)).toEqual([]);
  });

  it('is the table of docs/architecture.md', () => {
    const document = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
    const table = [...document.matchAll(/^\| (\d+) \| `([\w/-]+)` \|/gm)].map(([, number, name = '']) => ({
      number: Number(number),
      name,
    }));
    const numbers = [...new Set(table.map(({ number }) => number))].sort((one, other) => one - other);
    expect(numbers).toEqual(ROWS.map((_, index) => index + 1));
    const rows = numbers.map((number) => table.filter((each) => each.number === number));
    expect(rows.map((row) => row.map(({ name }) => name))).toEqual(ROWS);
  });

  it.each(['src', 'sandbox', 'test', 'bench', 'tools'])('has no import cycles in %s', (folder) => {
    expect(findCycle(sourcesIn(folder))).toBeUndefined();
  });

  it('reads names of releases through release/index.ts only', () => {
    expect(sources.flatMap(importsBehindIndex)).toEqual([]);
  });

  it('writes to disk in io/store.ts only', () => {
    const guilty = sources.filter(({ path, text }) => path !== 'io/store.ts' && writesToDisk(path, text));
    expect(guilty.map(({ path }) => path)).toEqual([]);
  });

  it('speaks of Kodi in host/kodi only', () => {
    const guilty = sources.filter(({ path, text }) => room(path) !== 'host/kodi' && KODI_WORDS.test(text));
    expect(guilty.map(({ path }) => path)).toEqual([]);
  });
});

describe('the rule itself', () => {
  it.each([
    ['release/rank.ts', '../search/planner.ts', 'search/planner.ts'],
    ['search/planner.ts', '../backends/backend.ts', 'backends/backend.ts'],
    ['host/port.ts', './kodi/bridge.ts', 'host/kodi/bridge.ts'],
    ['host/kodi/bridge.ts', '../terminal/list.ts', 'host/terminal/list.ts'],
    ['resolver/submit.ts', '../router.ts', 'router.ts'],
  ])('refuses that %s imports %s', (path, specifier, target) => {
    expect(upwardImports(source(path, `import { x } from '${specifier}';`))).toEqual([
      `${path} imports ${target}`,
    ]);
  });

  it('finds an import behind release/index.ts', () => {
    const text = `import { a } from '../release/index.ts'; import { b } from '../release/name/dates.ts';`;
    expect(importsBehindIndex(source('job-files/a.ts', text))).toEqual([
      'job-files/a.ts imports release/name/dates.ts',
    ]);
    expect(importsBehindIndex(source('release/a.ts', `import { b } from './name/dates.ts';`))).toEqual([]);
  });

  it.each([
    ['router/play.ts', "export { resolve } from '../resolver.ts';"],
    ['router.ts', "import * as play from './router/play.ts';"],
    ['host/kodi/bridge.ts', "import type { Host } from '../port.ts';"],
    ['main.ts', "import { version } from '../package.json';"],
    ['io/http.ts', "import { join } from 'node:path';"],
  ])('allows in %s: %s', (path, text) => {
    expect(upwardImports(source(path, text))).toEqual([]);
  });

  it('sees re-exports, type imports and dynamic imports', () => {
    const text = `export * from './b.ts'; import type { C } from './c.ts'; const d = import('./d.ts');`;
    expect(source('a/a.ts', text).imports).toEqual(['a/b.ts', 'a/c.ts', 'a/d.ts']);
  });

  it.each([
    `import { rename } from 'node:fs/promises';`,
    `import { writeFile as keep } from 'fs/promises';`,
    `import { promises } from 'node:fs';`,
    `import { readFile, mkdirSync } from 'node:fs';`,
    `import * as fs from 'node:fs/promises';`,
    `import fs from 'node:fs';`,
    `import { open } from 'node:fs/promises'; const file = await open(path, 'w');`,
  ])('sees writing to disk in: %s', (text) => {
    expect(writesToDisk('a/a.ts', text)).toBe(true);
  });

  it.each([
    `import { readFile, stat } from 'node:fs/promises';`,
    `import { open } from 'node:fs/promises'; const file = await open(path, 'r');`,
    `import { rename } from './fs.ts';`,
    `import type { Stats } from 'node:fs';`,
  ])('sees none in: %s', (text) => {
    expect(writesToDisk('a/a.ts', text)).toBe(false);
  });

  it('finds a ring of three files', () => {
    const ring = [
      source('io/a.ts', `import { b } from './b.ts';`),
      source('io/b.ts', `export * from './c.ts';`),
      source('io/c.ts', `import type { a } from './a.ts';`),
    ];
    expect(findCycle(ring)).toEqual(['io/a.ts', 'io/b.ts', 'io/c.ts', 'io/a.ts']);
  });
});

it('the host in Python never sleeps: it waits where Kodi can end it', () => {
  const folder = join(SRC, '../addon');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.py'),
  );
  expect(files.length).toBeGreaterThan(30);
  const sleeping = files.filter((path) =>
    /\bsleep\(|import sleep\b/.test(readFileSync(join(folder, path), 'utf8')),
  );
  expect(sleeping).toEqual([]);
});
