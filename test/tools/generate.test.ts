import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { SETTINGS, type Setting } from '../../src/settings/index.ts';
import { CATEGORIES } from '../../tools/generate/categories.ts';
import { settingsXml } from '../../tools/generate/settings-xml.ts';
import { numberedStrings, stringsPo } from '../../tools/generate/strings-po.ts';

// One setting of each kind; invented.
const SAMPLE: readonly Setting[] = [
  {
    id: 'name',
    category: 'connection',
    stringId: 30100,
    label: 'A "name"',
    help: 'Help',
    type: 'text',
    default: 'a<b&c',
  },
  {
    id: 'key',
    category: 'connection',
    stringId: 30102,
    label: 'Key',
    help: 'Help',
    type: 'text',
    default: '',
    secret: true,
  },
  {
    id: 'ask',
    category: 'playback',
    stringId: 30104,
    label: 'Ask',
    help: 'Help',
    type: 'boolean',
    default: true,
  },
  {
    id: 'wait',
    category: 'advanced',
    stringId: 30106,
    label: 'Wait',
    help: 'C:\\x',
    type: 'integer',
    default: 5,
    min: 1,
    max: 9,
  },
  {
    id: 'order',
    category: 'advanced',
    stringId: 30108,
    label: 'Order',
    help: 'Help',
    type: 'choice',
    default: 'up',
    options: [
      { value: 'up', label: 'Upwards', stringId: 30110 },
      { value: 'down', label: 'Downwards', stringId: 30111 },
    ],
  },
];

interface Found {
  readonly path: string;
  readonly attributes: Record<string, string>;
}

function elements(xml: string): Found[] {
  const found: Found[] = [];
  const stack: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    stack.push(tag.name);
    found.push({ path: stack.join('/'), attributes: tag.attributes });
  });
  parser.on('closetag', () => stack.pop());
  parser.write(xml).close();
  return found;
}

const settingsIn = (xml: string) =>
  elements(xml).filter(({ path }) => path === 'settings/section/category/group/setting');

describe('settings.xml', () => {
  it('holds every setting of the table once, with its label and help', () => {
    const found = settingsIn(settingsXml('an.addon', CATEGORIES, SETTINGS)).map(
      ({ attributes }) => attributes,
    );
    expect(found.map(({ id }) => id).sort()).toEqual(SETTINGS.map(({ id }) => id).sort());
    for (const row of SETTINGS) {
      expect(found.find(({ id }) => id === row.id)).toMatchObject({
        type: row.type === 'text' || row.type === 'choice' ? 'string' : row.type,
        label: String(row.stringId),
        help: String(row.stringId + 1),
      });
    }
  });

  it('has one section and leaves out a page without settings', () => {
    const found = elements(settingsXml('an.addon', CATEGORIES, SAMPLE));
    const section = found.filter(({ path }) => path === 'settings/section');
    expect(section.map(({ attributes }) => attributes['id'])).toEqual(['an.addon']);
    const pages = found.filter(({ path }) => path === 'settings/section/category');
    expect(pages.map(({ attributes }) => attributes['id'])).toEqual(['connection', 'playback', 'advanced']);
  });

  it('writes each kind with its default, constraints and control', () => {
    const xml = settingsXml('an.addon', CATEGORIES, SAMPLE);
    const block = (id: string) => new RegExp(`<setting id="${id}".*?</setting>`, 's').exec(xml)?.[0] ?? '';
    expect(block('name')).toContain('<default>a&lt;b&amp;c</default>');
    expect(block('name')).not.toContain('<hidden>');
    expect(block('name')).not.toContain('allowempty');
    expect(block('key')).toContain('<default/>');
    expect(block('key')).toContain('<hidden>true</hidden>');
    expect(block('key')).toContain('<allowempty>true</allowempty>');
    expect(block('ask')).toContain('<control type="toggle"/>');
    expect(block('wait')).toContain('<minimum>1</minimum><step>1</step><maximum>9</maximum>');
    expect(block('wait')).toContain('<level>2</level>');
    expect(block('order')).toContain('type="string"');
    expect(block('order')).toContain(
      '<options><option label="30110">up</option><option label="30111">down</option></options>',
    );
    expect(block('order')).toContain('<control type="list" format="string">');
  });
});

describe('strings.po', () => {
  it('holds label and help of every setting and the name of every page', () => {
    const texts = new Map(numberedStrings(CATEGORIES, SETTINGS));
    for (const { stringId, label, help } of SETTINGS) {
      expect(texts.get(stringId)).toBe(label);
      expect(texts.get(stringId + 1)).toBe(help);
    }
    for (const { stringId, label } of CATEGORIES) expect(texts.get(stringId)).toBe(label);
  });

  it('holds the name of every option', () => {
    const texts = new Map(numberedStrings([], SAMPLE));
    expect(texts.get(30110)).toBe('Upwards');
    expect(texts.get(30111)).toBe('Downwards');
  });

  it('escapes what PO files escape and leaves translations empty', () => {
    const po = stringsPo('an.addon', [], SAMPLE);
    expect(po).toContain('msgctxt "#30100"\nmsgid "A \\"name\\""\nmsgstr ""\n');
    expect(po).toContain('msgid "C:\\\\x"');
  });

  it('refuses a number that is used twice', () => {
    const clashing = SAMPLE.map((setting, index) => ({ ...setting, stringId: 30100 + index }));
    expect(() => numberedStrings(CATEGORIES, clashing)).toThrow('30101');
  });
});
