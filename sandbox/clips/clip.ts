/** A video file that exists only as a rule: any range of it can be read, and it takes no room. */
export interface Clip {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** The bytes from `start` up to, not including, `end`; both within the file. */
  read(start: number, end: number): Uint8Array<ArrayBuffer>;
}

/** A stretch of a file. Whatever the parts do not cover is padding. */
export interface Part {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** Finds the parts that touch a range; `start` and `end` are offsets in the file. */
export type Layout = (start: number, end: number) => Iterable<Part>;

/** A clip out of the parts that its muxer lays out, the rest filled with recognisable padding. */
export function clipOf(name: string, size: number, layout: Layout): Clip {
  const pad = padding(name);
  return {
    name,
    size,
    read(start, end) {
      if (start < 0 || end > size || start > end)
        throw new RangeError(`No range ${start}-${end} in ${size} bytes.`);
      const out = new Uint8Array(end - start);
      pad(out, start);
      for (const part of layout(start, end)) {
        const from = Math.max(start, part.start);
        const to = Math.min(end, part.start + part.bytes.length);
        if (from < to) out.set(part.bytes.subarray(from - part.start, to - part.start), from - start);
      }
      return out;
    },
  };
}

/** A file without a picture in it, such as an .nfo: the text itself. */
export function textFile(name: string, text: string): Clip {
  const bytes = new TextEncoder().encode(text);
  return { name, size: bytes.length, read: (start, end) => bytes.slice(start, end) };
}

const BLOCK = 4096;

/**
 * Padding that tells where it comes from: each block of 4096 bytes begins with its own offset and differs from
 * file to file, so that bytes served from a wrong place or a wrong file never pass a comparison.
 */
function padding(name: string): (out: Uint8Array, start: number) => void {
  const block = noise(name);
  return (out, start) => {
    const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
    for (let at = start - (start % BLOCK); at < start + out.length; at += BLOCK) {
      const skip = Math.max(0, start - at);
      const length = Math.min(BLOCK, start + out.length - at) - skip;
      out.set(block.subarray(skip, skip + length), at + skip - start);
      if (skip === 0 && length >= 8) view.setBigUint64(at - start, BigInt(at));
      else stampSlowly(out, start, at);
    }
  };
}

/** The block's offset, where a range begins or ends in the middle of it. */
function stampSlowly(out: Uint8Array, start: number, at: number): void {
  const stamp = Buffer.alloc(8);
  stamp.writeBigUInt64BE(BigInt(at));
  for (let i = 0; i < 8; i++) {
    const index = at + i - start;
    if (index >= 0 && index < out.length) out[index] = stamp.readUInt8(i);
  }
}

/** Noise by xorshift, seeded by the name. No byte is 0x00 or 0x1f, so no start code or EBML id arises by chance. */
function noise(name: string): Uint8Array {
  let state = 0x9e3779b9;
  for (const letter of name) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0 || 1;
  return Uint8Array.from({ length: BLOCK }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return 0x20 + ((state >>> 8) % 0xe0);
  });
}
