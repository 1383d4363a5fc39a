// Where the samples of an MP4 begin, by its tables (ISO/IEC 14496-12 §8.6–8.7), of which little is held at a time.
import type { Hole } from '../fill-types.ts';
import type { RangedReader } from '../ranged-reader.ts';
import { type Box, boxesIn } from './boxes.ts';

/** Bytes of a table that are read at a time; a multiple of every entry's length. */
const READ_SIZE = 48 * 1024;
/** More entries has no film; whoever says so is not followed. */
const MAX_ENTRIES = 4_000_000;

/** Formats whose samples may be zeros from their first byte on: silence, or black pictures, that nothing compresses. */
const RAW: ReadonlySet<string> = new Set([
  ...['lpcm', 'ipcm', 'fpcm', 'sowt', 'twos', 'raw ', 'NONE', 'in24', 'in32', 'fl32', 'fl64', 's16l'],
  ...['2vuy', 'yuvs', 'yuv2', 'v210', 'v216', 'v308', 'v408', 'v410', 'b16g', 'b32a', 'b48r', 'b64a', 'r210'],
]);
const MEDIA: ReadonlySet<string> = new Set(['vide', 'soun']);

/** A sample that begins with so many zeros is none. */
const MIN_ZEROS = 8;

/** A box whose content is a count and entries of one length. */
interface Table {
  readonly first: number;
  readonly count: number;
  readonly width: number;
}

interface Track {
  readonly chunks: Table;
  readonly samplesPerChunk: Table;
  readonly sizes: Table;
  /** Bytes of every sample; 0: the table tells. */
  readonly size: number;
}

/** The first place in a run of zeros at which a sample begins that no zeros can begin; undefined when there is none. */
export async function findSample(
  run: Hole,
  moov: Box,
  file: RangedReader,
  signal: AbortSignal,
): Promise<number | undefined> {
  const within = { first: run.first, last: run.last - MIN_ZEROS + 1 };
  let found: number | undefined;
  for await (const trak of boxesIn(file, moov.data, moov.end, signal)) {
    const track = trak.type === 'trak' ? await readTrack(trak, file, signal) : undefined;
    const at = track && (await firstSample(track, within, file, signal));
    if (at !== undefined) found = Math.min(at, found ?? at);
  }
  return found;
}

/** Undefined where the track is raw, of another kind, or tells too little. */
async function readTrack(trak: Box, file: RangedReader, signal: AbortSignal): Promise<Track | undefined> {
  const mdia = (await childrenOf(trak, file, signal)).get('mdia');
  const media = mdia && (await childrenOf(mdia, file, signal));
  const [hdlr, minf] = [media?.get('hdlr'), media?.get('minf')];
  const stbl = minf && (await childrenOf(minf, file, signal)).get('stbl');
  if (hdlr === undefined || stbl === undefined) return undefined;
  const tables = await childrenOf(stbl, file, signal);
  const [stsd, stsc, stsz] = ['stsd', 'stsc', 'stsz'].map((type) => tables.get(type));
  const offsets = tables.get('stco') ?? tables.get('co64');
  if (stsd === undefined || stsc === undefined || stsz === undefined || offsets === undefined)
    return undefined;
  const kind = await textAt(hdlr.data + 8, file, signal);
  const format = await textAt(stsd.data + 12, file, signal);
  if (!MEDIA.has(kind) || RAW.has(format)) return undefined;
  const [size = 0] = await numbersAt(stsz.data + 4, 1, file, signal);
  const chunks = await tableIn(offsets, 4, offsets.type === 'co64' ? 8 : 4, file, signal);
  const samplesPerChunk = await tableIn(stsc, 4, 12, file, signal);
  const sizes = size > 0 ? NO_TABLE : await tableIn(stsz, 8, 4, file, signal);
  if (chunks === undefined || samplesPerChunk === undefined || sizes === undefined) return undefined;
  return { chunks, samplesPerChunk, sizes, size };
}

const NO_TABLE: Table = { first: 0, count: 0, width: 4 };

