import type { YieldToLoop } from '../../io/wait.ts';
import { groupYielding, sortYielding } from '../../io/yielding-arrays.ts';
import type { PostedFile } from './content.ts';
import { type FileElement, isDistinctive, joinElements, mergeElements } from './join-elements.ts';
import { type OrderedSegments, orderSegments } from './order-segments.ts';
import { parseSubject, type Subject } from './subject.ts';

/** A file as it is handed over: each article once, in order. */
export interface AssembledFile extends FileElement, OrderedSegments {}

export const missingSegments = ({ expectedCount: places, segments }: AssembledFile): number =>
  places - segments.length;

/**
 * The files of a post, in the document's order: elements of one file are joined, its segments put in order, doubles of
 * articles and of whole files dropped.
 * @throws as giveWay
 */
export async function assembleFiles(
  files: readonly PostedFile[],
  giveWay: YieldToLoop,
): Promise<AssembledFile[]> {
  const elements: FileElement[] = [];
  for (const [at, file] of files.entries()) {
    elements.push({ ...file, index: at, declared: parseSubject(file.subject) });
    await giveWay();
  }
  const found: AssembledFile[] = [];
  for (const group of (await groupYielding(elements, ({ declared: told }) => told.key, giveWay)).values()) {
    const whole: AssembledFile[] = [];
    for (const element of group.length === 1 ? group : await joinElements(group, giveWay))
      whole.push(await withOrderedSegments(element, giveWay));
    // Not by spreading: a group may have more files than a call takes arguments.
    for (const file of areCopies(whole) ? [await bestOf(whole, giveWay)] : whole) found.push(file);
  }
  return await sortYielding(found, (a, b) => a.index - b.index, giveWay);
}

const withOrderedSegments = async (element: FileElement, giveWay: YieldToLoop): Promise<AssembledFile> => ({
  ...element,
  ...(await orderSegments(element.segments, giveWay, element.declared.parts)),
});

/** More files of one name are those of a post whose names mean nothing. */
const MAX_COPIES = 3;
/** By how much, in parts of the larger one, copies differ in size: their articles may be cut in another way. */
const SIZE_MARGIN = 0.05;

/**
 * Whether files of one name are one file, posted more than once: within one post each file has a counter of its own, and in
 * another post it has as many articles.
 */
function areCopies(files: readonly AssembledFile[]): files is [AssembledFile, ...AssembledFile[]] {
  if (
    files.length < 2 ||
    files.length > MAX_COPIES ||
    !files.every(({ declared: told }) => isDistinctive(told))
  )
    return false;
  const counters = new Set(files.map(({ declared: told }) => told.counter));
  const posts = new Set(files.map(({ declared: told }) => told.files));
  const lengths = new Set(files.map(({ declared: told, expectedCount: places }) => told.parts ?? places));
  if (posts.size > 1 && lengths.size > 1) return false;
  const sizes = files.map(sizeOf);
  return counters.size === posts.size && Math.min(...sizes) >= (1 - SIZE_MARGIN) * Math.max(...sizes);
}

/** Bytes of the file when nothing of it lacks, as far as its numbers and its subject tell. */
const sizeOf = ({ declared: told, expectedCount: places, usualBytes }: AssembledFile) =>
  Math.max(told.parts ?? 0, places) * usualBytes;

/**
 * A whole copy, else what the copies of one post give together where they are cut in the same way: another post's may have
 * been packed anew.
 */
async function bestOf(
  copies: readonly [AssembledFile, ...AssembledFile[]],
  giveWay: YieldToLoop,
): Promise<AssembledFile> {
  const [best] = copies.toSorted(
    (a, b) =>
      Number(isWhole(b)) - Number(isWhole(a)) || b.segments.length - a.segments.length || a.index - b.index,
  ) as [AssembledFile];
  if (isWhole(best)) return best;
  const ofOneCut = copies.filter(({ declared: told }) => isSameLayout(told, best.declared));
  const [together = best] = await mergeElements(ofOneCut, giveWay);
  return await withOrderedSegments(together, giveWay);
}

const isSameLayout = (one: Subject, other: Subject) => one.parts === other.parts && one.files === other.files;

const isWhole = (file: AssembledFile) =>
  missingSegments(file) === 0 && file.expectedCount >= (file.declared.parts ?? 0);
