import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** What `readBody` can undo. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/**
 * Reads the whole body of an answer, decompressed.
 *
 * @throws `tooLarge()` as soon as there are more than `maxBytes`; what the connection or zlib fails of
 */
export async function readBody(
  answer: IncomingMessage,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of await decoded(answer)) {
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, size);
}

/** An encoding that we did not ask for passes as it is: some servers name a character set there. */
async function decoded(answer: IncomingMessage): Promise<Readable> {
  const encoding = answer.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (!['gzip', 'x-gzip', 'deflate', 'br'].includes(encoding)) return answer;
  // An answer without a body is no broken archive, whatever its head says.
  const first = await firstChunk(answer);
  if (first === undefined) return answer;
  const decoder = decoderFor(encoding, first);
  // Hands failures on in both directions; whoever reads the decoder sees them.
  return pipeline(answer, decoder, () => undefined);
}

async function firstChunk(answer: IncomingMessage): Promise<Uint8Array | undefined> {
  for await (const chunk of answer.iterator({ destroyOnReturn: false })) {
    answer.unshift(chunk);
    return chunk as Uint8Array;
  }
  return undefined;
}

function decoderFor(encoding: string, first: Uint8Array) {
  if (encoding === 'br') return createBrotliDecompress();
  if (encoding !== 'deflate') return createGunzip();
  // Some servers leave out the zlib format's head, whose first byte always ends in 8 (RFC 1950 §2.2).
  return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
}
