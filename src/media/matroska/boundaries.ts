// Where elements are proven to begin after a hole.
import { type FileSlice, readForward } from '../read-around.ts';
import { type WorkBudget, WorkBudgetExceeded } from '../work-budget.ts';
import { MAX_ID_WIDTH, readHeader } from './ebml.ts';
import type { HoleContext, OpenElement } from './hole-position.ts';
import {
  BLOCK,
  BLOCK_GROUP,
  belongs,
  CLUSTER,
  CUE_POINT,
  CUES,
  isBlock,
  isTopLevel,
  SEGMENT,
  SIMPLE_BLOCK,
  TIMESTAMP,
  VOID,
} from './ids.ts';

/**
 * So many elements in a row, each with plausible content, are no accident: noise that looks like one more of them
 * is rarer than 1 in 1,000. Without it a Cluster larger than the reach would be lost to its end.
 */
const MIN_CHAIN = 8;

/** Most elements of one kind in a row that a film has outside of its blocks: a file with more is made to be slow. */
const MAX_SAME_KIND = 64;

/** Bytes that are looked through between two steps of work. */
const SCAN_STEP = 4096;

/**
 * Boundaries after the hole of elements inside of `level`, the nearest first: a chain that ends exactly where the
 * level does, or is long; or, in the Segment and in a Cluster of unknown size, the next Cluster. None without proof,
 * nor where finding one takes more work than any film's.
 */
export async function boundariesAfter(search: HoleContext, level: OpenElement): Promise<readonly number[]> {
  try {
    return await provenAfter(search, level);
  } catch (error) {
    if (error instanceof WorkBudgetExceeded) return [];
    throw error;
  }
}

async function provenAfter(search: HoleContext, level: OpenElement): Promise<readonly number[]> {
  const { file, hole, segment, signal, work } = search;
  const scanned = level.end === undefined ? segment.level : level;
  const end = scanned.end ?? file.size;
  const scan = new Scan({ id: scanned.id, end }, work);
  for await (const ahead of readForward(file, hole.last + 1, signal)) {
    const chain = await scan.firstChain(ahead);
    if (chain !== undefined) return chain;
    if (ahead.start + ahead.bytes.length >= end) return [end];
  }
  return [];
}

/** An open master whose end is known, or the file's. */
interface Parent {
  readonly id: number;
  readonly end: number;
}

/** What cannot be told before more of the file is read, and what is not as it should be. */
type ParseResult<T> = T | 'unseen' | 'wrong';

/** Looks at every byte of a growing stretch once, and again at those that led out of it. */
class Scan {
  readonly #parent: Parent;
  readonly #work: WorkBudget;
  #undecided: number[] = [];
  #next: number | undefined;

  constructor(parent: Parent, work: WorkBudget) {
    this.#parent = parent;
    this.#work = work;
  }

  async firstChain(ahead: FileSlice): Promise<readonly number[] | undefined> {
    const before = this.#undecided;
    this.#undecided = [];
    for (const position of before) {
      const chain = await this.#try(ahead, position);
      if (chain !== undefined) return chain;
    }
    const stop = Math.min(ahead.start + ahead.bytes.length, this.#parent.end);
    for await (const position of this.#starts(ahead, this.#next ?? ahead.start, stop)) {
      const chain = await this.#try(ahead, position);
      if (chain !== undefined) return chain;
    }
    // An id may still be cut off at the end.
    this.#next = Math.max(ahead.start, stop - MAX_ID_WIDTH + 1);
    return undefined;
  }

  async #try(ahead: FileSlice, position: number): Promise<readonly number[] | undefined> {
    await this.#work.yieldToLoop();
    const chain = this.#chainFrom(ahead, position);
    if (chain === 'unseen') this.#undecided.push(position);
    return typeof chain === 'string' ? undefined : await this.#withoutAccident(ahead, chain);
  }

