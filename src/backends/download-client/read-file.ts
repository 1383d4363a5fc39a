import { deadlineSignal } from '../../io/wait.ts';
import type { Playable } from '../../model/index.ts';
import { fileTimeoutError, type GuardedFiles } from './guarded-files.ts';
import { truncatedError, unreadableError } from './locate.ts';
import type { NzbgetTimings } from './timings.ts';

/** What the media centre reads at once for us. */
const CHUNK_BYTES = 1024 * 1024;

/** Reads through the media centre's own file layer, as Backend.read. */
export async function readFile(
  files: GuardedFiles,
  { url, size }: Playable,
  { from, length }: { readonly from: number; readonly length: number },
  { signal, times }: { readonly signal: AbortSignal; readonly times: NzbgetTimings },
): Promise<Uint8Array> {
  const end = Math.min(from + length, size ?? Infinity);
  const limit = deadlineSignal(signal, times.read, () => fileTimeoutError(times.read));
  const pieces: Uint8Array[] = [];
  let at = from;
  try {
    while (at < end) {
      const wanted = Math.min(CHUNK_BYTES, end - at);
      const piece = await files.read(url, { from: at, length: wanted }, limit.signal);
      if (piece === undefined) throw unreadableError();
      pieces.push(piece);
      at += piece.byteLength;
      if (piece.byteLength < wanted) break;
    }
  } finally {
    limit.done();
  }
  // Where nobody knows the size, a short piece may be the end.
  if (size !== undefined && at < end) throw truncatedError(at - from);
  return Buffer.concat(pieces);
}
