/** An absolute path on NZBGet's machine, which may run another system than ours. */
export interface ServerPath {
  /** "" on Unix, "d:" for a drive, "//nas" for a Windows share; in lower case. */
  readonly root: string;
  readonly parts: readonly string[];
}

const MAX_LENGTH = 4_096;
const DRIVE = /^([a-z]:)(?=[\\/]|$)/i;
const SHARE = /^(?:\\\\|\/\/)([^\\/]+)/;

/** @returns undefined for what is no absolute path, or leads upwards */
export function parseServerPath(text: string): ServerPath | undefined {
  if (text.length > MAX_LENGTH || text.includes('\0')) return undefined;
  const drive = DRIVE.exec(text)?.[1];
  const share = SHARE.exec(text)?.[1];
  const isWindows = drive !== undefined || (share !== undefined && text.startsWith('\\'));
  if (!isWindows && !text.startsWith('/')) return undefined;
  const root = !isWindows ? '' : (drive ?? `//${share}`).toLowerCase();
  const rest = !isWindows ? text : text.slice(drive?.length ?? root.length);
  // On Unix a backslash is a letter like any other.
  const parts = rest.split(isWindows ? /[\\/]/ : '/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? undefined : { root, parts };
}

export interface Remainder {
  /** What is left of the path below the folder. */
  readonly rest: readonly string[];
  /** Whether every letter is as large as in the path. */
  readonly isExactCase: boolean;
}

/**
 * What a path has below a folder; undefined when it does not lie in it. Capital letters do not count: Windows ignores
 * them, and people type them as they like.
 */
export function remainderBelow(folder: ServerPath, path: ServerPath): Remainder | undefined {
  const { length } = folder.parts;
  if (folder.root !== path.root || path.parts.length < length) return undefined;
  const pairs = folder.parts.map(
    (part, i) => [part.normalize('NFC'), path.parts[i]?.normalize('NFC')] as const,
  );
  if (!pairs.every(([a, b]) => a.toLowerCase() === b?.toLowerCase())) return undefined;
  return { rest: path.parts.slice(length), isExactCase: pairs.every(([a, b]) => a === b) };
}
