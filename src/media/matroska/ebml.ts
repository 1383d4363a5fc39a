// Element headers of EBML: an id and a size, each of a width that its first byte tells (RFC 8794 §4–6).

/** What stands before an element's content. */
export interface Header {
  readonly id: number;
  /** Bytes of the header itself. */
  readonly length: number;
  /** Bytes of the content; undefined for "unknown". */
  readonly size: number | undefined;
}

export const MAX_ID_WIDTH = 4;
export const MAX_SIZE_WIDTH = 8;
/** No header is longer. */
export const MAX_HEADER = MAX_ID_WIDTH + MAX_SIZE_WIDTH;

/** Bytes that a number takes, by its first byte; 9 for 0x00, which begins none. */
export function widthOf(first: number): number {
  return Math.clz32(first) - 23;
}

/** The header that stands at an offset; 'cut' when the bytes end within it, 'invalid' when there is none. */
export function readHeader(bytes: Buffer, at: number): Header | 'cut' | 'invalid' {
  const first = bytes[at];
  if (first === undefined) return 'cut';
  const idWidth = widthOf(first);
  if (idWidth > MAX_ID_WIDTH) return 'invalid';
  const sizeFirst = bytes[at + idWidth];
  if (sizeFirst === undefined) return 'cut';
  const width = widthOf(sizeFirst);
  if (width > MAX_SIZE_WIDTH) return 'invalid';
  const length = idWidth + width;
  if (at + length > bytes.length) return 'cut';
  const id = bytes.readUIntBE(at, idWidth);
  const size = readSize(bytes.subarray(at + idWidth, at + length));
  return size === 'invalid' ? size : { id, length, size };
}

/** All bits set means unknown (RFC 8794 §6.2); what no number holds exactly is invalid. */
function readSize(bytes: Buffer): number | undefined | 'invalid' {
  const mask = 0xff >> bytes.length;
  const first = bytes.readUInt8(0) & mask;
  const rest = bytes.subarray(1);
  if (first === mask && rest.every((byte) => byte === 0xff)) return undefined;
  const value = rest.reduce((sum, byte) => sum * 256 + byte, first);
  return Number.isSafeInteger(value) ? value : 'invalid';
}

/** A size in so many bytes; undefined when it does not fit. */
export function sizeBytes(size: number, width: number): Buffer | undefined {
  if (size < 0 || size > 2 ** (7 * width) - 2) return undefined;
  const bytes = Buffer.alloc(MAX_SIZE_WIDTH);
  bytes.writeBigUInt64BE(BigInt(size) | (1n << BigInt(7 * width)));
  return bytes.subarray(MAX_SIZE_WIDTH - width);
}
