import type { PathMapping } from '../../../settings/path-mappings.ts';
import { type PlayerFolder, parsePlayerFolder, pathInside } from './player-folder.ts';
import { parseServerPath, remainderBelow, type ServerPath } from './server-path.ts';

/** A rule that can be used: this folder of NZBGet's is that one of the media centre's. */
export interface PathRule {
  readonly from: ServerPath;
  readonly to: PlayerFolder;
  readonly text: PathMapping;
}

/** What a finished job's folder is to the media centre. */
export interface MappedFolder {
  readonly root: PlayerFolder;
  readonly parts: readonly string[];
  readonly path: string;
  readonly rule: PathRule;
}

/** @returns undefined when `from` is no absolute path. @throws INVALID_REQUEST as parsePlayerFolder */
export function parsePathRule(text: PathMapping): PathRule | undefined {
  const from = parseServerPath(text.from.trim());
  return from === undefined ? undefined : { from, to: parsePlayerFolder(text.to), text };
}

/**
 * Maps a folder by the rule whose own folder is the longest; of two as long, by the one that is spelled exactly so.
 * @returns undefined when no rule fits, or the path is none
 */
export function mapFolder(storage: string, rules: readonly PathRule[]): MappedFolder | undefined {
  const path = parseServerPath(storage);
  if (path === undefined) return undefined;
  const [best] = rules
    .flatMap((rule) => {
      const found = remainderBelow(rule.from, path);
      return found === undefined ? [] : [{ rule, ...found }];
    })
    .sort((a, b) => a.rest.length - b.rest.length || Number(b.isExactCase) - Number(a.isExactCase));
  if (best === undefined) return undefined;
  const mapped = pathInside(best.rule.to, best.rest);
  return mapped === undefined
    ? undefined
    : { root: best.rule.to, parts: best.rest, path: mapped, rule: best.rule };
}
