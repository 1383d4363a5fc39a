import { deadlineSignal } from '../../io/wait.ts';
import type { Playable } from '../../model/index.ts';
import { type GuardedFiles, tooSlow } from './guarded-files.ts';
import { cannotBeRead, cutShort } from './locate.ts';
import type { Times } from './times.ts';

/** What the media centre reads at once for us. */
const PIECE = 1024 * 1024;

/** Reads through the media centre's own file layer, as Backend.read. */
export async function readFile(
  files: GuardedFiles,
  { url, size }: Playable,
  { from, length }: { readonly from: number; readonly length: number },
  { signal, times }: { readonly signal: AbortSignal; readonly times: Times },
): Promise<Uint8Array> {
  const end = Math.min(from + length, size ?? Infinity);
  const limit = deadlineSignal(signal, times.read, () => tooSlow(times.read));
  const pieces: Uint8Array[] = [];
  let at = from;
  try {
    while (at < end) {
      const wanted = Math.min(PIECE, end - at);
      const piece = await files.read(url, { from: at, length: wanted }, limit.signal);
      if (piece === undefined) throw cannotBeRead();
      pieces.push(piece);
      at += piece.byteLength;
      if (piece.byteLength < wanted) break;
    }
  } finally {
    limit.done();
  }
  // Where nobody knows the size, a short piece may be the end.
  if (size !== undefined && at < end) throw cutShort(at - from);
  return Buffer.concat(pieces);
}
