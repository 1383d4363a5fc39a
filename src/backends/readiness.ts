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
/** Beside so many other episodes at least, one of this part of their size is whole, whatever else is not there. */
const SIBLINGS = 2;
const LIKE_OTHERS = 0.5;
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
    const others = siblingsOf(file.name, file.size, files);
    checkBesideOthers(file.size, others);
    if (expected !== undefined) checkAdvertised(file.size, expected, { others, files });
  }
  const length = Math.min(PIECE, file.size ?? PIECE);
  const from = Math.floor(((file.size ?? length) - length) / 2);
  try {
    const bytes = await read({ from, length }, signal);
    checkPiece(bytes, file.size === undefined ? 1 : length, file.name);
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

interface Beside {
  /** Bytes of the other episodes, the smallest first. */
  readonly others: readonly number[];
  readonly files: readonly JobFile[];
}

/**
 * One video may be one of many, so all of them together are held against what was advertised for all; but of a pack,
 * some episodes may be missing, which is no fault of one that is like those beside it.
 */
function checkAdvertised(size: number, expected: number, { others, files }: Beside): void {
  if (size >= LEAST_VIDEO * expected) return;
  const sizes = files.filter(isVideo).map((video) => video.size);
  if (sizes.some((each) => each === undefined)) return;
  const total = Math.max(
    size,
    sizes.reduce<number>((sum, each = 0) => sum + each, 0),
  );
  if (total >= LEAST_VIDEO * expected) return;
  const detail = `${total} bytes of video, ${expected} advertised`;
  if (total < STAND_IN * expected) throw standIn(detail);
  if (others.length >= SIBLINGS && size >= LIKE_OTHERS * medianOf(others)) return;
  throw damaged(
    `The video is far smaller than the release promised (${sizeText(total)} of ${sizeText(expected)}).`,
    detail,
  );
}

/** An episode that is next to nothing beside the others is not there yet, or never will be. */
function checkBesideOthers(size: number, others: readonly number[]): void {
  const median = medianOf(others);
  if (size === 0 || size < STAND_IN * median) throw standIn(`${size} bytes, the others ${median}`);
}

/** Bytes of the other episodes. Some packs have a folder for each, and one file name for all. */
function siblingsOf(name: string, size: number, files: readonly JobFile[]): readonly number[] {
  const itself = files.find((each) => each.path.at(-1) === name && each.size === size);
  const others = files.filter((each) => each !== itself && isVideo(each) && !isExtra(each));
  return others.map((each) => each.size ?? 0).sort((a, b) => a - b);
}

const medianOf = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? 0;

/** A backend that lost an article may fill in what no encoder writes so much of (protocols.md §2.5). */
function checkPiece(bytes: Uint8Array, length: number, name: string): void {
  if (bytes.byteLength < length)
    throw damaged('The video ends before its middle.', `${bytes.byteLength} of ${length} bytes`);
  if (length === PIECE && bytes.every((byte) => byte === 0))
    throw damaged(MISSING_PARTS, `${length} zeros in the middle`);
  if (length === PIECE && TRANSPORT_STREAM.test(name) && isStuffing(bytes))
    throw damaged(MISSING_PARTS, `${length} bytes of null packets in the middle`);
}

const MISSING_PARTS = 'Parts of the video are missing.';
const TRANSPORT_STREAM = /\.(?:ts|m2ts|mts)$/i;
/** Bytes of a packet; Blu-rays have four more before each. */
const PACKETS = [188, 192];
const SYNC = 0x47;

/** Null packets (PID 0x1fff) and nothing else, wherever the first one begins (ISO/IEC 13818-1 §2.4.3). */
function isStuffing(bytes: Uint8Array): boolean {
  const isNull = (at: number) =>
    bytes[at] === SYNC && ((bytes[at + 1] ?? 0) & 0x1f) === 0x1f && bytes[at + 2] === 0xff;
  const onlyNull = (from: number, packet: number): boolean => {
    for (let at = from; at + 2 < bytes.byteLength; at += packet) if (!isNull(at)) return false;
    return true;
  };
  return PACKETS.some((packet) => {
    for (let from = 0; from < packet; from++) if (onlyNull(from, packet)) return true;
    return false;
  });
}

const standIn = (detail: string) =>
  damaged('There is only a short stand-in where the video should be.', detail);

const damaged = (what: string, detail: string) =>
  new SlipstreamError('DAMAGED', { what, next: 'Try another release.' }, { detail });
