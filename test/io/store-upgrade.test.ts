import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDocument, pruneDocuments } from '../../src/io/store.ts';

const SRC = new URL('../../src/', import.meta.url).pathname;

interface Store {
  /** How its files are called, as docs/store.md lists them. */
  readonly file: string;
  readonly version: number;
  readonly older: 'none' | 'dropped' | 'lifted';
  readonly newer: 'replace' | 'keep';
}

/**
 * Every store of the house: its version, what becomes of older documents, and of newer ones (`newer` in src/io/store.ts).
 * Whoever raises a version decides here, and in docs/store.md, whether older documents are lifted or dropped.
 */
const STORES: Readonly<Record<string, Store>> = {
  'backends/ledger.ts': { file: 'ledger/', version: 2, older: 'dropped', newer: 'keep' },
  'library/broken-releases.ts': { file: 'broken/', version: 1, older: 'none', newer: 'replace' },
  'library/failures.ts': { file: 'failures.json', version: 1, older: 'none', newer: 'replace' },
  'library/last-played.ts': { file: 'last-played/', version: 1, older: 'none', newer: 'keep' },
  'library/pack-store.ts': { file: 'packs/', version: 1, older: 'none', newer: 'keep' },
  'library/resume-points.ts': { file: 'resume/', version: 2, older: 'lifted', newer: 'keep' },
  'library/throughput.ts': { file: 'sustained.json', version: 1, older: 'none', newer: 'replace' },
  'search/cache/search-cache.ts': { file: 'searches/', version: 4, older: 'dropped', newer: 'replace' },
  'search/metadata/metadata-cache.ts': { file: 'known/', version: 1, older: 'none', newer: 'replace' },
  'search/run/cooldown.ts': { file: 'rest-', version: 1, older: 'none', newer: 'replace' },
  'search/sources/common/persisted.ts': { file: 'caps-', version: 3, older: 'dropped', newer: 'replace' },
  'search/sources/hydra/indexer-hosts.ts': {
    file: 'hydra-hosts-',
    version: 1,
    older: 'none',
    newer: 'replace',
  },
  'settings/path-mappings.ts': { file: 'path-mappings.json', version: 1, older: 'none', newer: 'replace' },
  'settings/source-list.ts': { file: 'sources.json', version: 1, older: 'none', newer: 'replace' },
  'settings/user-document.ts': { file: 'preferences.json', version: 1, older: 'none', newer: 'replace' },
  'setup/first-run/setup-state.ts': { file: 'first-run.json', version: 1, older: 'none', newer: 'replace' },
  'setup/phone/last-port.ts': { file: 'phone-port.json', version: 1, older: 'none', newer: 'replace' },
};

describe('the stores of the house', () => {
  const stores = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && path !== join('io', 'store.ts'))
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(SRC, path), 'utf8') }))
    .filter(({ text }) => text.includes('openDocument('));

  test('are all in the table', () => {
    expect(stores.map(({ path }) => path).sort()).toEqual(Object.keys(STORES));
  });

  test.each(stores)('$path does with other versions what the table says', ({ path, text }) => {
    const found = text.match(/\bversion: (?:\d+|VERSION)/g) ?? [];
    const constant = /^const VERSION = (\d+);/m.exec(text)?.[1];
    expect(found).toHaveLength(1);
    const version = Number(found[0]?.replace('version: ', '').replace('VERSION', constant ?? ''));
    const older = version === 1 ? 'none' : /\bmigrations\b/.test(text) ? 'lifted' : 'dropped';
    const newer = text.includes("newer: 'keep'") ? 'keep' : 'replace';
    expect({ version, older, newer }).toEqual({ ...STORES[path], file: undefined });
  });

  test('are all in docs/store.md', () => {
    const page = readFileSync(new URL('../../docs/store.md', import.meta.url), 'utf8');
    const missing = Object.values(STORES).filter(({ file }) => !page.includes(`\`${file}`));
    expect(missing).toEqual([]);
  });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-store-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Version 1 held a title, version 2 had it in a field, version 3 knows the year. */
const Film = v.object({ title: v.string(), year: v.optional(v.number()) });
const options = {
  version: 3,
  parse: (value: unknown) => v.parse(Film, value),
  migrations: {
    1: (title: unknown) => ({ title }),
    2: (film: unknown) => ({ ...(film as object), year: 2010 }),
  },
};
const open = (folder: string, newer?: 'replace' | 'keep') =>
  openDocument(folder, 'film', { ...options, ...(newer !== undefined && { newer }) });
const put = (folder: string, content: string) => writeFile(join(folder, 'film.json'), content);
const onDisk = (folder: string) => readFile(join(folder, 'film.json'), 'utf8');

