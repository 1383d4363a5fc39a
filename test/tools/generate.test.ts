import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { PAGES, type Row, rowsOf, type SettingsPage } from '../../src/settings/index.ts';
import { settingsXml } from '../../tools/generate/settings-xml.ts';
import { numberedStrings, stringsPo } from '../../tools/generate/strings-po.ts';

// One row of each kind; invented.
const SAMPLE: readonly SettingsPage[] = [
  {
    id: 'first',
    label: 'First',
    stringId: 30001,
    groups: [
      {
        label: 'Who',
        stringId: 30020,
        rows: [
          {
            id: 'name',
            stringId: 30100,
            label: 'A "name"',
            help: 'Help',
            type: 'text',
            default: 'a<b&c',
          },
          {
            id: 'key',
            stringId: 30102,
            label: 'Key',
            help: 'Help',
            level: 'standard',
            type: 'text',
            default: '',
            secret: true,
            shownWhen: { setting: 'name', is: { set: true } },
          },
          {
            id: 'try',
            stringId: 30112,
            label: 'Try',
            help: 'Help',
            type: 'action',
            action: 'test',
            service: 'a&b',
          },
        ],
      },
    ],
  },
  {
    id: 'second',
    label: 'Second',
    stringId: 30002,
    groups: [
      {
        label: 'How',
        stringId: 30021,
        shownWhen: { setting: 'name', is: 'a<b' },
        rows: [
          {
            id: 'ask',
            stringId: 30104,
            label: 'Ask',
            help: 'Help',
            type: 'boolean',
            default: true,
          },
          {
            id: 'wait',
            stringId: 30106,
            label: 'Wait',
            help: 'C:\\x',
            level: 'advanced',
            type: 'integer',
            default: 5,
            min: 1,
            max: 9,
            shownWhen: { setting: 'ask', is: true },
          },
          {
            id: 'order',
            stringId: 30108,
            label: 'Order',
            help: 'Help',
            level: 'expert',
            type: 'choice',
            default: 'up',
            options: [
              { value: 'up', label: 'Upwards', stringId: 30110 },
              { value: 'down', label: 'Downwards', stringId: 30111 },
            ],
          },
        ],
      },
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
const block = (id: string, xml: string) =>
  new RegExp(`<setting id="${id}".*?</setting>`, 's').exec(xml)?.[0] ?? '';

describe('settings.xml', () => {
  const ROWS: readonly Row[] = rowsOf(PAGES);

  it('holds every row of the table once, in its order, with its label and help', () => {
    const found = settingsIn(settingsXml('an.addon', PAGES)).map(({ attributes }) => attributes);
    expect(found).toEqual(
      ROWS.map(({ id, type, stringId }) => ({
        id,
        type: type === 'text' || type === 'choice' ? 'string' : type,
        label: String(stringId),
        help: String(stringId + 1),
      })),
    );
  });

  it('has one section, a category for each page, and a named group for each group', () => {
    const found = elements(settingsXml('an.addon', PAGES));
    const at = (path: string) => found.filter((each) => each.path === path).map((each) => each.attributes);
    expect(at('settings/section').map(({ id }) => id)).toEqual(['an.addon']);
    expect(at('settings/section/category')).toEqual(
      PAGES.map(({ id, stringId }) => ({ id, label: String(stringId) })),
    );
    expect(at('settings/section/category/group')).toEqual(
      PAGES.flatMap(({ groups }) =>
        groups.map(({ stringId }, index) => ({ id: String(index + 1), label: String(stringId) })),
      ),
    );
  });

  it('writes each kind with its default, constraints and control', () => {
    const xml = settingsXml('an.addon', SAMPLE);
    expect(block('name', xml)).toContain('<default>a&lt;b&amp;c</default>');
    expect(block('name', xml)).not.toContain('<hidden>');
    expect(block('name', xml)).not.toContain('allowempty');
    expect(block('key', xml)).toContain('<default/>');
    expect(block('key', xml)).toContain('<hidden>true</hidden>');
    expect(block('key', xml)).toContain('<allowempty>true</allowempty>');
    expect(block('ask', xml)).toContain('<control type="toggle"/>');
    expect(block('wait', xml)).toContain('<minimum>1</minimum><step>1</step><maximum>9</maximum>');
    expect(block('order', xml)).toContain('type="string"');
    expect(block('order', xml)).toContain(
      '<options><option label="30110">up</option><option label="30111">down</option></options>',
    );
    expect(block('order', xml)).toContain('<control type="list" format="string">');
  });

  it('writes the level of each row', () => {
    const xml = settingsXml('an.addon', SAMPLE);
    const levels = ['name', 'key', 'wait', 'order'].map((id) => /<level>(\d)</.exec(block(id, xml))?.[1]);
    expect(levels).toEqual(['0', '1', '2', '3']);
  });

  it('shows what applies: under the condition of the row, and of its group', () => {
    const xml = settingsXml('an.addon', SAMPLE);
    expect(block('name', xml)).not.toContain('<depend');
    expect(block('key', xml)).toContain(
      '<dependency type="visible" setting="name" operator="!is"></dependency>',
    );
    const ofGroup = '<dependency type="visible" setting="name" operator="is">a&lt;b</dependency>';
    expect(block('ask', xml)).toContain(`<dependencies>${ofGroup}</dependencies>`);
    expect(block('wait', xml)).toContain(
      `<dependencies>${ofGroup}<dependency type="visible" setting="ask" operator="is">true</dependency></dependencies>`,
    );
  });

  it('makes a button close the dialog, and so store, before it runs, and tells where to come back', () => {
    const button = block('try', settingsXml('an.addon', SAMPLE));
    expect(button).toContain('<control type="button" format="action"><close>true</close></control>');
    expect(button).toContain(
      '<data>RunPlugin(plugin://an.addon/setup/test?service=a%26b&amp;back=first)</data>',
    );
    expect(button).not.toContain('<default');
  });
});

describe('strings.po', () => {
  it('holds every string that settings.xml refers to, and no other', () => {
    const used = elements(settingsXml('an.addon', PAGES)).flatMap(({ attributes }) =>
      [attributes['label'], attributes['help']].filter((id) => id !== undefined),
    );
    const headings = [...settingsXml('an.addon', PAGES).matchAll(/<heading>(\d+)</g)].map(([, id]) => id!);
    const ids = [...stringsPo('an.addon', PAGES).matchAll(/^msgctxt "#(\d+)"$/gm)].map(([, id]) => id!);
    expect(ids).toEqual([...new Set([...used, ...headings])].sort());
    // Kodi's range for plugins.
    for (const id of ids) expect(id).toMatch(/^30\d{3}$/);
  });

  it('holds label and help of every row, and the name of every page and group', () => {
    const texts = new Map(numberedStrings(PAGES));
    for (const { stringId, label, help } of rowsOf(PAGES)) {
      expect([texts.get(stringId), texts.get(stringId + 1)]).toEqual([label, help]);
    }
    for (const { stringId, label, groups } of PAGES) {
      expect(texts.get(stringId)).toBe(label);
      for (const group of groups) expect(texts.get(group.stringId)).toBe(group.label);
    }
  });

  it('holds the name of every option', () => {
    const texts = new Map(numberedStrings(SAMPLE));
    expect([texts.get(30110), texts.get(30111)]).toEqual(['Upwards', 'Downwards']);
  });

  it('escapes what PO files escape and leaves translations empty', () => {
    const po = stringsPo('an.addon', SAMPLE);
    expect(po).toContain('msgctxt "#30100"\nmsgid "A \\"name\\""\nmsgstr ""\n');
    expect(po).toContain('msgid "C:\\\\x"');
  });

  it('refuses a number that is used twice, or that was given up', () => {
    const [first, ...others] = SAMPLE;
    expect(() => numberedStrings([{ ...first!, stringId: 30101 }, ...others])).toThrow('30101');
    expect(() => numberedStrings(SAMPLE, [30107])).toThrow('30107 is retired');
  });
});
