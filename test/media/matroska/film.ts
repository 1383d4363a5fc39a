// Small Matroska files of every shape that muxers write, and a strict reader of them.
import type { Hole } from '../../../src/media/fill-types.ts';
import { dice } from '../holes.ts';

const ID = {
  ebml: '1a45dfa3',
  segment: '18538067',
  seekHead: '114d9b74',
  info: '1549a966',
  tracks: '1654ae6b',
  cluster: '1f43b675',
  timestamp: 'e7',
  prevSize: 'ab',
  simpleBlock: 'a3',
  blockGroup: 'a0',
  block: 'a1',
  duration: '9b',
  reference: 'fb',
  cues: '1c53bb6b',
  cuePoint: 'bb',
  cueTime: 'b3',
  positions: 'b7',
  cueTrack: 'f7',
  tags: '1254c367',
  tag: '7373',
  void: 'ec',
  crc: 'bf',
} as const;

const MASTERS: ReadonlySet<string> = new Set([
  ...[ID.ebml, ID.segment, ID.seekHead, ID.info, ID.tracks, ID.cluster, ID.blockGroup, ID.cues],
  ...[ID.cuePoint, ID.positions, ID.tags, ID.tag],
]);
const TOP: ReadonlySet<string> = new Set([ID.seekHead, ID.info, ID.tracks, ID.cluster, ID.cues, ID.tags]);

type Roll = (below: number) => number;

/** A size in a width that any muxer might choose, or as unknown. */
function sizeField(size: number | undefined, roll: Roll): Buffer {
  const width = [1, 2, 3, 4, 8, 8][roll(6)] ?? 8;
  if (size === undefined) return Buffer.alloc(width, 0xff).fill(0xff >> (width - 1), 0, 1);
  if (size > 2 ** (7 * width) - 2) return sizeField(size, roll);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(size) | (1n << BigInt(7 * width)));
  return bytes.subarray(8 - width);
}

function noise(length: number, roll: Roll): Buffer {
  return Buffer.from(Array.from({ length }, () => roll(256)));
}

export interface FilmShape {
  readonly seed: number;
  /** Clusters as live muxers write them. */
  readonly live: boolean;
  /** How much larger than a few hundred bytes blocks are; 1 by default. */
  readonly scale?: number;
}

/** Head, clusters of blocks and groups of them, cues and tags; the content is noise. */
export function film({ seed, live, scale = 1 }: FilmShape): Buffer {
  const roll = dice(seed);
  const element = (id: string, ...content: readonly Buffer[]): Buffer => {
    const body = Buffer.concat(content);
    return Buffer.concat([Buffer.from(id, 'hex'), sizeField(body.length, roll), body]);
  };
  const block = (id: string, time: number): Buffer => {
    const head = Buffer.from([
      0x81 + roll(3),
      time >> 8,
      time & 0xff,
      roll(2) * 0x80 * Number(id === ID.simpleBlock),
    ]);
    return element(id, head, noise((roll(8) === 0 ? 1000 + roll(4000) : 20 + roll(300)) * scale, roll));
  };
  const anyBlock = (time: number): Buffer =>
    roll(3) > 0
      ? block(ID.simpleBlock, time)
      : element(
          ID.blockGroup,
          block(ID.block, time),
          element(ID.duration, noise(2, roll)),
          element(ID.reference, noise(1, roll)),
        );
  const cluster = (n: number): Buffer => {
    const blocks = Array.from({ length: 1 + roll(40) }, (_, i) => anyBlock(i * 20));
    const start = element(ID.timestamp, Buffer.from([n >> 8, n & 0xff]));
    const end = roll(4) === 0 ? [element(ID.void, Buffer.alloc(roll(50)))] : [];
    const content = [
      ...(roll(3) === 0 ? [element(ID.prevSize, noise(2, roll))] : []),
      start,
      ...blocks,
      ...end,
    ];
    if (!live) return element(ID.cluster, ...content);
    return Buffer.concat([Buffer.from(ID.cluster, 'hex'), sizeField(undefined, roll), ...content]);
  };
  const cue = (n: number): Buffer =>
    element(
      ID.cuePoint,
      element(ID.cueTime, Buffer.from([n])),
      element(ID.positions, element(ID.cueTrack, Buffer.from([1]))),
    );
  const head = [
    element(ID.seekHead, element(ID.void, noise(30, roll))),
    element(ID.info, element(ID.crc, noise(4, roll))),
    element(ID.tracks, element(ID.void, noise(60, roll))),
  ];
  const clusters = Array.from({ length: 2 + roll(6) }, (_, n) => cluster(n));
  const tail = [
    element(ID.cues, ...Array.from({ length: 30 }, (_, n) => cue(n))),
    element(ID.tags, element(ID.tag)),
  ];
  const content = Buffer.concat([...head, ...clusters, ...(roll(3) === 0 ? [] : tail)]);
  const known = !live || roll(2) === 0;
  const segment = [
    Buffer.from(ID.segment, 'hex'),
    sizeField(known ? content.length : undefined, roll),
    content,
  ];
  return Buffer.concat([element(ID.ebml, element('4282', Buffer.from('matroska'))), ...segment]);
}

