import { groupInTurns, sortInTurns } from '../../io/turns.ts';
import type { GiveWay } from '../../io/wait.ts';
import type { PostedFile, Segment } from './content.ts';
import { kindOf } from './names.ts';
import type { Subject } from './subject.ts';

/** A `<file>` of the document, and what its subject tells. */
export interface Element extends PostedFile {
  readonly told: Subject;
  /** Its place in the document. */
  readonly at: number;
}

/** More elements that each hold the same numbers are files of an obfuscated post, not copies of one file. */
const MOST_COPIES = 3;

/**
 * Joins the elements of one name that are pieces of one file; what is left are files, or copies of a file. A name alone
 * joins nothing, for obfuscated posts call all of their files the same. Only numbers that complete each other do, within
 * one counter and one count of articles: every file has a first article, so two files never complete each other.
 * @throws as giveWay
 */
export async function joinPieces(elements: readonly Element[], giveWay: GiveWay): Promise<Element[]> {
  const lots = await groupInTurns(elements, ({ told }) => `${told.counter} ${told.parts}`, giveWay);
  const files: Element[] = [];
  for (const lot of lots.values())
    for (const file of lot.length === 1 ? lot : await joinLot(lot, giveWay)) files.push(file);
  return files;
}

async function joinLot(lot: readonly Element[], giveWay: GiveWay): Promise<readonly Element[]> {
  const heaps: Heap[] = [];
  // The largest first, so that an article that was posted twice is left over in a heap of its own.
  const bySize = await sortInTurns(
    await numbered(lot, giveWay),
    (a, b) => b.segments.length - a.segments.length || a.at - b.at,
    giveWay,
  );
  for (const element of bySize) {
    await giveWay();
    const heap = heaps.find(({ taken }) => element.segments.every((segment) => fits(segment, taken)));
    if (heap !== undefined) put(element, heap);
    else if (heaps.length === MOST_COPIES) return lot;
    else heaps.push(put(element, { elements: [], taken: new Map() }));
  }
  const isOneFile = heaps.length === 1 || isTelling(lot[0]?.told);
  if (!isOneFile) return lot;
  const files: Element[] = [];
  for (const { elements } of heaps) files.push(...(await joined(elements, giveWay)));
  return files;
}

/** Elements that complete each other. */
interface Heap {
  readonly elements: Element[];
  /** Ids by the segments' numbers. */
  readonly taken: Map<number, string>;
}

/** The same article in the same place is no contradiction. Without a number nobody knows where it belongs. */
const fits = ({ number, id }: Segment, taken: Heap['taken']) =>
  number !== undefined && (!taken.has(number) || taken.get(number) === id);

function put(element: Element, heap: Heap): Heap {
  heap.elements.push(element);
  for (const { number, id } of element.segments) if (number !== undefined) heap.taken.set(number, id);
  return heap;
}

/** Elements of one article each may all call it their first; which one it is, their subjects tell then. */
async function numbered(lot: readonly Element[], giveWay: GiveWay): Promise<readonly Element[]> {
  const numbers = new Set<number | undefined>();
  const parts = new Set<number | undefined>();
  for (const { segments, told } of lot) {
    if (segments.length !== 1) return lot;
    await giveWay();
    numbers.add(segments[0]?.number);
    parts.add(told.part);
  }
  if (parts.size <= numbers.size) return lot;
  const told: Element[] = [];
  for (const element of lot) {
    await giveWay();
    const segments = element.segments.map((segment) => ({ ...segment, number: element.told.part }));
    told.push({ ...element, segments });
  }
  return told;
}

/** Whether two files of the post would hardly be called so. */
export const isTelling = (told: Subject | undefined): boolean =>
  told !== undefined &&
  (told.counter !== undefined || (told.name !== undefined && kindOf(told.name) !== undefined));

/** One element of pieces that belong together; none of none. @throws as giveWay */
export async function joined(pieces: readonly Element[], giveWay: GiveWay): Promise<Element[]> {
  const sorted = await sortInTurns(pieces, (a, b) => a.at - b.at, giveWay);
  const [first] = sorted;
  if (first === undefined) return [];
  const groups = new Set<string>();
  const segments: Segment[] = [];
  for (const piece of sorted) {
    await giveWay();
    for (const group of piece.groups) groups.add(group);
    for (const segment of piece.segments) segments.push(segment);
  }
  return [{ ...first, groups: [...groups], segments }];
}
