import { escapeXml } from './escape.ts';
import { type AddonPackage, type PackedFile, sha256, zipName } from './files.ts';
import { folderPages } from './pages.ts';
import { REPOSITORY_ID } from './repository.ts';

export interface Zipped extends AddonPackage {
  readonly zip: Uint8Array;
}

/** All that a web server has to serve, by path. */
export type Site = ReadonlyMap<string, Uint8Array>;

/**
 * The folder that Kodi is pointed at: the zips, their hashes and pictures, and the index that names them all. Kodi
 * verifies addons.xml and each zip by the .sha256 beside it (its CRepository; facts in docs/packaging.md).
 */
export function siteOf(packages: readonly Zipped[]): Site {
  const files = new Map<string, Uint8Array>();
  const add = (path: string, content: Uint8Array | string) =>
    files.set(path, typeof content === 'string' ? new TextEncoder().encode(content) : content);
  const addHashed = (path: string, content: Uint8Array | string) => {
    add(path, content);
    add(`${path}.sha256`, `${sha256(content)}  ${path.slice(path.lastIndexOf('/') + 1)}\n`);
  };
  addHashed('addons.xml', catalogue(packages));
  for (const one of packages) {
    addHashed(`${one.folder}/${zipName(one)}`, one.zip);
    // Kodi shows them before anything is installed.
    for (const [name, { content }] of pictures(one)) add(`${one.folder}/${name}`, content);
    // What a person installs by hand lies where Kodi's file browser begins.
    if (one.id === REPOSITORY_ID) add(zipName(one), one.zip);
  }
  for (const [path, page] of folderPages(files)) add(path, page);
  return files;
}

function catalogue(packages: readonly Zipped[]): string {
  const entries = packages.map(catalogueEntry).join('\n');
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<addons>\n${entries}\n</addons>\n`;
}

/** The add-on's own addon.xml, with where its zip is and how large. */
function catalogueEntry(one: Zipped): string {
  const path = escapeXml(`${one.folder}/${zipName(one)}`);
  return addonXmlOf(one)
    .replace(/^\s*<\?xml[^>]*\?>\s*/, '')
    .replace(
      /<extension point="(?:xbmc|kodi)\.addon\.metadata">/,
      `$&\n    <path>${path}</path>\n    <size>${one.zip.length}</size>`,
    )
    .trimEnd();
}

function addonXmlOf({ id, files }: AddonPackage): string {
  const file = files.get('addon.xml');
  if (file === undefined) throw new Error(`${id} has no addon.xml`);
  return new TextDecoder().decode(file.content);
}

const pictures = ({ files }: AddonPackage): [string, PackedFile][] =>
  [...files].filter(([path]) => /^(?:icon|fanart)\.(?:png|jpg)$/.test(path));
