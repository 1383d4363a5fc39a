// yEnc 1.3, the encoding of binary posts: http://www.yenc.org/yenc-draft.1.3.txt
import { crc32 } from 'node:zlib';

const LINE = 128;
const ESCAPE = 0x3d;
/** NUL, LF, CR and "=" may not stand for themselves; a dot at a line's start is the transport's business. */
const CRITICAL: ReadonlySet<number> = new Set([0x00, 0x0a, 0x0d, ESCAPE]);

export interface YencPart {
  readonly name: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** From 1. */
  readonly number: number;
  readonly total: number;
  /** Where the part begins in the file, from 0. */
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** The body of an article that carries one part of a file. Lines end in CRLF. */
export function yencBody({ name, size, number, total, from, bytes }: YencPart): Buffer {
  const checksum = crc32(bytes).toString(16).padStart(8, '0');
  const head = [
    `=ybegin part=${number} total=${total} line=${LINE} size=${size} name=${name}`,
    `=ypart begin=${from + 1} end=${from + bytes.length}`,
  ];
  const tail = `=yend size=${bytes.length} part=${number} pcrc32=${checksum}`;
  return Buffer.concat([
    Buffer.from(`${head.join('\r\n')}\r\n`),
    yencLines(bytes),
    Buffer.from(`${tail}\r\n`),
  ]);
}

function yencLines(bytes: Uint8Array): Buffer {
  // At worst each byte is escaped.
  const out = Buffer.alloc(bytes.length * 2 + (2 * bytes.length * 2) / LINE + 2);
  let at = 0;
  let column = 0;
  for (const byte of bytes) {
    const encoded = (byte + 42) & 0xff;
    if (CRITICAL.has(encoded)) {
      out[at++] = ESCAPE;
      column++;
    }
    out[at++] = CRITICAL.has(encoded) ? (encoded + 64) & 0xff : encoded;
    if (++column < LINE) continue;
    out[at++] = 0x0d;
    out[at++] = 0x0a;
    column = 0;
  }
  if (column > 0) at += out.write('\r\n', at, 'latin1');
  return out.subarray(0, at);
}
