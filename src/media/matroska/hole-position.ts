// Where in the tree of elements a hole begins.
import type { Hole } from '../fill-types.ts';
import type { RangedReader } from '../ranged-reader.ts';
import { type FileSlice, readBackward, readIfAvailable } from '../read-around.ts';
import type { WorkBudget } from '../work-budget.ts';
import { type Header, MAX_HEADER, readHeader } from './ebml.ts';
import {
  BLOCK,
  BLOCK_GROUP,
  belongs,
  CLUSTER,
  isMaster,
  isTopLevel,
  SEGMENT,
  SIMPLE_BLOCK,
  TIMESTAMP,
} from './ids.ts';

/** An open master element. */
export interface OpenElement {
  readonly id: number;
  /** Position after its last byte; undefined while its size is unknown. */
  readonly end: number | undefined;
}

/** What the hole cuts: nothing, the content of an element, or a header of which `known` stands before the hole. */
export type CutElement =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'content'; readonly id: number; readonly start: number; readonly end: number }
  | { readonly kind: 'header'; readonly start: number; readonly known: Buffer };

export interface HolePosition {
  /** The masters that are open where the hole begins; the Segment first. */
  readonly levels: readonly OpenElement[];
  readonly cut: CutElement;
  /** Whether the open Cluster has told its Timestamp. Blocks without one would play at a wrong time. */
  readonly hasTimestamp: boolean;
  /** The first four bytes of the last block before the hole: track, time and flags (RFC 9559 §10.1). */
  readonly lastBlock: Buffer | undefined;
}

/** The Segment and where its content begins. */
export interface SegmentInfo {
  readonly data: number;
  readonly level: OpenElement;
}

export interface HoleContext {
  readonly file: RangedReader;
  readonly hole: Hole;
  readonly segment: SegmentInfo;
  readonly signal: AbortSignal;
  /** What may be done for all of it. */
  readonly work: WorkBudget;
}

/**
 * Steps for one hole or one run of zeros. The longest way through a film, 8 MiB of its blocks on each side, takes some
 * 300,000.
 */
export const MAX_WORK_STEPS = 2_000_000;

export interface PositionResult {
  readonly place: HolePosition | undefined;
  /** Top-level elements that are known to end before the hole; undefined when the search began at a Cluster. */
  readonly passed: ReadonlySet<number> | undefined;
}

const EBML = 0x1a45dfa3;
/** The EBML header is about 40 bytes long. */
const HEAD_BYTES = 1024;

/** The Segment of a file, by its first bytes; undefined when they are missing or something else. */
export async function openSegment(
  file: RangedReader,
  last: number,
  signal: AbortSignal,
): Promise<SegmentInfo | undefined> {
  const start = await readIfAvailable(file, 0, Math.min(HEAD_BYTES - 1, last), signal);
  const ebml = start && readHeader(start, 0);
  if (typeof ebml !== 'object' || ebml.id !== EBML || ebml.size === undefined) return undefined;
  const at = ebml.length + ebml.size;
  const segment = readHeader(start ?? Buffer.alloc(0), at);
  if (typeof segment !== 'object' || segment.id !== SEGMENT) return undefined;
  const data = at + segment.length;
  const end = segment.size === undefined ? undefined : Math.min(data + segment.size, file.size);
  return { data, level: { id: SEGMENT, end } };
}

const CLUSTER_ID = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);

/**
 * Finds the place by the last Cluster before the hole that leads to it, or else by all elements from the start.
 *
 * @throws WorkBudgetExceeded
 */
export async function findHolePosition(search: HoleContext): Promise<PositionResult> {
  const { file, hole, segment, signal } = search;
  let before: FileSlice = { start: hole.first, bytes: Buffer.alloc(0) };
  for await (const stretch of readBackward(file, hole.first, signal)) {
    const tried = before.start;
    before = stretch;
    const place = await positionByCluster(search, stretch, tried);
    if (place !== undefined) return { place, passed: undefined };
    if (stretch.start <= segment.data) break;
  }
  const walk = new ElementWalk(search, before);
  const place = await walk.from(segment.data);
  return { place, passed: walk.passed };
}

