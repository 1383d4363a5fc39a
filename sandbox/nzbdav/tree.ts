import { type Clip, textFile } from '../clips/index.ts';
import type { Dialect } from './dialect.ts';
import type { Mount } from './jobs.ts';

export interface FileNode {
  readonly kind: 'file';
  readonly name: string;
  readonly clip: Clip;
  readonly missing?: { readonly from: number; readonly to: number };
}

export interface FolderNode {
  readonly kind: 'folder';
  readonly name: string;
  readonly children: readonly Node[];
}

export type Node = FileNode | FolderNode;

const ALWAYS = ['movies', 'tv', 'uncategorized'];
const README = textFile('README', 'The sandbox of Slipstream: open films, made up on the spot.\n');

/** The whole WebDAV tree as it stands; it is small, since clips take no room. */
export function tree(mounts: readonly Mount[], dialect: Dialect): FolderNode {
  const categories = [...new Set([...ALWAYS, ...mounts.map((mount) => mount.category)])];
  const complete = folder(
    dialect.completeFolder,
    categories.map((category) =>
      folder(
        categoryFolder(category, dialect),
        mounts.filter((mount) => mount.category === category).map((mount) => jobFolder(mount)),
      ),
    ),
  );
  if (dialect.family === 'altmount') return folder('', [complete]);
  return folder('', [
    { kind: 'file', name: 'README', clip: README },
    complete,
    folder('completed-symlinks', []),
    folder('nzbs', []),
    folder('.ids', []),
  ]);
}

/** AltMount's categories have folders of any name. */
export const categoryFolder = (category: string, { family }: Dialect): string =>
  family === 'altmount' && category === 'tv' ? 'shows' : category;

/** The node at a path whose segments are decoded. */
export function nodeAt(root: FolderNode, segments: readonly string[]): Node | undefined {
  return segments.reduce<Node | undefined>(
    (node, name) =>
      node?.kind === 'folder' ? node.children.find((child) => child.name === name) : undefined,
    root,
  );
}

function jobFolder(mount: Mount): FolderNode {
  const files = mount.files.map(({ path, ...file }) => ({ ...file, segments: path.split('/') }));
  return folder(mount.folder, nest(files));
}

function nest(files: readonly (Omit<FileNode, 'kind' | 'name'> & { readonly segments: string[] })[]): Node[] {
  const names = [...new Set(files.map((file) => file.segments[0] ?? ''))];
  return names.map((name) => {
    const inside = files.filter((file) => file.segments[0] === name);
    const [only] = inside;
    if (only?.segments.length === 1) {
      const { segments: _, ...file } = only;
      return { kind: 'file', name, ...file };
    }
    return folder(name, nest(inside.map((file) => ({ ...file, segments: file.segments.slice(1) }))));
  });
}

function folder(name: string, children: readonly Node[]): FolderNode {
  return { kind: 'folder', name, children };
}
