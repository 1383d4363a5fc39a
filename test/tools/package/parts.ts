import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../../tools/lib/paths.ts';
import { type AddonPackage, sha256, text } from '../../../tools/package/files.ts';
import type { ReadPackage } from '../../../tools/package/node-binary.ts';
import type { NodeBinaries, NodeBinary } from '../../../tools/package/platforms.ts';

/** In the place of Node: what is packed is not run here. */
export const PROGRAM = new TextEncoder().encode('#!/bin/sh\necho v24.1.2\n');

export const pinned = (os: string, arch: string, kodi: string): NodeBinary => ({
  package: `node-${os}-${arch}`,
  node: '24.1.2',
  sha256: sha256(PROGRAM),
  size: PROGRAM.length,
  file: 'bin/node',
  os,
  arch,
  kodi,
  ...(os === 'linux' && { loader: `/lib/ld-${arch}.so.1`, glibc: '2.28' }),
});

export const NODES: NodeBinaries = {
  'linux-x64': pinned('linux', 'x64', 'linux-x86_64'),
  'linux-arm64': pinned('linux', 'arm64', 'linux-aarch64'),
};

/** npm's registry, as far as these tests know it. */
export const read: ReadPackage = (_name, _version, path) =>
  Promise.resolve(path === 'LICENSE' ? new TextEncoder().encode('Take it.') : PROGRAM);

const STRINGS = `msgid ""
msgstr ""

msgctxt "#30001"
msgid "Connection"
msgstr ""

msgctxt "#30100"
msgid "Address"
msgstr ""
`;

const SETTINGS = `<settings version="1">
  <section id="plugin.video.example">
    <category id="connection" label="30001">
      <group id="1">
        <setting id="address" type="string" label="30100">
          <level>0</level>
          <default/>
          <control type="edit" format="string"><heading>30100</heading></control>
        </setting>
        <setting id="wanted" type="boolean" label="30100">
          <level>1</level>
          <default>true</default>
          <dependencies><dependency type="enable" setting="address" operator="!is"/></dependencies>
          <control type="toggle"/>
        </setting>
      </group>
    </category>
  </section>
</settings>
`;

const ADDON = `<?xml version="1.0" encoding="UTF-8"?>
<addon id="plugin.video.example" name="Example" version="1.2.3" provider-name="Nobody">
  <requires>
    <import addon="xbmc.python" version="3.0.0"/>
  </requires>
  <extension point="xbmc.python.pluginsource" library="addon.py"><provides>video</provides></extension>
  <extension point="xbmc.addon.metadata">
    <summary lang="en_GB">An example</summary>
    <description lang="en_GB">It does nothing.</description>
    <platform>linux windows</platform>
    <license>MIT</license>
    <assets><icon>icon.png</icon><fanart>fanart.png</fanart></assets>
  </extension>
</addon>
`;

/** An add-on without a fault. */
export async function example(): Promise<AddonPackage> {
  return {
    id: 'plugin.video.example',
    version: '1.2.3',
    folder: 'plugin.video.example',
    files: new Map([
      ['addon.xml', text(ADDON)],
      ['addon.py', text('')],
      ['LICENSE.txt', text('MIT')],
      ['icon.png', { content: await readFile(join(ROOT, 'addon/icon.png')) }],
      ['fanart.png', { content: await readFile(join(ROOT, 'addon/fanart.png')) }],
      ['resources/settings.xml', text(SETTINGS)],
      ['resources/language/resource.language.en_gb/strings.po', text(STRINGS)],
    ]),
  };
}

/** The same with another text in a file. */
export function edited(one: AddonPackage, path: string, from: string | RegExp, to: string): AddonPackage {
  const before = new TextDecoder().decode(one.files.get(path)?.content);
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${path} has no ${String(from)}`);
  return { ...one, files: new Map([...one.files, [path, text(after)]]) };
}

/** The same with another file. */
export const including = (one: AddonPackage, path: string, content: Uint8Array | string): AddonPackage => ({
  ...one,
  files: new Map([...one.files, [path, typeof content === 'string' ? text(content) : { content }]]),
});

export const without = (one: AddonPackage, path: string): AddonPackage => ({
  ...one,
  files: new Map([...one.files].filter(([name]) => name !== path)),
});
