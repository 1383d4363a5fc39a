import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADDON_ID, ENGINE_PATH, ROOT } from '../../../tools/lib/paths.ts';
import { makePackages, type PackageOptions } from '../../../tools/package/index.ts';
import { nodeBinary } from '../../../tools/package/node-binary.ts';
import { binariesFor, NODE_BINARIES } from '../../../tools/package/platforms.ts';
import { parseBaseUrl } from '../../../tools/package/repository.ts';
import { parseXml } from '../../../tools/package/verify/element.ts';
import { NODES, PROGRAM, pinned, read } from './parts.ts';

const RUNTIME_ID = 'script.module.slipstream.node';
const BASE = 'https://example.org/kodi';

let folder: string;

beforeEach(async () => {
  // Inside the repository, so that the stand-in finds its imports.
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  folder = await mkdtemp(join(ROOT, '.cache', 'package-test-'));
  await mkdir(join(folder, 'addon'));
  for (const name of ['addon.xml', 'icon.png', 'fanart.png'])
    await writeFile(join(folder, 'addon', name), await readFile(join(ROOT, 'addon', name)));
  for (const name of ['addon.py', 'service.py']) await writeFile(join(folder, 'addon', name), '');
  await writeFile(join(folder, 'main.ts'), 'console.log(SLIPSTREAM_VERSION);\n');
});

afterEach(() => rm(folder, { recursive: true }));

