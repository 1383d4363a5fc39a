import type { AddonPackage } from '../files.ts';
import { parseXml } from './element.ts';

/** What has no business in an add-on: leftovers of tools, hidden files, folders of version control. */
const LEFTOVER = /(?:^|\/)(?:\.|__pycache__(?:\/|$)|Thumbs\.db$)|\.(?:pyc|pyo|orig|swp|zip)$/;
/** Names that every file system takes: Kodi unpacks on FAT as well. */
const PLAIN_NAME = /^[A-Za-z0-9_./@-]+$/;
const LONGEST_PATH = 150;

/** The files as such: their names, and that what Kodi parses can be parsed. */
export function contentFaults({ files }: AddonPackage): string[] {
  const names = [...files.keys()];
  const folded = names.map((name) => name.toLowerCase());
  return [
    ...(names.some((name) => /^LICENSE(?:\.txt|\.md)?$/.test(name)) ? [] : ['there is no licence']),
    ...names.filter((name) => LEFTOVER.test(name)).map((name) => `${name} does not belong into an add-on`),
    ...names.filter((name) => !isPlain(name)).map((name) => `${name} is a name that not every system takes`),
    ...names
      .filter((_name, index) => folded.indexOf(folded[index] ?? '') !== index)
      .map((name) => `${name} differs from another file by capitals only`),
    ...[...files].flatMap(([name, { content }]) => parseFault(name, content)),
  ];
}

const isPlain = (name: string): boolean =>
  PLAIN_NAME.test(name) && !name.includes('..') && !name.startsWith('/') && name.length <= LONGEST_PATH;

function parseFault(name: string, content: Uint8Array): string[] {
  const parse = name.endsWith('.xml') ? parseXml : name.endsWith('.json') ? JSON.parse : undefined;
  // addon.xml and settings.xml are read, and told about, by what checks them.
  if (parse === undefined || name === 'addon.xml' || name === 'resources/settings.xml') return [];
  try {
    parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
    return [];
  } catch (error) {
    return [`${name}: ${(error as Error).message}`];
  }
}