  /** Where a chain may begin, from a position to another, exclusive. */
  async *#starts(ahead: FileSlice, from: number, to: number): AsyncGenerator<number, void> {
    for (let position = from; position < to; ) {
      await this.#work.yieldToLoop();
      this.#work.step();
      for (const stop = Math.min(position + SCAN_STEP, to); position < stop; position++)
        if (canStartChain(ahead.bytes, position - ahead.start, this.#parent.id)) yield position;
    }
  }

  #chainFrom(ahead: FileSlice, from: number): ParseResult<readonly number[]> {
    return chainFrom({ ...ahead, work: this.#work }, from, this.#parent);
  }

  /**
   * What begins a chain is proven by nothing but its end. Where several elements lead there, or prove themselves, from
   * inside of it, it is no element but a few bytes of a lost block's content that look like one.
   */
  async #withoutAccident(ahead: FileSlice, chain: readonly number[]): Promise<readonly number[]> {
    const [from = 0, end = 0] = chain;
    if (this.#parent.id === SEGMENT) return chain;
    for await (const position of this.#starts(ahead, from + 1, end)) {
      await this.#work.yieldToLoop();
      const inner = this.#chainFrom(ahead, position);
      if (typeof inner === 'string') continue;
      if (inner.indexOf(end) >= 2 || (inner.length > MIN_CHAIN && (inner.at(-1) ?? end) < end)) return inner;
    }
    return chain;
  }
}

/** Chains begin with an element that can be told from noise: a block, a cue point, or a child of the Segment. */
function canStartChain(bytes: Buffer, at: number, parent: number): boolean {
  const first = bytes[at];
  if (parent === CLUSTER) return first === SIMPLE_BLOCK || first === BLOCK_GROUP;
  if (parent === CUES) return first === CUE_POINT;
  return (
    first !== undefined && first >> 4 === 1 && at + 4 <= bytes.length && isTopLevel(bytes.readUInt32BE(at))
  );
}

/** What is known behind the hole, and what may be done with it. */
interface BytesAfterHole extends FileSlice {
  readonly work: WorkBudget;
}

function chainFrom(ahead: BytesAfterHole, from: number, parent: Parent): ParseResult<readonly number[]> {
  const boundaries = [from];
  let time: number | undefined;
  for (let position = from; position !== parent.end; ) {
    const element = elementAt(ahead, position, parent.end);
    if (typeof element === 'string') return element;
    if (!inChain(element.id, parent.id)) return 'wrong';
    const content = contentOf(ahead, element);
    if (typeof content === 'string') return content;
    if (element.id === CLUSTER) return boundaries;
    if (!isNearInTime(time, content.time)) return 'wrong';
    time = content.time ?? time;
    position = element.end;
    boundaries.push(position);
    if (boundaries.length > MIN_CHAIN && parent.id !== SEGMENT) break;
    if (boundaries.length > MAX_SAME_KIND) return 'wrong';
  }
  return boundaries;
}

/** Of what may stand in a Cluster only what follows blocks: the rest is rare, and noise that looks like it is not. */
function inChain(id: number, parent: number): boolean {
  return parent === CLUSTER ? id === SIMPLE_BLOCK || id === BLOCK_GROUP || id === VOID : belongs(id, parent);
}

interface Element {
  readonly id: number;
  readonly data: number;
  /** The parent's end where the size is unknown. */
  readonly end: number;
}

/** The element at a position, if it fits in its parent. */
function elementAt(
  { start, bytes, work }: BytesAfterHole,
  position: number,
  limit: number,
): ParseResult<Element> {
  work.step();
  const header = readHeader(bytes, position - start);
  if (header === 'cut') return 'unseen';
  if (header === 'invalid') return 'wrong';
  const data = position + header.length;
  const end = header.size === undefined ? limit : data + header.size;
  const fits = end <= limit && (header.size !== undefined || header.id === CLUSTER);
  return fits ? { id: header.id, data, end } : 'wrong';
}

/** What the content tells, where it can be checked: a block's time, counted from its Cluster's. */
interface Content {
  readonly time?: number | undefined;
}

function contentOf(ahead: BytesAfterHole, { id, data, end }: Element): ParseResult<Content> {
  if (isBlock(id)) return blockIn(ahead, data, end);
  if (id === CLUSTER) return clusterIn(ahead, data, end);
  if (id === BLOCK_GROUP || id === CUE_POINT) return childrenIn(ahead, data, end);
  return {};
}

/** Track number, time, and flags of which bits 0x70 are reserved (RFC 9559 §10.1–10.2). */
function blockIn({ start, bytes }: FileSlice, data: number, end: number): ParseResult<Content> {
  const at = data - start;
  const track = bytes[at];
  if (track === undefined) return 'unseen';
  const time = at + (track < 0x80 ? 2 : 1);
  if (track < 0x40 || end - start < time + 3) return 'wrong';
  if (time + 3 > bytes.length) return 'unseen';
  return (bytes.readUInt8(time + 2) & 0x70) === 0 ? { time: bytes.readInt16BE(time) } : 'wrong';
}

/** Children that fill their parent to its last byte. */
function childrenIn(ahead: BytesAfterHole, data: number, end: number): ParseResult<Content> {
  if (data === end) return 'wrong';
  let time: number | undefined;
  let children = 0;
  for (let position = data; position !== end; ) {
    if (children++ === MAX_SAME_KIND) return 'wrong';
    const child = elementAt(ahead, position, end);
    if (typeof child === 'string') return child;
    const content = child.id === BLOCK ? blockIn(ahead, child.data, child.end) : {};
    if (typeof content === 'string') return content;
    time = content.time ?? time;
    position = child.end;
  }
  return { time };
}

/** A Cluster says its Timestamp before its first block (RFC 9559 §5.1.3.1), and both must be there. */
function clusterIn(ahead: BytesAfterHole, data: number, end: number): ParseResult<Content> {
  let timed = false;
  let children = 0;
  for (let position = data; position !== end; ) {
    if (children++ === MAX_SAME_KIND) return 'wrong';
    const child = elementAt(ahead, position, end);
    if (typeof child === 'string') return child;
    if (!belongs(child.id, CLUSTER)) return 'wrong';
    if (child.id === SIMPLE_BLOCK || child.id === BLOCK_GROUP)
      return timed ? contentOf(ahead, child) : 'wrong';
    timed ||= child.id === TIMESTAMP;
    position = child.end;
  }
  return timed ? {} : 'wrong';
}

/** Ticks, of which a block's time has 65,536. Neighbours are less than a second apart: 1,000 ticks as a rule. */
const MAX_TIME_GAP = 8192;

function isNearInTime(before: number | undefined, after: number | undefined): boolean {
  return before === undefined || after === undefined || Math.abs(after - before) < MAX_TIME_GAP;
}
