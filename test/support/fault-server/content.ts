import type { Clip } from '../../../sandbox/clips/index.ts';
import { virtualBytes } from '../virtual-file.ts';

/** What a file holds, as a rule: any part of it can be had, and it takes no room. */
export interface Content {
  /** Bytes; up to 2^53 - 1. */
  readonly size: number;
  /** The bytes from `first` to `last`, both inclusive and within the file. */
  read(first: number, last: number): Uint8Array;
}

/** Bytes that no container is recognised in. */
export const opaqueContent = (size: number): Content => ({ size, read: virtualBytes });

/** A film of the sandbox. */
export const clipContent = ({ size, read }: Clip): Content => ({
  size,
  read: (first, last) => read(first, last + 1),
});

/** Bytes that are all in memory. */
export const bufferContent = (bytes: Uint8Array): Content => ({
  size: bytes.length,
  read: (first, last) => bytes.subarray(first, last + 1),
});

const PACKET = 188;
/** Sync byte, then a header of PID 0x100 with payload only (ISO 13818-1 §2.4.3.2). */
const PACKET_HEAD = [0x47, 0x01, 0x00, 0x10];

/** Transport-stream packets around bytes that no decoder understands. */
export function packetContent(size: number): Content {
  return {
    size,
    read: (first, last) => {
      const bytes = virtualBytes(first, last);
      for (let packet = first - (first % PACKET); packet <= last; packet += PACKET)
        for (const [i, byte] of PACKET_HEAD.entries())
          if (packet + i >= first && packet + i <= last) bytes[packet + i - first] = byte;
      return bytes;
    },
  };
}

/** Another version of a file: not one byte is the same, and the size may be another. */
export function otherVersion(content: Content, size = content.size): Content {
  return {
    size,
    read: (first, last) => {
      const bytes = virtualBytes(first, last);
      const known = first < content.size ? content.read(first, Math.min(last, content.size - 1)) : [];
      for (const [i, byte] of known.entries()) bytes[i] = byte ^ 0xff;
      return bytes;
    },
  };
}