describe('a document of an older version', () => {
  test.each([
    ['two versions older', '{"version":1,"value":"Sintel"}'],
    ['one version older', '{"version":2,"value":{"title":"Sintel"}}'],
    ['of this version', '{"version":3,"value":{"title":"Sintel","year":2010}}'],
  ])('that is %s is read as it is now, and stays as it was until it is written', async (_, content) => {
    const folder = await newFolder();
    await put(folder, content);
    expect(await open(folder).read()).toEqual({ title: 'Sintel', year: 2010 });
    expect(await onDisk(folder)).toBe(content);
    await open(folder, 'keep').write({ title: 'Spring', year: 2019 });
    expect(await onDisk(folder)).toBe('{"version":3,"value":{"title":"Spring","year":2019}}');
  });

  test.each([
    ['no way leads from', '{"version":0,"value":"Sintel"}'],
    ['holds nonsense, which is lifted to nonsense', '{"version":1,"value":7}'],
    ['holds nothing that can be lifted', '{"version":2}'],
    ['is one of none', '{"version":1.5,"value":"Sintel"}'],
    ['is far below zero', '{"version":-9007199254740991,"value":"Sintel"}'],
    ['is beyond counting', '{"version":1e300,"value":"Sintel"}'],
  ])('that %s counts as absent, and is written over', async (_, content) => {
    const folder = await newFolder();
    await put(folder, content);
    expect(await open(folder, 'keep').read()).toBeUndefined();
    await open(folder, 'keep').write({ title: 'Spring' });
    expect(await open(folder).read()).toEqual({ title: 'Spring' });
  });

  test('whose lift fails counts as absent', async () => {
    const folder = await newFolder();
    await put(folder, '{"version":1,"value":"Sintel"}');
    const lifts = {
      1: () => {
        throw new Error('not one of ours');
      },
    };
    const document = openDocument(folder, 'film', { ...options, version: 2, migrations: lifts });
    expect(await document.read()).toBeUndefined();
  });
});

describe('a document of a newer version', () => {
  const NEWER = '{"version":4,"value":{"title":"Sintel","length":888}}';

  test('counts as absent; what can be had again is written over', async () => {
    const folder = await newFolder();
    await put(folder, NEWER);
    expect(await open(folder).read()).toBeUndefined();
    await open(folder).write({ title: 'Spring' });
    expect(await open(folder).read()).toEqual({ title: 'Spring' });
    await put(folder, NEWER);
    await open(folder).remove();
    await expect(onDisk(folder)).rejects.toThrow('ENOENT');
  });

  test('that is to be kept is left alone, and whoever wants to write is told', async () => {
    const folder = await newFolder();
    await put(folder, NEWER);
    const document = open(folder, 'keep');
    expect(await document.read()).toBeUndefined();
    await expect(document.write({ title: 'Spring' })).rejects.toMatchObject({
      code: 'STORE_FAILED',
      explanation: { what: expect.stringContaining('A newer version of Slipstream') as string },
    });
    await document.remove();
    expect(await onDisk(folder)).toBe(NEWER);
    // The newer add-on is back.
    expect(await openDocument(folder, 'film', { version: 4, parse: (value) => value }).read()).toEqual({
      title: 'Sintel',
      length: 888,
    });
  });

  test.each([
    ['damaged', '{"version":4'],
    ['foreign', 'Sintel'],
    ['empty', ''],
    ['larger than any of ours', `{"version":3,"value":"${'x'.repeat(8 * 1024 * 1024)}"}`],
  ])('is not what is %s: that is written over, and removed', async (_, content) => {
    const folder = await newFolder();
    await put(folder, content);
    expect(await open(folder, 'keep').read()).toBeUndefined();
    await open(folder, 'keep').write({ title: 'Spring' });
    expect(await open(folder).read()).toEqual({ title: 'Spring' });
    await put(folder, content);
    await open(folder, 'keep').remove();
    await expect(onDisk(folder)).rejects.toThrow('ENOENT');
  });
});

describe('a folder within bounds', () => {
  const fill = async (folder: string, ...sizes: readonly number[]) => {
    for (const [index, size] of sizes.entries()) {
      const document = openDocument(folder, `film-${index}`, { version: 1, parse: (value) => value });
      await document.write('x'.repeat(size));
      const path = join(folder, `film-${index}.json`);
      const seconds = Date.now() / 1_000 - index * 60;
      await utimes(path, seconds, seconds);
    }
    await writeFile(join(folder, 'foreign.txt'), '');
  };

  test.each([
    ['by number', { files: 2 }, [0, 1]],
    ['by bytes', { files: 9, bytes: 2_100 }, [0, 1]],
    ['by age', { files: 9, age: 150_000 }, [0, 1, 2]],
    ['by nothing that is reached', { files: 9 }, [0, 1, 2, 3]],
  ])('%s loses what was written longest ago, and nothing foreign', async (_, bounds, left) => {
    const folder = await newFolder();
    await fill(folder, 1_000, 1_000, 1_000, 1_000);
    await pruneDocuments(folder, bounds);
    expect((await readdir(folder)).sort()).toEqual([...left.map((n) => `film-${n}.json`), 'foreign.txt']);
  });

  test('may be absent', async () => {
    await pruneDocuments(join(await newFolder(), 'nowhere'), { files: 1 });
  });
});
