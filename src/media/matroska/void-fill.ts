// The bridge over a hole: the open element is completed, and Void elements run from there, each inside of its parent,
// to the first boundary that is proven after the hole. Players skip a Void; zeros make them search for the next Cluster.
import type { Fill } from '../fill-types.ts';
import { readIfAvailable } from '../read-around.ts';
import { zeroFill } from '../zero-fill.ts';
import { boundariesAfter } from './boundaries.ts';
import { MAX_HEADER, MAX_ID_WIDTH, MAX_SIZE_WIDTH, readHeader, sizeBytes, widthOf } from './ebml.ts';
import type { CutElement, HoleContext, HolePosition, OpenElement } from './hole-position.ts';
import { CLUSTER, CUES, isBlock, isMaster, SEGMENT, topLevelId, VOID } from './ids.ts';

/** The fill for a hole at a known place; zeros where nothing fits. */
export async function fillWithVoids(search: HoleContext, place: HolePosition): Promise<Fill> {
  const { file, hole, signal } = search;
  const { first, last } = hole;
  const end = Math.min(last + MAX_HEADER, file.size - 1);
  const after = last < end ? await readIfAvailable(file, last + 1, end, signal) : undefined;
  const fill = await new VoidFillBuilder(search, place, after ?? Buffer.alloc(0)).build();
  return fill === undefined
    ? zeroFill(hole, 'no boundary is proven after it')
    : { first, last, pattern: new Uint8Array(1), ...fill };
}

type VoidFill = Pick<Fill, 'how' | 'pieces'>;

/** The ids and sizes of Void elements have one id byte. */
const VOID_ID = Buffer.from([VOID]);

/** Builds from the hole's start to its end; used once. */
class VoidFillBuilder {
  readonly #search: HoleContext;
  /** The bytes that follow the hole. */
  readonly #after: Buffer;
  readonly #lastBlock: Buffer | undefined;
  readonly #cut: CutElement;
  readonly #levels: OpenElement[];
  readonly #pieces: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  #timed: boolean;
  #voids = 0;

  constructor(
    search: HoleContext,
    { levels, cut, hasTimestamp: timed, lastBlock }: HolePosition,
    after: Buffer,
  ) {
    this.#search = search;
    this.#after = after;
    this.#levels = [...levels];
    this.#cut = cut;
    this.#timed = timed;
    this.#lastBlock = lastBlock;
  }

  /** Undefined when no bridge fits. */
  async build(): Promise<VoidFill | undefined> {
    const { hole } = this.#search;
    let position = await this.#finishCut();
    while (position !== undefined && position <= hole.last) {
      const level = this.#levels.at(-1);
      if (level === undefined) return undefined;
      if (level.end === position) this.#levels.pop();
      else position = await this.#skip(position, level);
    }
    if (position === undefined) return undefined;
    const how = this.#voids === 0 ? 'zeros inside an element' : `Void elements: ${this.#voids}`;
    return { how, pieces: this.#pieces };
  }

  /** Ends the element that the hole cuts, and gives the position after it. */
  async #finishCut(): Promise<number | undefined> {
    const cut = this.#cut;
    if (cut.kind === 'nothing') return this.#search.hole.first;
    if (cut.kind === 'header') return await this.#finishHeader(cut.start, cut.known);
    if (isBlock(cut.id)) this.#layBlockHeader(cut.start, cut.end);
    return cut.end;
  }

  /** As small as its first bytes allow; or, where that is too long for the hole, up to a boundary after it. */
  async #finishHeader(start: number, known: Buffer): Promise<number | undefined> {
    const { hole } = this.#search;
    const begun = smallestElement(known);
    if (begun === undefined) return undefined;
    const data = start + begun.bytes.length;
    const end = begun.size === undefined ? undefined : data + begun.size;
    if ((end ?? data) <= hole.last && hasRoomForVoid(this.#top, end ?? data))
      return this.#open(start, begun.bytes, begun.id, end);
    for (const target of await this.#targets(this.#top)) {
      const header = this.#fit(begun.bytes.subarray(0, begun.idWidth), start, target);
      if (header !== undefined) return this.#open(start, header, begun.id, target);
    }
    return undefined;
  }

  /** Lays a header and gives the position where its element, or a master's first child, can be filled on. */
  #open(start: number, header: Buffer, id: number, end: number | undefined): number | undefined {
    const data = start + header.length;
    this.#lay(start, header);
    if (isBlock(id)) this.#layBlockHeader(data, end ?? data);
    if (!isMaster(id)) return end;
    this.#levels.push({ id, end });
    if (id === CLUSTER) this.#timed = false;
    return data;
  }

