import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { USAGE } from '../src/commands/usage.ts';
import { SETTING_IDS } from '../src/settings/index.ts';
import { ACTIONS } from '../src/setup/action.ts';
import { WAY } from './kodi/way-to-first-film.ts';

// What the documents point to is there: files, headings, pictures, commands, settings.

const ROOT = join(import.meta.dirname, '..');
const documents = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const withoutCode = (text: string) => text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');

/** As GitHub makes them of headings. */
const anchorsOf = (text: string): string[] =>
  [...text.replace(/```[\s\S]*?```/g, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );

describe.each(documents)('%s', (document) => {
  const text = read(document);

  it('has links that lead somewhere', () => {
    const broken = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
      if (/^[a-z]+:/.test(target)) return [];
      const [file = '', anchor] = target.split('#');
      const path = file === '' ? document : relative(ROOT, join(ROOT, dirname(document), file));
      if (!existsSync(join(ROOT, path))) return [target];
      return anchor === undefined || anchorsOf(read(path)).includes(anchor) ? [] : [target];
    });
    expect(broken).toEqual([]);
  });

  it('names files and folders that exist', () => {
    const named = text.matchAll(/(?<![\w/.-])(?:src|test|tools|addon|sandbox|bench|mutants)\/[\w./-]*\w/g);
    expect([...named].map(([path]) => path).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('names commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...text.matchAll(/\bnpm run ([\w-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('names settings and actions that exist', () => {
    const known = new Set<string>(SETTING_IDS);
    const settings = [
      ...text.matchAll(/`((?:webdav|nzbget|direct|allow|hydra|prowlarr|indexer)_[a-z0-9_]+)`/g),
    ];
    expect(settings.map(([, id = '']) => id).filter((id) => !known.has(id))).toEqual([]);
    const actions = [...text.matchAll(/plugin:\/\/plugin\.video\.slipstream\/setup\/([\w-]+)/g)];
    expect(
      actions.map(([, id = '']) => id).filter((id) => !(ACTIONS as readonly string[]).includes(id)),
    ).toEqual([]);
  });
});

it('docs/architecture.md names functions, types and fields that exist', () => {
  const code = ['src', 'addon/resources/lib']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((name) => /\.(?:ts|py)$/.test(name))
    .map(read)
    .join('\n');
  const words = new Set(code.match(/\w+/g));
  const named = [...read('docs/architecture.md').matchAll(/`(\w+(?:\.\w+)?)`/g)].flatMap(([, name = '']) =>
    /\.(?:ts|py|xml)$/.test(name) ? [] : name.split('.'),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !words.has(name))).toEqual([]);
});

it('every document of docs/ is linked from another one', () => {
  const isLinked = (document: string) =>
    documents.some((other) => other !== document && read(other).includes(document.slice('docs/'.length)));
  const lonely = documents.filter((document) => document.startsWith('docs/') && !isLinked(document));
  expect(lonely).toEqual([]);
});

it('the keys from an empty Kodi to the first film are those that are pressed in a real one', () => {
  const text = read('docs/keys.md');
  const told = [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \| (\d+) \| [^|]{10,} \|$/gm)].map(
    ([, name, keys, count]) => ({ name, keys: keys?.split(', '), count: Number(count) }),
  );
  const pressed = WAY.map(({ name, screen, presses }) => {
    const keys = presses.map((one) => ('asked' in one || one[1] === 'Select' ? 'OK' : one[1]));
    return { screen, name, keys, count: keys.length };
  });
  const of = (screen: string) => pressed.filter((each) => each.screen === screen);
  const order = [...of('Kodi'), ...of('Slipstream')];
  expect(told).toEqual(order.map(({ screen: _, ...step }) => step));
  const sum = (steps: typeof pressed) => steps.reduce((all, { count }) => all + count, 0);
  expect(text).toContain(
    `${sum(pressed)} keys of a remote control, of which ${sum(of('Kodi'))} are Kodi's own`,
  );
});

/** What the sources say, with "…" where they put something in. */
const saidBySources = (): string => {
  const files = (folder: string, ending: string): string[] =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(ending))
      .map((name) => read(join(folder, name)));
  const python = files('addon/resources/lib', '.py').map((text) => text.replace(/"\s*\n\s*"/g, ''));
  return [...files('src', '.ts'), ...files('src', '.mjs'), ...python]
    .join('\n')
    .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}|%[sd]/g, '…')
    .replace(/\s+/g, ' ');
};

