import { SlipstreamError } from '../errors/index.ts';
import type { Logger } from '../log/index.ts';
import type { Playable } from '../model/index.ts';
import { sizeText } from '../release/index.ts';
import { isExtra } from './video/extras.ts';
import { isVideo, type JobFile } from './video/files.ts';

interface Evidence {
  /** Bytes that were advertised for the whole job, par2 and all. */
  readonly expected?: number | undefined;
  /** All files of the job. */
  readonly files: readonly JobFile[];
  /** Backend.read of this file. */
  readonly read: (
    range: { readonly from: number; readonly length: number },
    signal: AbortSignal,
  ) => Promise<Uint8Array>;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Of what was advertised, so much at least is video: par2 files, samples and the articles' own coding are the rest. */
const LEAST_VIDEO = 0.5;
/** Below this part of what was advertised, or of the other episodes, it is no shorter video but something in its place. */
const STAND_IN = 0.04;
const PIECE = 65_536;

/**
 * Proves that a finished job's file is worth playing: large enough for what was advertised, no stub beside its
 * siblings, and readable in its middle, with one request in all. The end is not tried: a second reader would compete
 * with the first for the same connections (protocols.md §2.6). What nobody knows proves nothing: a size that no one told,
 * a server that does not answer just now.
 * @throws DAMAGED when the file is a stub, too small, or cannot be read; AUTH_FAILED
 */
export async function proveReady(
  file: Playable,
  { expected, files, read, signal, log }: Evidence,
): Promise<void> {
  if (file.size !== undefined) {
    checkBesideOthers(file.size, file.name, files);
    if (expected !== undefined) checkAdvertised(file.size, expected, files);
  }
  const length = Math.min(PIECE, file.size ?? PIECE);
  const from = Math.floor(((file.size ?? length) - length) / 2);
  try {
    const bytes = await read({ from, length }, signal);
    checkPiece(bytes, file.size === undefined ? 1 : length);
  } catch (error) {
    signal.throwIfAborted();
    if (!isPassing(error)) throw error;
    log.warning(`Whether the file can be read is not known: ${error.message}`);
  }
}

/** What says something of the server, nothing of the file. */
const PASSING: ReadonlySet<string> = new Set(['UNREACHABLE', 'TIMEOUT', 'SERVICE_ERROR', 'RATE_LIMITED']);
const isPassing = (error: unknown): error is SlipstreamError =>
  error instanceof SlipstreamError && PASSING.has(error.code);

/** One video may be one of many, so all of them together are held against what was advertised for all. */
function checkAdvertised(size: number, expected: number, files: readonly JobFile[]): void {
  if (size >= LEAST_VIDEO * expected) return;
  const sizes = files.filter(isVideo).map((video) => video.size);
  if (sizes.some((each) => each === undefined)) return;
  const total = Math.max(
    size,
    sizes.reduce<number>((sum, each = 0) => sum + each, 0),
  );
  if (total >= LEAST_VIDEO * expected) return;
  const detail = `${total} bytes of video, ${expected} advertised`;
  throw total < STAND_IN * expected
    ? standIn(detail)
    : damaged(
        `The video is far smaller than the release promised (${sizeText(total)} of ${sizeText(expected)}).`,
        detail,
      );
}

/** An episode that is next to nothing beside the others is not there yet, or never will be. */
function checkBesideOthers(size: number, name: string, files: readonly JobFile[]): void {
  const others = files.filter((each) => isVideo(each) && !isExtra(each) && each.path.at(-1) !== name);
  const sizes = others.map((each) => each.size ?? 0).sort((a, b) => a - b);
  const median = sizes[Math.floor(sizes.length / 2)] ?? 0;
  if (size === 0 || size < STAND_IN * median) throw standIn(`${size} bytes, the others ${median}`);
}

/** A backend that lost an article may fill in zeros, which no encoder writes so many of. */
function checkPiece(bytes: Uint8Array, length: number): void {
  if (bytes.byteLength < length)
    throw damaged('The video ends before its middle.', `${bytes.byteLength} of ${length} bytes`);
  if (length === PIECE && bytes.every((byte) => byte === 0))
    throw damaged('Parts of the video are missing.', `${length} zeros in the middle`);
}

const standIn = (detail: string) =>
  damaged('There is only a short stand-in where the video should be.', detail);

const damaged = (what: string, detail: string) =>
  new SlipstreamError('DAMAGED', { what, next: 'Try another release.' }, { detail });