/** Tries each Cluster's id that begins before `tried`, the last first. */
async function positionByCluster(
  search: HoleContext,
  before: FileSlice,
  tried: number,
): Promise<HolePosition | undefined> {
  let at = before.bytes.lastIndexOf(CLUSTER_ID, tried - before.start - 1);
  while (at >= 0) {
    const place = await new ElementWalk(search, before).from(before.start + at);
    if (place !== undefined) return place;
    at = at === 0 ? -1 : before.bytes.lastIndexOf(CLUSTER_ID, at - 1);
  }
  return undefined;
}

/** Headers that are read one by one, outside of what was read around the hole. */
const MAX_JUMPS = 64;

/** Goes from element to element until the hole. */
class ElementWalk {
  readonly passed = new Set<number>();
  readonly #search: HoleContext;
  readonly #before: FileSlice;
  #levels: OpenElement[] = [];
  #timed = false;
  #lastBlock: Buffer | undefined;
  #jumps = 0;

  constructor(search: HoleContext, before: FileSlice) {
    this.#search = search;
    this.#before = before;
  }

  /** The place, by way of a child of the Segment; undefined when the way does not lead to the hole. */
  async from(start: number): Promise<HolePosition | undefined> {
    const { hole, segment, work } = this.#search;
    this.#levels = [segment.level];
    let position = start;
    while (position < hole.first) {
      await work.yieldToLoop();
      work.step();
      const header = await this.#header(position);
      if (header === 'invalid') return undefined;
      if (header === 'cut')
        return this.#place({ kind: 'header', start: position, known: this.#known(position) });
      const next = this.#enter(header, position + header.length);
      if (typeof next !== 'number') return next && this.#place(next);
      position = next;
      this.#leave(position);
    }
    return this.#place({ kind: 'nothing' });
  }

  /** Where to go on: behind the element, or inside of it; the cut when the hole is in its content. */
  #enter(header: Header, data: number): number | CutElement | undefined {
    const { id, size } = header;
    const { file, hole } = this.#search;
    if (isTopLevel(id) && this.#top.id === CLUSTER && this.#top.end === undefined) this.#levels.pop();
    const end = size === undefined ? undefined : data + size;
    if (!belongs(id, this.#top.id) || (end ?? data) > (this.#top.end ?? file.size)) return undefined;
    if (end === undefined && id !== CLUSTER) return undefined;
    if (end !== undefined && end <= hole.first) {
      this.#note(id, data);
      return end;
    }
    if (end !== undefined && !isMaster(id)) return { kind: 'content', id, start: data, end };
    this.#levels.push({ id, end });
    if (id === CLUSTER) this.#timed = false;
    return data;
  }

  get #top(): OpenElement {
    return this.#levels.at(-1) ?? this.#search.segment.level;
  }

  #leave(position: number): void {
    while (this.#levels.length > 1 && this.#top.end === position) this.#levels.pop();
  }

  #note(id: number, data: number): void {
    if (this.#levels.length === 1) this.passed.add(id);
    if (id === TIMESTAMP) this.#timed = true;
    const block = id === SIMPLE_BLOCK ? data : id === BLOCK_GROUP ? this.#blockIn(data) : undefined;
    if (block !== undefined) this.#lastBlock = this.#known(block).subarray(0, 4);
  }

  /** Where the content of a group's Block begins; the Block is nearly always its first child. */
  #blockIn(group: number): number | undefined {
    const header = readHeader(this.#before.bytes, group - this.#before.start);
    return typeof header === 'object' && header.id === BLOCK ? group + header.length : undefined;
  }

  /** What was read from a position up to the hole. */
  #known(position: number): Buffer {
    const offset = position - this.#before.start;
    return offset < 0 ? Buffer.alloc(0) : this.#before.bytes.subarray(offset);
  }

  async #header(position: number): Promise<Header | 'cut' | 'invalid'> {
    const { file, hole, signal } = this.#search;
    if (position >= this.#before.start) return readHeader(this.#before.bytes, position - this.#before.start);
    // So many Clusters are never walked through from the film's start.
    if (this.passed.has(CLUSTER) || this.#jumps++ === MAX_JUMPS) return 'invalid';
    const bytes = await readIfAvailable(
      file,
      position,
      Math.min(position + MAX_HEADER, hole.first) - 1,
      signal,
    );
    return bytes === undefined ? 'invalid' : readHeader(bytes, 0);
  }

  #place(cut: CutElement): HolePosition {
    return { levels: this.#levels, cut, hasTimestamp: this.#timed, lastBlock: this.#lastBlock };
  }
}
