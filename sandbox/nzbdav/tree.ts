import { textFile } from '../clips/index.ts';
import type { Dialect } from './dialect.ts';
import type { MountedFile } from './files.ts';
import type { Mount } from './jobs.ts';

export interface FileNode extends Omit<MountedFile, 'path'> {
  readonly kind: 'file';
  readonly name: string;
}

export interface FolderNode {
  readonly kind: 'folder';
  readonly name: string;
  readonly children: readonly Node[];
  /** It is always there, and so has no date of its own. */
  readonly isFixed?: boolean;
}

export type Node = FileNode | FolderNode;

/** Those that are there without being set up. */
export const CATEGORIES = ['uncategorized', 'audio', 'software', 'tv', 'movies'];
const README = 'The sandbox of Slipstream: open films, made up on the spot.\n';

/** The whole WebDAV tree as it stands; it is small, since clips take no room. */
export function tree(mounts: readonly Mount[], dialect: Dialect): FolderNode {
  const complete = fixed(dialect.completeFolder, byCategory(mounts, dialect, jobFolder));
  if (dialect.family === 'altmount') return fixed('', [complete]);
  return fixed('', [
    fixed('.ids', []),
    fixed('completed-symlinks', byCategory(mounts, dialect, linkFolder)),
    complete,
    fixed(
      'nzbs',
      CATEGORIES.map((category) => folder(category, [])),
    ),
    textNode('README', README),
  ]);
}

function byCategory(
  mounts: readonly Mount[],
  dialect: Dialect,
  show: (mount: Mount) => FolderNode,
): FolderNode[] {
  const categories = [...new Set([...CATEGORIES, ...mounts.map((mount) => mount.category)])];
  return categories.map((category) =>
    folder(
      categoryFolder(category, dialect),
      mounts.filter((mount) => mount.category === category).map(show),
    ),
  );
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
  const names = [...new Set(files.map((file) => file.segments[0] ?? ''))].sort();
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

/** In place of each file a text that names it by its id, for a mount that makes a symlink of it. */
function linkFolder({ folder: name, files }: Mount): FolderNode {
  const link = ({ path }: MountedFile) => `${path.slice(path.lastIndexOf('/') + 1)}.rclonelink`;
  return folder(
    name,
    files.map((file) => textNode(link(file), '../../../.ids/')).sort((a, b) => (a.name < b.name ? -1 : 1)),
  );
}

function textNode(name: string, text: string): FileNode {
  const clip = textFile(name, text);
  return { kind: 'file', name, clip, size: clip.size };
}

function folder(name: string, children: readonly Node[]): FolderNode {
  return { kind: 'folder', name, children };
}

const fixed = (name: string, children: readonly Node[]): FolderNode => ({
  ...folder(name, children),
  isFixed: true,
});