async function childrenOf(box: Box, file: RangedReader, signal: AbortSignal): Promise<Map<string, Box>> {
  const children = new Map<string, Box>();
  for await (const child of boxesIn(file, box.data, box.end, signal)) children.set(child.type, child);
  return children;
}

async function textAt(at: number, file: RangedReader, signal: AbortSignal): Promise<string> {
  return Buffer.from(await file.read(at, at + 3, signal)).toString('latin1');
}

async function numbersAt(
  at: number,
  count: number,
  file: RangedReader,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const bytes = Buffer.from(await file.read(at, at + 4 * count - 1, signal));
  return Array.from({ length: count }, (_, i) => bytes.readUInt32BE(4 * i));
}

/** The table behind a count at so many bytes of the box's content; undefined when it does not fit into the box. */
async function tableIn(
  box: Box,
  countAt: number,
  width: number,
  file: RangedReader,
  signal: AbortSignal,
): Promise<Table | undefined> {
  const [count = 0] = await numbersAt(box.data + countAt, 1, file, signal);
  const first = box.data + countAt + 4;
  return count <= MAX_ENTRIES && first + count * width <= box.end ? { first, count, width } : undefined;
}

/** The entries from one on, slab by slab. */
async function* slabsOf(table: Table, from: number, file: RangedReader, signal: AbortSignal) {
  const { first, count, width } = table;
  const end = first + count * width;
  for (let at = first + from * width; at < end; at += READ_SIZE)
    yield Buffer.from(await file.read(at, Math.min(at + READ_SIZE, end) - 1, signal));
}

/** Where a chunk begins in the file, and its number from 0 on. */
interface Chunk {
  readonly index: number;
  readonly at: number;
}

async function firstSample(
  track: Track,
  within: Hole,
  file: RangedReader,
  signal: AbortSignal,
): Promise<number | undefined> {
  let before: Chunk | undefined;
  let found: number | undefined;
  let index = 0;
  const wide = track.chunks.width === 8;
  for await (const slab of slabsOf(track.chunks, 0, file, signal))
    for (let offset = 0; offset < slab.length; offset += track.chunks.width, index++) {
      const at = wide ? Number(slab.readBigUInt64BE(offset)) : slab.readUInt32BE(offset);
      if (at < within.first) before = before === undefined || at >= before.at ? { index, at } : before;
      else if (at <= within.last) found = Math.min(at, found ?? at);
    }
  const inside = before && (await sampleInChunk(track, before, within, file, signal));
  return inside ?? found;
}

/** The first sample of a chunk, which begins before it, in the given bytes. */
async function sampleInChunk(
  track: Track,
  chunk: Chunk,
  within: Hole,
  file: RangedReader,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { before, count } = await samplesOf(track, chunk.index, file, signal);
  let left = count;
  let at = chunk.at;
  if (track.size > 0) {
    const passed = Math.ceil((within.first - at) / track.size);
    at += passed * track.size;
    return passed < count && at <= within.last ? at : undefined;
  }
  for await (const slab of slabsOf(track.sizes, before, file, signal))
    for (let offset = 0; offset < slab.length; offset += 4) {
      if (left-- === 0 || at > within.last) return undefined;
      if (at >= within.first) return at;
      at += slab.readUInt32BE(offset);
    }
  return undefined;
}

/** How many samples a chunk has, and all chunks before it. */
async function samplesOf(track: Track, chunk: number, file: RangedReader, signal: AbortSignal) {
  let before = 0;
  let [from, each] = [0, 0];
  for await (const slab of slabsOf(track.samplesPerChunk, 0, file, signal))
    for (let offset = 0; offset < slab.length; offset += 12) {
      const next = slab.readUInt32BE(offset) - 1;
      if (next > chunk) return { before: before + (chunk - from) * each, count: each };
      before += (next - from) * each;
      [from, each] = [next, slab.readUInt32BE(offset + 4)];
    }
  return { before: before + (chunk - from) * each, count: each };
}
