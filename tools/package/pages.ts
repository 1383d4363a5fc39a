import { escapeXml } from './escape.ts';

/**
 * An index.html for each folder of `files`, by path. Not every web server lists folders, GitHub Pages does not; with
 * these Kodi's file manager can browse them, as a person can. Kodi reads a link as an entry when its text is its target:
 * where the repository's zip lies in the root, no folder stands before it, and those are for people. The index has to be
 * an entry: of a folder that it has listed, Kodi opens nothing else.
 */
export function folderPages(files: ReadonlyMap<string, Uint8Array>): Map<string, string> {
  const folders = new Map<string, Map<string, string>>();
  for (const [path, { length }] of files) {
    const parts = path.split('/');
    parts.forEach((name, depth) => {
      const folder = parts.slice(0, depth).join('/');
      const entries = folders.get(folder) ?? new Map<string, string>();
      const isFile = depth === parts.length - 1;
      folders.set(folder, entries.set(isFile ? name : `${name}/`, isFile ? readable(length) : ''));
    });
  }
  return new Map(
    [...folders].map(([folder, entries]) => [
      folder === '' ? 'index.html' : `${folder}/index.html`,
      page(folder, entries),
    ]),
  );
}

function page(folder: string, entries: ReadonlyMap<string, string>): string {
  const title = escapeXml(folder === '' ? 'Slipstream for Kodi' : folder);
  const parent = folder === '' ? '' : '<tr><td><a href="../">../</a></td><td></td></tr>\n';
  const isForPeople = (name: string) => folder === '' && hasZip(entries) && name.endsWith('/');
  const rows = [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, size]) => {
      const link = escapeXml(name);
      const shown = isForPeople(name) ? `Look into ${link}` : link;
      return `<tr><td><a href="${link}">${shown}</a></td><td>${size}</td></tr>\n`;
    });
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body>
<h1>${title}</h1>
<table>
${parent}${rows.join('')}</table>
</body>
</html>
`;
}

const isZip = (name: string) => name.endsWith('.zip');
const hasZip = (entries: ReadonlyMap<string, string>) => [...entries.keys()].some(isZip);

const KIB = 1024;

function readable(bytes: number): string {
  if (bytes < KIB) return `${bytes} B`;
  return bytes < KIB * KIB ? `${(bytes / KIB).toFixed(0)} KiB` : `${(bytes / KIB / KIB).toFixed(1)} MiB`;
}
