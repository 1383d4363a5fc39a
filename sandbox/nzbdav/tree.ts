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
  if (dialect.family === 'altmount') return fixed('', completeOf(mounts, dialect));
  const complete = fixed(dialect.completeFolder, byCategory(mounts, CATEGORIES, jobFolder));
  return fixed('', [
    fixed('.ids', []),
    fixed('completed-symlinks', byCategory(mounts, CATEGORIES, linkFolder)),
    complete,
    fixed(
      'nzbs',
      CATEGORIES.map((category) => folder(category, [])),
    ),
    textNode('README', README),
  ]);
}

/** AltMount's folders come with their first job. */
const completeOf = (mounts: readonly Mount[], { completeFolder }: Dialect): Node[] =>
  mounts.length === 0 ? [] : [folder(completeFolder, byCategory(mounts, [], jobFolder))];

function byCategory(
  mounts: readonly Mount[],
  always: readonly string[],
  show: (mount: Mount) => FolderNode,
): FolderNode[] {
  const categories = [...new Set([...always, ...mounts.map((mount) => mount.category)])];
  return categories.map((category) =>
    folder(category, mounts.filter((mount) => mount.category === category).map(show)),
  );
}

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
