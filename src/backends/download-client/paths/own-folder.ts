import type { GuardedFiles } from '../guarded-files.ts';
import type { PathRule } from './mapping.ts';
import { type PlayerFolder, parsePlayerFolder, pathInside } from './player-folder.ts';

interface CompareContext {
  readonly files: GuardedFiles;
  /** Of NZBGet, by name: each may have a folder of its own. */
  readonly categories: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * How NZBGet's own folder on this device compares with what a rule names. `unknown`: it is not here, or too empty to tell.
 * A folder of that name may also be a container's other one, so that "other" is no proof.
 */
export type FolderComparison = 'same' | 'other' | 'unknown';

/** They are the same where the same lies in the folders of NZBGet's categories. */
export async function compareWithLocal(
  { text: { from }, to }: PathRule,
  { files, categories, signal }: CompareContext,
): Promise<FolderComparison> {
  const own = localPath(from);
  if (own === undefined || own.path === to.path) return 'unknown';
  const namesIn = async (root: PlayerFolder, ...parts: readonly string[]) => {
    const path = pathInside(root, parts);
    const entries = path === undefined ? undefined : await files.list(path, signal);
    return entries?.map(({ name }) => name).sort();
  };
  const top = await namesIn(own);
  if (top === undefined) return 'unknown';
  const filled: boolean[] = [];
  for (const category of top.filter((name) => categories.includes(name))) {
    const names = await namesIn(own, category);
    if (names === undefined || names.length === 0) continue;
    filled.push(isSame(names, await namesIn(to, category)));
  }
  if (filled.length > 0) return filled.every(Boolean) ? 'same' : 'other';
  return isSame(top, await namesIn(to)) ? 'unknown' : 'other';
}

/** Undefined for a path of another system, or of a server. */
function localPath(from: string): PlayerFolder | undefined {
  const isHere = process.platform === 'win32' ? /^[a-z]:[\\/]/i.test(from) : from.startsWith('/');
  const folder = isHere ? parsePlayerFolder(from) : undefined;
  return folder?.server === undefined ? folder : undefined;
}

const isSame = (names: readonly string[], others: readonly string[] | undefined): boolean =>
  names.length === others?.length && names.every((name, i) => name === others[i]);
