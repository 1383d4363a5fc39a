import { type AddonPackage, type PackedFile, text } from './files.ts';
import { nodeBinary, type ReadPackage } from './node-binary.ts';
import type { NodeBinary } from './platforms.ts';

/** One id for all platforms: Kodi picks the entry of the index that is for its own. */
export const RUNTIME_ID = 'script.module.slipstream.node';

export interface RuntimeOptions {
  readonly icon: Uint8Array;
  readonly read: ReadPackage;
}

/** The add-on that holds a Node.js for one platform. Its version is Node's. */
export async function runtimeAddon(
  platform: string,
  pinned: NodeBinary,
  { icon, read }: RuntimeOptions,
): Promise<AddonPackage> {
  const { program, licences } = await nodeBinary(pinned, read);
  return {
    id: RUNTIME_ID,
    version: pinned.node,
    folder: `${RUNTIME_ID}/${platform}`,
    files: new Map<string, PackedFile>([
      ['addon.xml', text(addonXml(pinned))],
      ['icon.png', { content: icon }],
      ['LICENSE', { content: licences }],
      ['runtime.json', text(runtimeJson(platform, pinned))],
      [pinned.file, { content: program, executable: true }],
    ]),
  };
}

/** What the host reads before it trusts the program: slipstream_host/runtime/manifest.py is the other side. */
function runtimeJson(
  platform: string,
  { node, file, sha256, size, os, arch, loader, glibc }: NodeBinary,
): string {
  const facts = { version: 1, node, platform, file, sha256, size, os, arch, loader, glibc };
  return `${JSON.stringify(facts, undefined, 2)}\n`;
}

/**
 * A "module", because Kodi hides such add-ons from the person's lists and removes them with the last add-on that
 * imports them: nobody is left with 120 MB that nothing uses. The library is the folder that Kodi adds to Python's path
 * of whoever imports it; there is no Python in it.
 */
const addonXml = ({
  node,
  kodi,
}: NodeBinary): string => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<addon id="${RUNTIME_ID}" name="Node.js for Slipstream" version="${node}" provider-name="Slipstream">
  <requires>
    <import addon="xbmc.python" version="3.0.0"/>
  </requires>
  <extension point="xbmc.python.module" library="bin"/>
  <extension point="xbmc.addon.metadata">
    <summary lang="en_GB">The Node.js that Slipstream runs on</summary>
    <description lang="en_GB">Node.js ${node} as its makers built it, for systems that bring none, or one that is too old. Slipstream asks for it when it needs it.</description>
    <platform>${kodi}</platform>
    <license>MIT and others, see LICENSE</license>
    <website>https://nodejs.org</website>
    <assets>
      <icon>icon.png</icon>
    </assets>
  </extension>
</addon>
`;
