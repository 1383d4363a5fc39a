import type { GiveWay } from '../../io/wait.ts';
import type { Segment } from './content.ts';

/** The segments of a file in their order, each place taken once. */
export interface Ordered {
  readonly segments: readonly Segment[];
  /** How many there are by their numbers, those that lack among them. */
  readonly places: number;
  /** What the numbers begin with, 0 or 1; undefined: they mean nothing, and the document's order counts. */
  readonly first: 0 | 1 | undefined;
}

/** Segments that are gone through at a time. */
const PIECE = 4_096;

/**
 * Puts segments in order by their numbers and drops doubles. Where numbers lack, or mean nothing, the document's order
 * counts and is numbered. A segment whose id cannot be sent to a server is as good as absent.
 * @param parts How many the file has by its subject
 * @throws as giveWay
 */
export async function inOrder(
  segments: readonly Segment[],
  giveWay: GiveWay,
  parts?: number,
): Promise<Ordered> {
  const usable: Segment[] = [];
  let rises = true;
  let last = -1;
  let highest = 0;
  let lowest = Infinity;
  let seen = 0;
  for (const segment of segments) {
    if (seen++ % PIECE === 0) await giveWay();
    const number = segment.number ?? -1;
    rises &&= number > last;
    last = number;
    highest = Math.max(highest, number);
    lowest = Math.min(lowest, number);
    if (isMessageId(segment.id)) usable.push(segment);
  }
  // Some posting programs count from 0.
  const first = lowest === 0 ? 0 : 1;
  const places = highest + 1 - first;
  if (rises) return { segments: usable, places, first };
  const means = areNumbered(segments) && !(lowest === highest && segments.length === parts);
  const unique = means ? await eachOnce(usable, giveWay) : undefined;
  return unique === undefined ? asListed(usable, segments.length) : { segments: unique, places, first };
}

function asListed(usable: readonly Segment[], places: number): Ordered {
  const segments = usable.map((segment, at) => ({ ...segment, number: at + 1 }));
  return { segments, places, first: undefined };
}

/** A blank, a control character or a bracket would break the line that asks for it; U+FFFD is what no one can read. */
const isMessageId = (id: string) => id !== '' && !/[\s\u0000-\u001F\u007F-\u009F<>\uFFFD]/.test(id);

const areNumbered = (segments: readonly Segment[]) => segments.every(({ number }) => number !== undefined);

/** More copies of one article than these are not posted: a number that so many share is no number. */
const MOST_COPIES = 4;

/** @returns undefined where the numbers mean nothing */
async function eachOnce(segments: readonly Segment[], giveWay: GiveWay): Promise<Segment[] | undefined> {
  const usual = usualBytes(segments);
  const kept = new Map<number, Segment>();
  let seen = 0;
  for (const segment of segments) {
    if (seen++ % PIECE === 0) await giveWay();
    const number = segment.number ?? 0;
    const other = kept.get(number);
    if (other === undefined || isBetter(segment, other, usual)) kept.set(number, segment);
  }
  if (kept.size * MOST_COPIES < segments.length) return undefined;
  await giveWay();
  const numbers = Uint32Array.from(kept.keys()).sort();
  return Array.from(numbers, (number) => kept.get(number)).filter((segment) => segment !== undefined);
}

/** The copy that is as large as the file's others: it is whole, and cut where they are. Of equals the first. */
const isBetter = (one: Segment, other: Segment, usual: number) =>
  Math.abs(one.bytes - usual) < Math.abs(other.bytes - usual);

/** The bytes that most articles have, give or take what the encoding escapes; 0 for none. */
export function usualBytes(segments: readonly Segment[]): number {
  const sorted = Uint32Array.from(segments, ({ bytes }) => Math.min(bytes, 2 ** 32 - 1)).sort();
  return sorted[sorted.length >> 1] ?? 0;
}