/** Packages a stand-in engine and stand-in Nodes; `name` is the folder that all of it goes to. */
async function make(name: string, more: Partial<PackageOptions> = {}) {
  const out = join(folder, name);
  const build = { entry: join(folder, 'main.ts'), addon: join(folder, 'addon'), ...more.build };
  const cache = join(folder, `${name}-cache`);
  const packages = await makePackages({ out, cache, read, nodes: NODES, baseUrl: BASE, ...more, build });
  return { out, packages };
}

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function allFiles(out: string): Promise<Record<string, string>> {
  const entries = await readdir(out, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const pairs = files.sort().map(async (file) => [relative(out, file), sha(await readFile(file))] as const);
  return Object.fromEntries(await Promise.all(pairs));
}

/** What Python, which Kodi's add-ons are often handled with, reads in a zip: name, mode, time of each entry. */
function python(zip: string): string {
  const script = `import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    for entry in archive.infolist():
        print(entry.filename, oct(entry.external_attr >> 16), entry.create_system, entry.date_time)`;
  const { status, stdout, stderr } = spawnSync('python3', ['-c', script, zip], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout;
}

describe('npm run package', () => {
  it('makes a folder that Kodi can be pointed at', async () => {
    const { out } = await make('out');
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const expected = [
      'addons.xml',
      'addons.xml.sha256',
      'index.html',
      ...[`${ADDON_ID}/${ADDON_ID}-${version}`, 'repository.slipstream/repository.slipstream-1.0.0'],
      ...['linux-x64', 'linux-arm64'].map((platform) => `${RUNTIME_ID}/${platform}/${RUNTIME_ID}-24.1.2`),
    ].flatMap((path) =>
      path.includes('/')
        ? [
            `${path}.zip`,
            `${path}.zip.sha256`,
            ...['icon.png', 'index.html'].map((name) => join(path, '..', name)),
          ]
        : [path],
    );
    expected.push('repository.slipstream-1.0.0.zip', `${ADDON_ID}/fanart.png`, `${RUNTIME_ID}/index.html`);
    expect(Object.keys(await allFiles(out)).sort()).toEqual(expected.sort());
  });

  it('gives the same bytes from other folders, at another time, under another umask', async () => {
    const { out: first } = await make('first');
    for (const name of await readdir(join(folder, 'addon'))) {
      await utimes(join(folder, 'addon', name), 1e9, 1e9);
      await chmod(join(folder, 'addon', name), 0o600);
    }
    const before = process.env['TZ'];
    process.env['TZ'] = 'Pacific/Auckland';
    try {
      const { out: second } = await make('elsewhere');
      expect(await allFiles(second)).toEqual(await allFiles(first));
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
  });

  it('gives the same bytes from what it has packed before', async () => {
    const cache = join(folder, 'kept');
    const { out: first } = await make('first', { cache });
    const { out: second } = await make('second', { cache });
    expect(await allFiles(second)).toEqual(await allFiles(first));
    expect(await readdir(join(cache, 'zips'))).toHaveLength(4);
  });

  it('packs each add-on as one folder, by fixed times and modes, sorted', async () => {
    const { out } = await make('out');
    const lines = python(join(out, RUNTIME_ID, 'linux-arm64', `${RUNTIME_ID}-24.1.2.zip`));
    expect(lines).toBe(
      [
        ['LICENSE', '0o100644'],
        ['addon.xml', '0o100644'],
        ['bin/node', '0o100755'],
        ['icon.png', '0o100644'],
        ['runtime.json', '0o100644'],
      ]
        .map(([name, mode]) => `${RUNTIME_ID}/${name} ${mode} 3 (1980, 1, 1, 0, 0, 0)\n`)
        .join(''),
    );
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const addon = python(join(out, ADDON_ID, `${ADDON_ID}-${version}.zip`));
    expect(addon).toContain(`${ADDON_ID}/${ENGINE_PATH} 0o100644`);
    expect(addon).not.toMatch(/0o100(?!644)/);
  });

  it('tells the host what the runtime is', async () => {
    const { out } = await make('out');
    const zip = unzipSync(await readFile(join(out, RUNTIME_ID, 'linux-arm64', `${RUNTIME_ID}-24.1.2.zip`)));
    expect(JSON.parse(new TextDecoder().decode(zip[`${RUNTIME_ID}/runtime.json`]))).toEqual({
      version: 1,
      node: '24.1.2',
      platform: 'linux-arm64',
      file: 'bin/node',
      sha256: sha(PROGRAM),
      size: PROGRAM.length,
      os: 'linux',
      arch: 'arm64',
      loader: '/lib/ld-arm64.so.1',
      glibc: '2.28',
    });
    expect(zip[`${RUNTIME_ID}/bin/node`]).toEqual(PROGRAM);
  });

  it('names every zip in an index that Kodi can verify', async () => {
    const { out, packages } = await make('out');
    const index = await readFile(join(out, 'addons.xml'));
    expect(await readFile(join(out, 'addons.xml.sha256'), 'utf8')).toBe(`${sha(index)}  addons.xml\n`);
    const addons = parseXml(index.toString()).children.map(({ attributes, children }) => {
      const metadata = children.find((child) => child.attributes['point'] === 'xbmc.addon.metadata');
      const text = (name: string) => metadata?.children.find((child) => child.name === name)?.text ?? '';
      return { id: attributes['id'], path: text('path'), size: text('size'), platform: text('platform') };
    });
    expect(addons).toHaveLength(packages.length);
    for (const { path, size } of addons) {
      const zip = await readFile(join(out, path));
      expect(zip.length).toBe(Number(size));
      const name = path.slice(path.lastIndexOf('/') + 1);
      expect(await readFile(join(out, `${path}.sha256`), 'utf8')).toBe(`${sha(zip)}  ${name}\n`);
    }
    const runtimes = addons.filter(({ id }) => id === RUNTIME_ID);
    expect(runtimes.map(({ platform }) => platform)).toEqual(['linux-x86_64', 'linux-aarch64']);
  });

  it('lists every folder in pages whose links are named like what they lead to', async () => {
    const { out } = await make('out');
    const links = async (path: string) =>
      [...(await readFile(join(out, path), 'utf8')).matchAll(/<a href="([^"]+)">([^<]+)<\/a>/g)].map(
        ([, link, name]) => {
          expect([link, `Look into ${link}`]).toContain(name);
          return name;
        },
      );
    // Kodi takes a link for an entry where its text is its target: of the root's no folder, so that the zip is the first.
    expect(await links('index.html')).toEqual([
      'addons.xml',
      'addons.xml.sha256',
      `Look into ${ADDON_ID}/`,
      'repository.slipstream-1.0.0.zip',
      'Look into repository.slipstream/',
      `Look into ${RUNTIME_ID}/`,
    ]);
    expect(await links(`${RUNTIME_ID}/index.html`)).toEqual(['../', 'linux-arm64/', 'linux-x64/']);
    expect(await links('repository.slipstream/index.html')).toContain('repository.slipstream-1.0.0.zip');
  });

  it('gives the add-on another version throughout', async () => {
    const { out } = await make('out', { build: { version: '9.8.7' } });
    const zip = unzipSync(await readFile(join(out, ADDON_ID, `${ADDON_ID}-9.8.7.zip`)));
    const file = (path: string) => new TextDecoder().decode(zip[`${ADDON_ID}/${path}`]);
    expect(file('addon.xml')).toContain('version="9.8.7"');
    expect(file(ENGINE_PATH)).toContain('9.8.7');
    expect(await readFile(join(out, 'addons.xml'), 'utf8')).toContain('version="9.8.7"');
  });

  it('makes no repository that could not be reached', async () => {
    const out = join(folder, 'out');
    const build = { entry: join(folder, 'main.ts'), addon: join(folder, 'addon') };
    await makePackages({ out, cache: join(folder, 'cache'), read, nodes: {}, build });
    expect(await readdir(out)).toEqual(['addons.xml', 'addons.xml.sha256', 'index.html', ADDON_ID]);
  });

  it('replaces packages, but nothing else', async () => {
    await make('out', { nodes: {} });
    await make('out', { nodes: {} });
    await mkdir(join(folder, 'mine'));
    await writeFile(join(folder, 'mine', 'letter.txt'), '');
    await expect(make('mine')).rejects.toThrow('something else');
    expect(await readdir(join(folder, 'mine'))).toEqual(['letter.txt']);
    // As where a release is kept in a repository of its own.
    await mkdir(join(folder, 'out', '.git'));
    await expect(make('out', { nodes: {} })).rejects.toThrow('something else than packages (.git)');
    expect(await readdir(join(folder, 'out'))).toContain('.git');
  });

  it('leaves the last good packages when the new ones break a rule of Kodi or a budget', async () => {
    const { out } = await make('out', { nodes: {} });
    const before = await allFiles(out);
    await expect(make('out', { nodes: { 'linux-x64': pinned('linux', 'x64', 'beos') } })).rejects.toThrow(
      'beos',
    );
    await expect(make('out', { nodes: { toaster: pinned('linux', 'x64', 'linux') } })).rejects.toThrow(
      'toaster',
    );
    await writeFile(join(folder, 'addon', 'large.bin'), randomBytes(600_000));
    await expect(make('out', { nodes: {} })).rejects.toThrow('size-budget.json');
    expect(await allFiles(out)).toEqual(before);
    expect((await readdir(folder)).filter((name) => name.includes('draft'))).toEqual([]);
  });
});

describe('the Node that is packed', () => {
  it('is the one that was checked, or none', async () => {
    const right = pinned('linux', 'x64', 'linux-x86_64');
    await expect(nodeBinary(right, read)).resolves.toMatchObject({ program: PROGRAM });
    await expect(nodeBinary({ ...right, sha256: '0'.repeat(64) }, read)).rejects.toThrow('not the one');
    await expect(nodeBinary({ ...right, size: 1 }, read)).rejects.toThrow('not the one');
  });

  it('is of one line on every platform', () => {
    for (const { node } of Object.values(NODE_BINARIES)) expect(node).toMatch(/^24\.\d+\.\d+$/);
    expect(Object.keys(NODE_BINARIES)).toEqual(['linux-x64', 'linux-arm64', 'win-x64', 'darwin-x64']);
  });

  it('is chosen by platform', () => {
    expect(Object.keys(binariesFor('linux-arm64, win-x64'))).toEqual(['linux-arm64', 'win-x64']);
    expect(() => binariesFor('linux-x64,amiga')).toThrow('amiga');
  });
});

describe('the address', () => {
  it('is taken without a slash at its end', () => {
    expect(parseBaseUrl('https://example.org/kodi/')).toBe('https://example.org/kodi');
  });

  it('is one by plain HTTP only where that is allowed, and it is said why', () => {
    const address = 'http://192.168.1.2:8000';
    expect(() => parseBaseUrl(address)).toThrow(/whoever is on the network.*--allow-http/);
    expect(parseBaseUrl(address, { allowHttp: true })).toBe(address);
  });

  it.each(['', 'example.org', 'ftp://example.org/', 'https://example.org/?a=b', 'https://me@example.org/'])(
    'not %j',
    (given) => {
      expect(() => parseBaseUrl(given)).toThrow('--base-url');
    },
  );
});
