import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTING_IDS } from '../src/settings/index.ts';
import { ACTIONS } from '../src/setup/action.ts';

/** What the documents point to is there: files, headings, pictures, commands, settings. */

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

it('every document of docs/ is linked from another one', () => {
  const all = documents.map((document) => read(document)).join('\n');
  const lonely = documents.filter(
    (document) => document.startsWith('docs/') && !all.includes(document.slice('docs/'.length)),
  );
  expect(lonely).toEqual([]);
});
