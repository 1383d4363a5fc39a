import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { AddonPackage } from '../../../tools/package/files.ts';
import { repositoryAddon } from '../../../tools/package/repository.ts';
import { runtimeAddon } from '../../../tools/package/runtime.ts';
import { packageFaults, verifyPackages } from '../../../tools/package/verify/index.ts';
import { edited, example, including, pinned, read, without } from './parts.ts';

const good = await example();
const icon = good.files.get('icon.png')!.content;
const licence = good.files.get('LICENSE.txt')!.content;
const faults = (one: AddonPackage) => packageFaults(one, new Set([one.id]));

const XML = 'addon.xml';
const SETTINGS = 'resources/settings.xml';
const STRINGS = 'resources/language/resource.language.en_gb/strings.po';

/** A picture of one colour; `colours` is the PNG's colour type, 6 with transparency. */
function png(width: number, height: number, colours = 2, extra?: [kind: string, data: Buffer]): Uint8Array {
  const chunk = (kind: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(kind), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colours], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(extra === undefined ? [] : [chunk(...extra)]),
    chunk('IDAT', deflateSync(Buffer.alloc(1))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('the checker', () => {
  it('finds nothing wrong with what is right', async () => {
    const runtime = await runtimeAddon('linux-x64', pinned('linux', 'x64', 'linux-x86_64'), { icon, read });
    const repository = repositoryAddon({ baseUrl: 'https://example.org/kodi', icon, licence });
    for (const one of [good, runtime, repository]) expect(faults(one), one.id).toEqual([]);
    expect(() => {
      verifyPackages([good, runtime, repository]);
    }).not.toThrow();
  });

  it('names every fault of every add-on at once', () => {
    const other = edited(edited(good, XML, 'name="Example"', 'name=""'), XML, '<license>MIT</license>', '');
    expect(() => {
      verifyPackages([good, other]);
    }).toThrow(/has no name\n.*no <license>/);
  });

  it.each<[rule: string, path: string, from: string | RegExp, to: string, fault: string]>([
    ['well-formed', XML, '</addon>', '', 'addon.xml: '],
    ['root', XML, /addon(?= id|>\n$)/g, 'plugin', 'not about <addon>'],
    ['id', XML, 'id="plugin', 'id="script', 'names the add-on script.video.example'],
    ['version', XML, '1.2.3', '1.2.4', 'says version 1.2.4'],
    ['name', XML, 'name="Example"', 'name=" "', 'has no name'],
    ['provider', XML, ' provider-name="Nobody"', '', 'has no provider-name'],
    ['unknown element', XML, '</addon>', '<more/></addon>', 'unknown <more>'],
    ['import without version', XML, ' version="3.0.0"', '', 'import of xbmc.python names no version'],
    [
      'import of a stranger',
      XML,
      '</requires>',
      '<import addon="script.x" version="1.0.0"/></requires>',
      'script.x is imported',
    ],
    ['other Python', XML, '3.0.0', '2.25.0', 'does not import xbmc.python 3.0.0'],
    ['extension point', XML, 'xbmc.python.pluginsource', 'xbmc.python.plugin', 'no extension point'],
    ['no extension', XML, /<extension point="xbmc.python.*\n/, '', 'extends nothing'],
    ['library', XML, 'library="addon.py"', 'library="main.py"', 'the library main.py'],
    ['metadata', XML, 'xbmc.addon.metadata', 'xbmc.addon.meta', '0 metadata extensions'],
    ['summary', XML, /<summary.*\n/, '', 'no <summary>'],
    ['language', XML, 'lang="en_GB">An', 'lang="english">An', '<summary> says no language'],
    ['English', XML, 'lang="en_GB">An', 'lang="de_DE">An', 'no English <summary>'],
    ['twice', XML, '<platform>', '<license>MIT</license><platform>', '<license> is there twice'],
    ['empty', XML, 'MIT', '', '<license> is empty'],
    ['too long', XML, 'It does', 'x'.repeat(2500), '2500 are allowed'],
    ['unknown metadata', XML, '<platform>', '<colour>red</colour><platform>', 'unknown <colour>'],
    ['platform', XML, 'linux windows', 'linux beos', 'no platform "beos"'],
    ['no assets', XML, /<assets>.*<\/assets>/, '', 'no <assets>'],
    ['icon', XML, '<icon>icon.png</icon>', '', 'must name one <icon>'],
    ['icon elsewhere', XML, 'icon.png', 'art/icon.png', 'art/icon.png is named but not there'],
    ['settings form', SETTINGS, 'version="1"', 'version="2"', 'format version 1'],
    [
      'settings section',
      SETTINGS,
      'plugin.video.example',
      'other',
      'one section, called plugin.video.example',
    ],
    ['settings well-formed', SETTINGS, '</settings>', '', 'settings.xml: '],
    ['setting twice', SETTINGS, 'id="wanted"', 'id="address"', 'the setting address is there twice'],
    ['setting without id', SETTINGS, ' id="wanted"', '', 'a setting has no id'],
    ['setting type', SETTINGS, 'type="boolean"', 'type="bool"', 'no known type: "bool"'],
    ['setting level', SETTINGS, '<level>0</level>', '<level>9</level>', 'no level'],
    ['setting control', SETTINGS, '<control type="toggle"/>', '', 'wanted has no control'],
    ['wrong control', SETTINGS, 'type="toggle"', 'type="edit"', 'boolean is not shown by edit'],
    ['no default', SETTINGS, '<default/>', '', 'address has no default'],
    ['wrong default', SETTINGS, '<default>true<', '<default>maybe<', 'cannot be "maybe"'],
    ['label', SETTINGS, 'label="30001"', 'label="30002"', 'no text #30002'],
    ['heading', SETTINGS, '<heading>30100<', '<heading>30101<', 'no text #30101'],
    ['dependency', SETTINGS, 'setting="address"', 'setting="adress"', 'depends on adress'],
    ['text number', STRINGS, '#30001', '#29999', '#29999 is not between'],
    ['text twice', STRINGS, '#30100', '#30001', '#30001 is there twice'],
    ['empty text', STRINGS, '"Address"', '""', '#30100 is empty'],
  ])('%s', (_rule, path, from, to, fault) => {
    expect(faults(edited(good, path, from, to)).join('\n')).toContain(fault);
  });

  it.each<[rule: string, broken: AddonPackage, fault: string]>([
    ['no addon.xml', without(good, XML), 'there is no addon.xml'],
    ['no licence', without(good, 'LICENSE.txt'), 'no licence'],
    ['hidden file', including(good, 'resources/.DS_Store', ''), 'does not belong'],
    ['compiled Python', including(good, 'lib/a.pyc', ''), 'does not belong'],
    ['cache', including(good, '__pycache__/a.txt', ''), 'does not belong'],
    ['odd name', including(good, 'a b.txt', ''), 'not every system takes'],
    ['capitals', including(good, 'LICENSE.TXT', ''), 'capitals only'],
    ['other XML', including(good, 'skin.xml', '<window>'), 'skin.xml: '],
    ['JSON', including(good, 'player.json', '{'), 'player.json: '],
    ['no picture', including(good, 'a.png', 'GIF89a'), 'a.png is no PNG'],
    ['icon size', including(good, 'icon.png', png(300, 300)), '300x300'],
    ['transparent icon', including(good, 'icon.png', png(256, 256, 6)), 'transparent'],
    [
      'transparent colour',
      including(good, 'icon.png', png(256, 256, 3, ['tRNS', Buffer.alloc(1)])),
      'transparent',
    ],
    ['fanart size', including(good, 'fanart.png', png(800, 600)), '800x600'],
    ['no English texts', without(good, STRINGS), 'no text #30001'],
    [
      'texts of another language alone',
      including(without(good, STRINGS), STRINGS.replace('en_gb', 'de_de'), ''),
      'falls back',
    ],
    [
      'old place of texts',
      including(good, 'resources/language/English/strings.po', ''),
      'no place for texts',
    ],
    ['id', { ...good, id: 'Plugin' }, 'Plugin is no id'],
    ['version', { ...good, version: 'latest' }, 'latest is no version'],
  ])('%s', (_rule, broken, fault) => {
    expect(faults(broken).join('\n')).toContain(fault);
  });

  it.each<[rule: string, from: string, to: string, fault: string]>([
    ['index', 'https://example.org/kodi/addons.xml<', 'addons.xml<', '<info>'],
    ['checksum', 'https://example.org/kodi/addons.xml.sha256', '', '<checksum> is no address'],
    ['how it is verified', 'verify="sha256"', '', 'does not verify'],
    ['folder', 'https://example.org/kodi/<', 'https://example.org/kodi<', '<datadir> is no'],
    ['zips', 'zip="true"', 'zip="false"', 'holds zips'],
    ['hashes', '<hashes>sha256', '<hashes>md5', '<hashes>'],
    ['no folder', '(?<!data)dir>', 'folder>', 'names no <dir>'],
  ])('a repository: %s', (_rule, from, to, fault) => {
    const repository = repositoryAddon({ baseUrl: 'https://example.org/kodi', icon, licence });
    expect(faults(edited(repository, XML, new RegExp(from, 'g'), to)).join('\n')).toContain(fault);
  });
});
