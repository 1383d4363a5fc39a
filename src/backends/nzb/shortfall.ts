import type { YieldToLoop } from '../../io/wait.ts';
import { type AssembledFile, missingSegments } from './assemble-files.ts';
import { obfuscatedFiles } from './needed-files.ts';
import { volumeOf } from './posted-names.ts';

/** What an NZB lacks of what it should name. */
export interface Shortfall {
  readonly what: 'segments' | 'volumes';
  readonly lacking: number;
  readonly of: number;
}

/**
 * What of the needed files is certainly not in the document; undefined: nothing.
 * @param all Every file of the post
 * @throws as giveWay
 */
export async function shortfallOf(
  needed: readonly AssembledFile[],
  all: readonly AssembledFile[],
  giveWay: YieldToLoop,
): Promise<Shortfall | undefined> {
  const form = await formOf(all, giveWay);
  let lacking = 0;
  let there = 0;
  for (const file of needed) {
    await giveWay();
    lacking += missingSegments(file) + lackingByCount(file, form);
    there += file.segments.length;
  }
  if (lacking > 0) return { what: 'segments', lacking, of: there + lacking };
  // A volume that lacks may be there under a name that tells nothing.
  if ((await obfuscatedFiles(all, giveWay)).length > 0) return undefined;
  const volumes = await volumesLacking(needed, giveWay);
  return volumes > 0 ? { what: 'volumes', lacking: volumes, of: needed.length + volumes } : undefined;
}

/** How the files of a post are written. */
interface PostForm {
  /** Subjects that count articles, and those of them that count them right. */
  readonly counting: number;
  readonly countingRight: number;
  /** What most files' numbers begin with. */
  readonly firstNumber: 0 | 1;
}

async function formOf(all: readonly AssembledFile[], giveWay: YieldToLoop): Promise<PostForm> {
  let [tellers, honest, fromZero] = [0, 0, 0];
  for (const file of all) {
    await giveWay();
    if (file.firstNumber === 0) fromZero++;
    // Files of one article keep to it by accident.
    if (file.declared.parts === undefined || Math.max(file.declared.parts, file.expectedCount) <= 1) continue;
    tellers++;
    if (keepsCount(file)) honest++;
  }
  return { counting: tellers, countingRight: honest, firstNumber: fromZero * 2 > all.length ? 0 : 1 };
}

/** Whether n of its subject's "(k/n)" is the number of its articles, as is usual. */
const keepsCount = ({ declared: told, expectedCount: places }: AssembledFile) => told.parts === places;

/**
 * Segments that no number shows, by n of the subject's "(k/n)". Some programs write something else there, so it counts
 * where the post's other subjects keep to it, and only if no article is there that is as short as a file's last.
 */
function lackingByCount(
  file: AssembledFile,
  { counting: tellers, countingRight: honest, firstNumber: first }: PostForm,
): number {
  const { declared: told, expectedCount: places, segments, usualBytes } = file;
  const lacking = (told.parts ?? 0) - places;
  if (lacking <= 0) return 0;
  const others = tellers - 1;
  const isTrue = others <= 0 || honest * 2 >= others;
  // Only where the first one is known by its number, what lacks is behind the last.
  const isBehind = file.firstNumber !== undefined && file.firstNumber <= first;
  return isTrue && (!isBehind || isFull(segments.at(-1)?.bytes ?? 0, usualBytes)) ? lacking : 0;
}

/** Articles of one size differ by what the encoding escapes. */
const isFull = (bytes: number, usual: number) => usual > 0 && bytes >= usual * 0.99;

/** Volumes between the first and the last of their set that are not there. */
async function volumesLacking(needed: readonly AssembledFile[], giveWay: YieldToLoop): Promise<number> {
  const sets = new Map<string, { readonly ordinals: Set<number>; least: number; most: number }>();
  for (const { declared: told } of needed) {
    await giveWay();
    const volume = told.name === undefined ? undefined : volumeOf(told.name);
    if (volume === undefined) continue;
    const { set, ordinal } = volume;
    const known = sets.get(set) ?? { ordinals: new Set(), least: ordinal, most: ordinal };
    known.ordinals.add(ordinal);
    known.least = Math.min(known.least, ordinal);
    known.most = Math.max(known.most, ordinal);
    sets.set(set, known);
  }
  return [...sets.values()].reduce(
    (sum, { ordinals, least, most }) => sum + most - least + 1 - ordinals.size,
    0,
  );
}
