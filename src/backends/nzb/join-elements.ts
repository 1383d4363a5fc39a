import type { YieldToLoop } from '../../io/wait.ts';
import { groupYielding, sortYielding } from '../../io/yielding-arrays.ts';
import type { PostedFile, Segment } from './content.ts';
import { postedKindOf } from './posted-names.ts';
import type { Subject } from './subject.ts';

/** A `<file>` of the document, and what its subject tells. */
export interface FileElement extends PostedFile {
  readonly declared: Subject;
  /** Its place in the document. */
  readonly index: number;
}

/** More elements that each hold the same numbers are files of an obfuscated post, not copies of one file. */
const MAX_COPIES = 3;

/**
 * Joins the elements of one name that are pieces of one file; what is left are files, or copies of a file. A name alone
 * joins nothing, for obfuscated posts call all of their files the same. Only numbers that complete each other do, within
 * one counter and one count of articles: every file has a first article, so two files never complete each other.
 * @throws as giveWay
 */
export async function joinElements(
  elements: readonly FileElement[],
  giveWay: YieldToLoop,
): Promise<FileElement[]> {
  const lots = await groupYielding(
    elements,
    ({ declared: told }) => `${told.counter} ${told.parts}`,
    giveWay,
  );
  const files: FileElement[] = [];
  for (const lot of lots.values())
    for (const file of lot.length === 1 ? lot : await joinGroup(lot, giveWay)) files.push(file);
  return files;
}

async function joinGroup(lot: readonly FileElement[], giveWay: YieldToLoop): Promise<readonly FileElement[]> {
  const heaps: ElementGroup[] = [];
  // The largest first, so that an article that was posted twice is left over in a heap of its own.
  const bySize = await sortYielding(
    await numbered(lot, giveWay),
    (a, b) => b.segments.length - a.segments.length || a.index - b.index,
    giveWay,
  );
  for (const element of bySize) {
    await giveWay();
    const heap = heaps.find(({ idsByNumber: taken }) =>
      element.segments.every((segment) => fits(segment, taken)),
    );
    if (heap !== undefined) addToGroup(element, heap);
    else if (heaps.length === MAX_COPIES) return lot;
    else heaps.push(addToGroup(element, { elements: [], idsByNumber: new Map() }));
  }
  const isOneFile = heaps.length === 1 || isDistinctive(lot[0]?.declared);
  if (!isOneFile) return lot;
  const files: FileElement[] = [];
  for (const { elements } of heaps) files.push(...(await mergeElements(elements, giveWay)));
  return files;
}

/** Elements that complete each other. */
interface ElementGroup {
  readonly elements: FileElement[];
  /** Ids by the segments' numbers. */
  readonly idsByNumber: Map<number, string>;
}

/** The same article in the same place is no contradiction. Without a number nobody knows where it belongs. */
const fits = ({ number, id }: Segment, taken: ElementGroup['idsByNumber']) =>
  number !== undefined && (!taken.has(number) || taken.get(number) === id);

function addToGroup(element: FileElement, heap: ElementGroup): ElementGroup {
  heap.elements.push(element);
  for (const { number, id } of element.segments) if (number !== undefined) heap.idsByNumber.set(number, id);
  return heap;
}

/** Elements of one article each may all call it their first; which one it is, their subjects tell then. */
async function numbered(lot: readonly FileElement[], giveWay: YieldToLoop): Promise<readonly FileElement[]> {
  const numbers = new Set<number | undefined>();
  const parts = new Set<number | undefined>();
  for (const { segments, declared: told } of lot) {
    if (segments.length !== 1) return lot;
    await giveWay();
    numbers.add(segments[0]?.number);
    parts.add(told.part);
  }
  if (parts.size <= numbers.size) return lot;
  const told: FileElement[] = [];
  for (const element of lot) {
    await giveWay();
    const segments = element.segments.map((segment) => ({ ...segment, number: element.declared.part }));
    told.push({ ...element, segments });
  }
  return told;
}

/** Whether two files of the post would hardly be called so. */
export const isDistinctive = (told: Subject | undefined): boolean =>
  told !== undefined &&
  (told.counter !== undefined || (told.name !== undefined && postedKindOf(told.name) !== undefined));

/** One element of pieces that belong together; none of none. @throws as giveWay */
export async function mergeElements(
  pieces: readonly FileElement[],
  giveWay: YieldToLoop,
): Promise<FileElement[]> {
  const sorted = await sortYielding(pieces, (a, b) => a.index - b.index, giveWay);
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