/** An element as it stands in a file; positions are the file's. */
export interface Node {
  readonly id: string;
  readonly start: number;
  readonly data: number;
  readonly end: number;
  readonly parents: readonly Node[];
}

/**
 * Every element of a file, in order, masters before what is in them.
 * @throws Error at the first byte that is out of place: an element that exceeds its parent, or that is none.
 */
export function elementsOf(bytes: Buffer): Node[] {
  const nodes: Node[] = [];
  const read = (start: number, end: number, parents: readonly Node[]): number => {
    let position = start;
    while (position < end) {
      const { id, data, size } = headerAt(bytes, position);
      const inLiveCluster = parents.at(-1)?.id === ID.cluster && parents.at(-1)?.end === Infinity;
      if (inLiveCluster && TOP.has(id)) return position;
      const node = { id, start: position, data, end: data + size, parents };
      if (size !== Infinity && node.end > end) throw new Error(`${id} at ${position} exceeds its parent`);
      nodes.push(node);
      const last = Math.min(node.end, end);
      position = MASTERS.has(id) ? read(data, last, [...parents, node]) : last;
    }
    return position;
  };
  read(0, bytes.length, []);
  return nodes;
}

function headerAt(bytes: Buffer, at: number): { id: string; data: number; size: number } {
  const idWidth = Math.clz32(bytes.readUInt8(at)) - 23;
  if (idWidth > 4) throw new Error(`no id at ${at}`);
  const sizeAt = at + idWidth;
  const width = Math.clz32(bytes.readUInt8(sizeAt)) - 23;
  if (width > 8) throw new Error(`no size at ${sizeAt}`);
  const mask = (1n << BigInt(7 * width)) - 1n;
  const size = BigInt(`0x${bytes.toString('hex', sizeAt, sizeAt + width)}`) & mask;
  return {
    id: bytes.toString('hex', at, sizeAt),
    data: sizeAt + width,
    size: size === mask ? Infinity : Number(size),
  };
}

/** Whether an element, header and all, has a byte in a hole. */
export const touches = (node: Node, hole: Hole): boolean => node.start <= hole.last && hole.first < node.end;

export const isBlock = ({ id }: Node): boolean => id === ID.simpleBlock || id === ID.block;
export const isCue = ({ id }: Node): boolean => id === ID.cuePoint;
export const isCluster = ({ id }: Node): boolean => id === ID.cluster;
export const isTimestamp = ({ id }: Node): boolean => id === ID.timestamp;
export const isHead = ({ id }: Node): boolean => [ID.ebml, ID.info, ID.tracks].some((each) => each === id);
