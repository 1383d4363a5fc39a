import { groupInTurns, sortInTurns } from '../../io/turns.ts';
import type { GiveWay } from '../../io/wait.ts';
import type { PostedFile } from './content.ts';
import { type Element, isTelling, joined, joinPieces } from './join.ts';
import { inOrder, type Ordered } from './order.ts';
import { readSubject, type Subject } from './subject.ts';

/** A file as it is handed over: each article once, in order. */
export interface WholeFile extends Element, Ordered {}

export const lackingIn = ({ places, segments }: WholeFile): number => places - segments.length;

/**
 * The files of a post, in the document's order: elements of one file are joined, its segments put in order, doubles of
 * articles and of whole files dropped.
 * @throws as giveWay
 */
export async function wholeFiles(files: readonly PostedFile[], giveWay: GiveWay): Promise<WholeFile[]> {
  const elements: Element[] = [];
  for (const [at, file] of files.entries()) {
    elements.push({ ...file, at, told: readSubject(file.subject) });
    await giveWay();
  }
  const found: WholeFile[] = [];
  for (const group of (await groupInTurns(elements, ({ told }) => told.key, giveWay)).values()) {
    const whole: WholeFile[] = [];
    for (const element of group.length === 1 ? group : await joinPieces(group, giveWay))
      whole.push(await ordered(element, giveWay));
    // Not by spreading: a group may have more files than a call takes arguments.
    for (const file of areCopies(whole) ? [await bestOf(whole, giveWay)] : whole) found.push(file);
  }
  return await sortInTurns(found, (a, b) => a.at - b.at, giveWay);
}

const ordered = async (element: Element, giveWay: GiveWay): Promise<WholeFile> => ({
  ...element,
  ...(await inOrder(element.segments, giveWay, element.told.parts)),
});

/** More files of one name are those of a post whose names mean nothing. */
const MOST_COPIES = 3;
/** By how much, in parts of the larger one, copies differ in size: their articles may be cut in another way. */
const MARGIN = 0.05;

/**
 * Whether files of one name are one file, posted more than once: within one post each file has a counter of its own, and in
 * another post it has as many articles.
 */
function areCopies(files: readonly WholeFile[]): files is [WholeFile, ...WholeFile[]] {
  if (files.length < 2 || files.length > MOST_COPIES || !files.every(({ told }) => isTelling(told)))
    return false;
  const counters = new Set(files.map(({ told }) => told.counter));
  const posts = new Set(files.map(({ told }) => told.files));
  const lengths = new Set(files.map(({ told, places }) => told.parts ?? places));
  if (posts.size > 1 && lengths.size > 1) return false;
  const sizes = files.map(sizeOf);
  return counters.size === posts.size && Math.min(...sizes) >= (1 - MARGIN) * Math.max(...sizes);
}

/** Bytes of the file when nothing of it lacks, as far as its numbers and its subject tell. */
const sizeOf = ({ told, places, usualBytes }: WholeFile) => Math.max(told.parts ?? 0, places) * usualBytes;

/**
 * A whole copy, else what the copies of one post give together where they are cut in the same way: another post's may have
 * been packed anew.
 */
async function bestOf(copies: readonly [WholeFile, ...WholeFile[]], giveWay: GiveWay): Promise<WholeFile> {
  const [best] = copies.toSorted(
    (a, b) => Number(isWhole(b)) - Number(isWhole(a)) || b.segments.length - a.segments.length || a.at - b.at,
  ) as [WholeFile];
  if (isWhole(best)) return best;
  const ofOneCut = copies.filter(({ told }) => isOfOneCut(told, best.told));
  const [together = best] = await joined(ofOneCut, giveWay);
  return await ordered(together, giveWay);
}

const isOfOneCut = (one: Subject, other: Subject) => one.parts === other.parts && one.files === other.files;

const isWhole = (file: WholeFile) => lackingIn(file) === 0 && file.places >= (file.told.parts ?? 0);
