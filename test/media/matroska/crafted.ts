// Matroska files that a stranger has made so that the bridge over a hole in them takes as long as it can.
import type { Hole } from '../../../src/media/fill-types.ts';

export interface Crafted {
  readonly bytes: Buffer;
  /** The article that the poster has withheld. */
  readonly hole: Hole;
}

const HOLE_BYTES = 1000;

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** An element with a size of eight bytes. */
function element(id: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n));
  return Buffer.concat([hex(id), size, body]);
}

/** A Void, the size of one that would be a BlockGroup's id and size: one BlockGroup in each, of millions of Voids. */
const voidLikeGroup = (groupBytes: number): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(0x10000000 + groupBytes);
  return Buffer.concat([hex('ec 85 a0'), size]);
};

const HEAD = Buffer.concat([
  element('1a45dfa3', element('4282', Buffer.from('matroska'))),
  // The Segment, of unknown size.
  hex('18538067 01ffffffffffffff'),
  element('1549a966', element('2ad7b1', hex('0f4240'))),
  element('1654ae6b', element('ae', element('d7', hex('01')))),
]);
const BLOCK = element('a3', hex('81 0000 80'), Buffer.alloc(500, 0x55));
const TIMESTAMP = element('e7', hex('00'));

/** Behind the hole, each byte of `length` belongs to a Void that holds what looks like a BlockGroup of `groupBytes`. */
export function voidsLikeGroups(length: number, groupBytes: number): Crafted {
  const trap = voidLikeGroup(groupBytes);
  const lost = element('a3', hex('81 0014 80'), Buffer.alloc(HOLE_BYTES, 0xaa));
  const before = [TIMESTAMP, BLOCK, lost];
  const traps = Buffer.alloc(Math.floor(length / trap.length) * trap.length, trap);
  const bytes = Buffer.concat([HEAD, element('1f43b675', ...before, traps)]);
  const last = bytes.length - traps.length - 1;
  return { bytes, hole: { first: last - lost.length + 1, last } };
}

/** Before the hole, `length` bytes of Clusters of unknown size, each of which leads to all that follow and then nowhere. */
export function clustersInARow(length: number): Crafted {
  const trap = hex('1f43b675 ff');
  const traps = Buffer.alloc(Math.floor(length / trap.length) * trap.length, trap);
  const nowhere = Buffer.alloc(16);
  const before = Buffer.concat([HEAD, traps, nowhere]);
  const bytes = Buffer.concat([
    before,
    Buffer.alloc(HOLE_BYTES, 0xaa),
    element('1f43b675', TIMESTAMP, BLOCK),
  ]);
  return { bytes, hole: { first: before.length, last: before.length + HOLE_BYTES - 1 } };
}

/** Room for what is not a trap. */
const OTHER_BYTES = 4_000;

/** One of the two as a whole file of `size` bytes, from 100,000 on; what is left over is zeros. */
export function craftedFile(kind: 'voids' | 'clusters', size: number): Buffer {
  const length = size - OTHER_BYTES;
  const { bytes } =
    kind === 'voids' ? voidsLikeGroups(length, Math.floor(length / 3)) : clustersInARow(length);
  return Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
}
