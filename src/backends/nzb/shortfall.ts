import { groupedBy } from '../video/files.ts';
import { lackingIn, type WholeFile } from './files.ts';
import { volumeOf } from './names.ts';
import { namelessFiles } from './needed.ts';
import { usualBytes } from './order.ts';

/** What an NZB lacks of what it should name. */
export interface Shortfall {
  readonly what: 'segments' | 'volumes';
  readonly lacking: number;
  readonly of: number;
}

/** What of the needed files is certainly not in the document; undefined: nothing. @param all Every file of the post. */
export function shortfallOf(needed: readonly WholeFile[], all: readonly WholeFile[]): Shortfall | undefined {
  const form = formOf(all);
  const missing = (file: WholeFile) => lackingIn(file) + lackingByCount(file, form);
  const lacking = needed.reduce((sum, file) => sum + missing(file), 0);
  const there = needed.reduce((sum, { segments }) => sum + segments.length, 0);
  if (lacking > 0) return { what: 'segments', lacking, of: there + lacking };
  // A volume that lacks may be there under a name that tells nothing.
  if (namelessFiles(all).length > 0) return undefined;
  const volumes = volumesLacking(needed);
  return volumes > 0 ? { what: 'volumes', lacking: volumes, of: needed.length + volumes } : undefined;
}

/** How the files of a post are written. */
interface Form {
  /** Subjects that count articles, and those of them that count them right. */
  readonly tellers: number;
  readonly honest: number;
  /** What most files' numbers begin with. */
  readonly first: 0 | 1;
}

function formOf(all: readonly WholeFile[]): Form {
  // Files of one article keep to it by accident.
  const tellers = all.filter(
    ({ told, places }) => told.parts !== undefined && (told.parts > 1 || places > 1),
  );
  const fromZero = all.filter(({ first }) => first === 0).length;
  return {
    tellers: tellers.length,
    honest: tellers.filter(keepsCount).length,
    first: fromZero * 2 > all.length ? 0 : 1,
  };
}

/** Whether n of its subject's "(k/n)" is the number of its articles, as is usual. */
const keepsCount = ({ told, places }: WholeFile) => told.parts === places;

/**
 * Segments that no number shows, by n of the subject's "(k/n)". Some programs write something else there, so it counts
 * where the post's other subjects keep to it, and only if no article is there that is as short as a file's last.
 */
function lackingByCount(file: WholeFile, { tellers, honest, first }: Form): number {
  const { told, places, segments } = file;
  const lacking = (told.parts ?? 0) - places;
  if (lacking <= 0) return 0;
  const others = tellers - 1;
  const isTrue = others <= 0 || honest * 2 >= others;
  // Only where the first one is known by its number, what lacks is behind the last.
  const isBehind = file.first !== undefined && file.first <= first;
  return isTrue && (!isBehind || isFull(segments.at(-1)?.bytes ?? 0, usualBytes(segments))) ? lacking : 0;
}

/** Articles of one size differ by what the encoding escapes. */
const isFull = (bytes: number, usual: number) => usual > 0 && bytes >= usual * 0.99;

/** Volumes between the first and the last of their set that are not there. */
function volumesLacking(needed: readonly WholeFile[]): number {
  const volumes = needed.flatMap(({ told: { name } }) => (name === undefined ? [] : (volumeOf(name) ?? [])));
  return [...groupedBy(volumes, ({ set }) => set).values()].reduce((sum, set) => {
    const ordinals = new Set(set.map(({ ordinal }) => ordinal));
    return sum + Math.max(...ordinals) - Math.min(...ordinals) + 1 - ordinals.size;
  }, 0);
}
