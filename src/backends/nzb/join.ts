import { groupedBy } from '../video/files.ts';
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
 */
export function joinPieces(elements: readonly Element[]): Element[] {
  const lots = groupedBy(elements, ({ told }) => `${told.counter} ${told.parts}`);
  return [...lots.values()].flatMap((lot) => (lot.length === 1 ? lot : joinLot(lot)));
}

function joinLot(lot: readonly Element[]): readonly Element[] {
  const heaps: Heap[] = [];
  // The largest first, so that an article that was posted twice is left over in a heap of its own.
  const bySize = numbered(lot).toSorted((a, b) => b.segments.length - a.segments.length || a.at - b.at);
  for (const element of bySize) {
    const heap = heaps.find(({ taken }) => element.segments.every((segment) => fits(segment, taken)));
    if (heap !== undefined) put(element, heap);
    else if (heaps.length === MOST_COPIES) return lot;
    else heaps.push(put(element, { elements: [], taken: new Map() }));
  }
  const isOneFile = heaps.length === 1 || isTelling(lot[0]?.told);
  return isOneFile ? heaps.flatMap(({ elements }) => joined(elements)) : lot;
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
function numbered(lot: readonly Element[]): readonly Element[] {
  if (lot.some(({ segments }) => segments.length !== 1)) return lot;
  const numbers = new Set(lot.map(({ segments }) => segments[0]?.number));
  const parts = new Set(lot.map(({ told }) => told.part));
  if (parts.size <= numbers.size) return lot;
  return lot.map((element) => {
    const segments = element.segments.map((segment) => ({ ...segment, number: element.told.part }));
    return { ...element, segments };
  });
}

/** Whether two files of the post would hardly be called so. */
export const isTelling = (told: Subject | undefined): boolean =>
  told !== undefined &&
  (told.counter !== undefined || (told.name !== undefined && kindOf(told.name) !== undefined));

export function joined(pieces: readonly Element[]): Element[] {
  const [first, ...others] = pieces.toSorted((a, b) => a.at - b.at);
  if (first === undefined) return [];
  const groups = [...new Set([first, ...others].flatMap((piece) => piece.groups))];
  return [{ ...first, groups, segments: [first, ...others].flatMap(({ segments }) => segments) }];
}