  /** A Void from a position in the hole to the nearest boundary that its header can name. */
  async #skip(position: number, level: OpenElement): Promise<number | undefined> {
    for (const target of await this.#targets(level)) {
      const header = this.#fit(VOID_ID, position, target);
      if (header === undefined) continue;
      this.#lay(position, header);
      this.#voids += 1;
      return target;
    }
    return undefined;
  }

  /** Where an element of this level may end, at the hole's end or after it; the level's own end at the last. */
  async #targets(level: OpenElement): Promise<readonly number[]> {
    const { id, end } = level;
    if (end !== undefined && end <= this.#search.hole.last + 1) return [end];
    if (end === undefined || id === SEGMENT) return boundariesAfter(this.#search, level);
    const inside = id === CUES || (id === CLUSTER && this.#timed);
    return inside ? [...(await boundariesAfter(this.#search, level)), end] : [end];
  }

  /** A header from `start` whose element ends at `target`, and which agrees with the bytes around the hole. */
  #fit(id: Buffer, start: number, target: number): Buffer | undefined {
    for (let width = MAX_SIZE_WIDTH; width >= 1; width--) {
      const size = sizeBytes(target - start - id.length - width, width);
      const header = size && Buffer.concat([id, size]);
      if (header !== undefined && this.#agrees(start, header)) return header;
    }
    return undefined;
  }

  #agrees(start: number, bytes: Buffer): boolean {
    const { hole } = this.#search;
    const known = this.#cut.kind === 'header' ? this.#cut : { start: hole.first, known: Buffer.alloc(0) };
    return bytes.every((byte, i) => {
      const position = start + i;
      if (position < hole.first) return byte === known.known[position - known.start];
      return position <= hole.last || byte === this.#after[position - hole.last - 1];
    });
  }

  /** Zeros would be no block at all, and players give up the Cluster over it: its header repeats the last block's. */
  #layBlockHeader(data: number, end: number): void {
    const [track = 0x81, high = 0, low = 0] = this.#lastBlock ?? [];
    // No flags: neither a key frame nor lacing.
    this.#lay(data, Buffer.from([track, high, low, 0]).subarray(0, end - data));
  }

  /** Lays what falls into the hole. */
  #lay(at: number, bytes: Buffer): void {
    const { first, last } = this.#search.hole;
    const inside = bytes.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
    if (inside.length > 0) this.#pieces.push({ at: Math.max(first, at), bytes: inside });
  }

  get #top(): OpenElement {
    return this.#levels.at(-1) ?? this.#search.segment.level;
  }
}

/** Whether the parent ends at a position or has room for a Void after it: an id and a size. */
function hasRoomForVoid({ end }: OpenElement, position: number): boolean {
  return end === undefined || end === position || end >= position + 2;
}

interface ElementStart {
  readonly id: number;
  readonly idWidth: number;
  readonly bytes: Buffer;
  /** Undefined for "unknown". */
  readonly size: number | undefined;
}

/** A block's header and a little content: decoders take an empty packet for the film's end. */
const MIN_BLOCK_SIZE = 8;

/** The smallest element whose header begins with the given bytes. An id of which too little is known is nobody's. */
function smallestElement(known: Buffer): ElementStart | undefined {
  const idWidth = widthOf(known[0] ?? 0);
  if (idWidth > MAX_ID_WIDTH) return undefined;
  const padded = Buffer.concat([known, Buffer.alloc(MAX_ID_WIDTH)]).subarray(0, idWidth);
  const idBytes = known.length < idWidth ? (topLevelId(known) ?? padded) : padded;
  const id = idBytes.readUIntBE(0, idWidth);
  const sizeField = smallestSize(known.subarray(idWidth), isBlock(id) ? MIN_BLOCK_SIZE : 0);
  if (sizeField === undefined) return undefined;
  const bytes = Buffer.concat([idBytes, sizeField]);
  const header = readHeader(bytes, 0);
  if (typeof header === 'string' || (header.size === undefined && id !== CLUSTER)) return undefined;
  return { id, idWidth, bytes, size: header.size };
}

/** The smallest size from `least` (at most 127) on that begins with the given bytes; "unknown" when they do. */
function smallestSize(given: Buffer, least: number): Buffer | undefined {
  const [first] = given;
  if (first === undefined) return sizeBytes(least, 1);
  const width = widthOf(first);
  if (width > MAX_SIZE_WIDTH) return undefined;
  const rest = given.subarray(1);
  const unknown = first === 0xff >> (width - 1) && (width < MAX_SIZE_WIDTH || rest.length > 0);
  const size = Buffer.alloc(width, unknown && rest.every((byte) => byte === 0xff) ? 0xff : 0);
  given.copy(size);
  if (given.length < width) size.writeUInt8(size.readUInt8(width - 1) | least, width - 1);
  return size;
}