// In italics stands what Slipstream says: a message, a setting, an entry of a menu.
describe('what is said in italics', () => {
  const said = saidBySources();
  // A message names the service that it is about.
  const NAMES = /NZBGet|NZBHydra2|Prowlarr|AltMount|StreamNZB|nzbdav/g;
  const isSaid = (words: string) =>
    words
      .replace(NAMES, '…')
      .split('…')
      .map((part) => part.trim())
      .filter((part) => /\p{L}{3}/u.test(part))
      .every((part) => said.includes(part) || said.replace(NAMES, '…').includes(part));

  const NAMED = ['troubleshooting', 'backends', 'backends-internals', 'indexers', 'quick-start'];
  it.each(NAMED)('docs/%s.md', (name) => {
    const italics = [...withoutCode(read(`docs/${name}.md`)).matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)];
    expect(italics.length).toBeGreaterThan(0);
    expect(
      italics.map(([, words = '']) => words.replace(/\s+/g, ' ')).filter((words) => !isSaid(words)),
    ).toEqual([]);
  });
});

/** What the quick start says in bold is to be pressed: in Slipstream or on its page, but for this. */
const OF_KODI = ['Unknown sources', 'Add source', 'Install from zip file', 'Install from repository', 'Yes'];
const EMPHASIS = ['Kodi 21', 'indexer', 'backend', 'Without TMDbHelper'];

it('what the quick start tells to press is there', () => {
  const said = saidBySources();
  const bold = [...withoutCode(read('docs/quick-start.md')).matchAll(/\*\*([^*]+)\*\*/g)].map(
    ([, words = '']) => words.replace('Big Buck Bunny', '…').replace(/\s+/g, ' '),
  );
  expect(bold.length).toBeGreaterThan(10);
  const others = [...OF_KODI, ...EMPHASIS];
  expect(bold.filter((words) => !others.includes(words) && !said.includes(words))).toEqual([]);
});

/** The cells of the table that follows the heading. */
const tableAfter = (text: string, heading: string): string[][] =>
  (text.split(heading)[1] ?? '')
    .split(/\n#/, 1)[0]!
    .split('\n')
    .filter((line) => /^\| (?!-)/.test(line))
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.replaceAll('`', '').trim()),
    );

it('the table of error codes has each of them', () => {
  const codes = [...read('src/errors/codes.ts').matchAll(/\| '([A-Z_]+)'/g)].map(([, code]) => code);
  const rows = tableAfter(read('docs/troubleshooting.md'), '## Error codes');
  expect(rows.map(([code]) => code)).toEqual(codes);
});

it('the table of indexers has each that is known by name', () => {
  const presets = read('src/setup/lists/indexers/presets.ts').matchAll(/\{ name: '(.+)', url: '(.+)' \}/g);
  const rows = tableAfter(read('docs/indexers.md'), '\n## Indexers\n');
  expect(rows).toEqual([...presets].map(([, name, url]) => [name, url]));
});

it('pictures are small, and each is shown', () => {
  const text = documents.map(read).join('\n');
  const pictures = readdirSync(join(ROOT, 'docs/images'));
  expect(pictures.filter((name) => !text.includes(`images/${name})`))).toEqual([]);
  expect(pictures.filter((name) => statSync(join(ROOT, 'docs/images', name)).size >= 200_000)).toEqual([]);
});

describe('the front page', () => {
  const text = read('README.md');

  it('tells how large Node.js is', () => {
    const offer = read('addon/resources/lib/slipstream_host/runtime/install_offer.py');
    const [download, installed] = ['_DOWNLOAD_MB', '_INSTALLED_MB'].map((name) =>
      Number(new RegExp(`^${name} = (\\d+)$`, 'm').exec(offer)?.[1]),
    ) as [number, number];
    expect(text).toContain(
      `${download} MB to download, ${download + installed} MB of disk; on Windows ${download + 2 * installed}`,
    );
  });

  it('names the zip of this version', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(text).toContain(`/plugin.video.slipstream-${version}.zip`);
  });

  it('tells the oldest glibc that will do', () => {
    const oldest = new Set(
      [...read('tools/package/node-binaries.json').matchAll(/"glibc": "([\d.]+)"/g)].map(
        ([, glibc]) => glibc,
      ),
    );
    expect([...oldest]).toEqual([/glibc older than ([\d.]+);/.exec(text)?.[1]]);
  });

  it('links every document', () => {
    expect(documents.filter((name) => name !== 'README.md' && !text.includes(`](${name}`))).toEqual([]);
  });
});

it('commands of ours in the documents exist', () => {
  const known = [...read('src/main.ts').matchAll(/case '([\w-]+)':/g)].map(([, name]) => name);
  const blocks = documents.flatMap((document) => [...read(document).matchAll(/```sh\n([\s\S]*?)```/g)]);
  const named = blocks.flatMap(([, block = '']) => [...block.matchAll(/^(?:.*\| )?slipstream (\S+)/gm)]);
  expect(named.length).toBeGreaterThan(0);
  expect(named.map(([, name]) => name).filter((name) => !known.includes(name))).toEqual([]);
  expect(named.map(([, name]) => name).filter((name) => !USAGE.includes(name!))).toEqual([]);
});
