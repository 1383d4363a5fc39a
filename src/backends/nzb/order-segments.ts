import type { YieldToLoop } from '../../io/wait.ts';
import type { Segment } from './content.ts';

/** The segments of a file in their order, each place taken once. */
export interface OrderedSegments {
  readonly segments: readonly Segment[];
  /** Of all of them, as they are posted: encoded. */
  readonly bytes: number;
  /** The bytes that most of them have, give or take what the encoding escapes; 0 for none. */
  readonly usualBytes: number;
  /** How many there are by their numbers, those that lack among them. */
  readonly expectedCount: number;
  /** What the numbers begin with, 0 or 1; undefined: they mean nothing, and the document's order counts. */
  readonly firstNumber: 0 | 1 | undefined;
}

/** Segments that are gone through at a time. */
const BATCH_SIZE = 4_096;

/**
 * Puts segments in order by their numbers and drops doubles. Where numbers lack, or mean nothing, the document's order
 * counts and is numbered. A segment whose id cannot be sent to a server is as good as absent.
 * @param parts How many the file has by its subject
 * @throws as giveWay
 */
export async function orderSegments(
  segments: readonly Segment[],
  giveWay: YieldToLoop,
  parts?: number,
): Promise<OrderedSegments> {
  const usable: Segment[] = [];
  let rises = true;
  let last = -1;
  let highest = 0;
  let lowest = Infinity;
  let seen = 0;
  for (const segment of segments) {
    if (seen++ % BATCH_SIZE === 0) await giveWay();
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
  if (rises) return { ...(await measured(usable, giveWay)), expectedCount: places, firstNumber: first };
  const means = areNumbered(segments) && !(lowest === highest && segments.length === parts);
  const unique = means ? await dropDuplicates(usable, giveWay) : undefined;
  return unique === undefined
    ? { ...(await inDocumentOrder(usable, giveWay)), expectedCount: segments.length, firstNumber: undefined }
    : { ...(await measured(unique, giveWay)), expectedCount: places, firstNumber: first };
}

async function inDocumentOrder(usable: readonly Segment[], giveWay: YieldToLoop) {
  const segments: Segment[] = [];
  for (const segment of usable) {
    if (segments.length % BATCH_SIZE === 0) await giveWay();
    segments.push({ ...segment, number: segments.length + 1 });
  }
  return await measured(segments, giveWay);
}

async function measured(segments: readonly Segment[], giveWay: YieldToLoop) {
  let bytes = 0;
  let seen = 0;
  for (const segment of segments) {
    if (seen++ % BATCH_SIZE === 0) await giveWay();
    bytes += segment.bytes;
  }
  await giveWay();
  return { segments, bytes, usualBytes: usualBytes(segments) };
}

/** A blank, a control character or a bracket would break the line that asks for it; U+FFFD is what no one can read. */
const isMessageId = (id: string) => id !== '' && !/[\s\u0000-\u001F\u007F-\u009F<>\uFFFD]/.test(id);

const areNumbered = (segments: readonly Segment[]) => segments.every(({ number }) => number !== undefined);

/** More copies of one article than these are not posted: a number that so many share is no number. */
const MAX_COPIES = 4;

/** @returns undefined where the numbers mean nothing */
async function dropDuplicates(
  segments: readonly Segment[],
  giveWay: YieldToLoop,
): Promise<Segment[] | undefined> {
  const usual = usualBytes(segments);
  const kept = new Map<number, Segment>();
  let seen = 0;
  for (const segment of segments) {
    if (seen++ % BATCH_SIZE === 0) await giveWay();
    const number = segment.number ?? 0;
    const other = kept.get(number);
    if (other === undefined || isBetter(segment, other, usual)) kept.set(number, segment);
  }
  if (kept.size * MAX_COPIES < segments.length) return undefined;
  await giveWay();
  const numbers = Uint32Array.from(kept.keys()).sort();
  return Array.from(numbers, (number) => kept.get(number)).filter((segment) => segment !== undefined);
}

/** The copy that is as large as the file's others: it is whole, and cut where they are. Of equals the first. */
const isBetter = (one: Segment, other: Segment, usual: number) =>
  Math.abs(one.bytes - usual) < Math.abs(other.bytes - usual);

/** More articles than these are looked at by a part of them, evenly spread. */
const MAX_SAMPLED = 8_192;

/** The bytes that most articles have, give or take what the encoding escapes; 0 for none. */
function usualBytes(segments: readonly Segment[]): number {
  const step = Math.ceil(segments.length / MAX_SAMPLED) || 1;
  const sorted = new Uint32Array(Math.ceil(segments.length / step));
  for (let at = 0; at < sorted.length; at++)
    sorted[at] = Math.min(segments[at * step]?.bytes ?? 0, 2 ** 32 - 1);
  sorted.sort();
  return sorted[sorted.length >> 1] ?? 0;
}
