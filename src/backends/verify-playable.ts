import { SlipstreamError } from '../errors/index.ts';
import { isExtra } from '../job-files/extras.ts';
import { isVideo, type JobFile } from '../job-files/files.ts';
import type { Logger } from '../log/index.ts';
import { detectFiller } from '../media/detect-filler.ts';
import { mimeOf } from '../media/mime.ts';
import { beginsAsVideo } from '../media/video-start.ts';
import type { Playable } from '../model/index.ts';
import { sizeText } from '../release/index.ts';

/** A piece of a file, in bytes. */
interface ByteRange {
  readonly from: number;
  readonly length: number;
}

interface VerifyOptions {
  /** Bytes that were advertised for the whole job, par2 and all. */
  readonly advertisedBytes?: number | undefined;
  /** As Nzb.videoBytes. */
  readonly nzbVideoBytes?: number | undefined;
  /** All files of the job. */
  readonly files: readonly JobFile[];
  /** Backend.read of this file. */
  readonly read: (range: ByteRange, signal: AbortSignal) => Promise<Uint8Array>;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Of what was advertised, so much at least is video: par2 files, samples and the articles' own coding are the rest. */
const MIN_VIDEO_SHARE = 0.5;
/** Of what the NZB holds of this one video, so much at least is video: recovery records and extras in the archive are the rest. */
const MIN_NZB_SHARE = 0.75;
/** Below this part of what was advertised, or of the other episodes, it is no shorter video but something in its place. */
const STUB_SHARE = 0.04;
/** Beside so many other episodes at least, one of this part of their size is whole, whatever else is not there. */
const MIN_SIBLINGS = 2;
const MIN_SIBLING_SHARE = 0.5;
const PROBE_BYTES = 65_536;

/**
 * Proves that a finished job's file is worth playing: large enough for what was advertised, no stub beside its
 * siblings, and readable in its middle, with one request in all (and one byte more where that fails, and a few pieces
 * where zeros came). Where it is known how the file's server serves it, the proxy looks into it, at the time that costs the
 * server least. What nobody knows proves nothing: a size that no one told, a server that does not answer just now.
 * @throws DAMAGED when the file is a stub, too small, or cannot be read; AUTH_FAILED
 */
export async function verifyPlayable(
  file: Playable,
  { advertisedBytes: expected, nzbVideoBytes: held, files, read, signal, log }: VerifyOptions,
): Promise<void> {
  if (file.size !== undefined) {
    const others = siblingsOf(file.name, file.size, files);
    checkAgainstSiblings(file.size, others);
    if (expected !== undefined) checkAdvertised(file.size, expected, { others, files });
    if (held !== undefined) checkAgainstNzb(file.size, held, files);
  }
  if (file.via === 'proxy' && file.serving !== undefined) return;
  const length = Math.min(PROBE_BYTES, file.size ?? PROBE_BYTES);
  const from = Math.floor(((file.size ?? length) - length) / 2);
  try {
    const bytes = await read({ from, length }, signal);
    checkLength(bytes, file.size === undefined ? 1 : length);
    if (bytes.byteLength === PROBE_BYTES)
      await checkZeroFill({ bytes, from }, file, (at) => read(at, signal), signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!isTransient(error)) throw await confirmDamage(error, (at) => read(at, signal));
    log.warning(`Whether the file can be read is not known: ${error.message}`);
  }
}

/** What says something of the server, nothing of the file. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set([
  'UNREACHABLE',
  'TIMEOUT',
  'SERVICE_ERROR',
  'RATE_LIMITED',
]);
const isTransient = (error: unknown): error is SlipstreamError =>
  error instanceof SlipstreamError && TRANSIENT_CODES.has(error.code);

/**
 * Bytes that do not come are lost only where the server delivers others of the same file: a provider that is away looks the
 * same (protocols.md §2.5).
 */
async function confirmDamage(
  error: unknown,
  read: (range: ByteRange) => Promise<Uint8Array>,
): Promise<unknown> {
  if (!(error instanceof SlipstreamError) || error.code !== 'DAMAGED' || error.broken) return error;
  const first = await read({ from: 0, length: 1 }).catch(() => undefined);
  if (first?.byteLength !== 1) return error;
  return new SlipstreamError('DAMAGED', error.explanation, {
    cause: error,
    detail: error.message,
    broken: true,
  });
}

interface Siblings {
  /** Bytes of the other episodes, the smallest first. */
  readonly others: readonly number[];
  readonly files: readonly JobFile[];
}

/**
 * One video may be one of many, so all of them together are held against what was advertised for all; but of a pack,
 * some episodes may be missing, which is no fault of one that is like those beside it.
 */
function checkAdvertised(size: number, expected: number, { others, files }: Siblings): void {
  if (size >= MIN_VIDEO_SHARE * expected) return;
  const sizes = files.filter(isVideo).map((video) => video.size);
  if (sizes.some((each) => each === undefined)) return;
  const total = Math.max(
    size,
    sizes.reduce<number>((sum, each = 0) => sum + each, 0),
  );
  if (total >= MIN_VIDEO_SHARE * expected) return;
  const detail = `${total} bytes of video, ${expected} advertised`;
  if (total < STUB_SHARE * expected) throw stubError(detail);
  if (others.length >= MIN_SIBLINGS && size >= MIN_SIBLING_SHARE * medianOf(others)) return;
  throw damagedError(
    `The video is far smaller than the release promised (${sizeText(total)} of ${sizeText(expected)}).`,
    detail,
  );
}

/**
 * An archive may hold a disc's many videos, so all but extras are counted. What is too small is not proven to have been posted
 * so: the server may have found another video than the film, or only a part of it.
 */
export function checkAgainstNzb(size: number, held: number, files: readonly JobFile[]): void {
  if (size >= MIN_NZB_SHARE * held) return;
  const sizes = files.filter((each) => isVideo(each) && !isExtra(each)).map((video) => video.size);
  if (sizes.includes(undefined)) return;
  const total = Math.max(
    size,
    sizes.reduce<number>((sum, each = 0) => sum + each, 0),
  );
  if (total >= MIN_NZB_SHARE * held) return;
  throw new SlipstreamError(
    'DAMAGED',
    {
      what: `The video is far smaller than what the NZB holds of it (${sizeText(total)} of ${sizeText(held)}).`,
      next: 'Try another release.',
    },
    { detail: `${total} bytes of video, ${held} in the NZB` },
  );
}

/** An episode that is next to nothing beside the others is not there yet, or never will be. */
function checkAgainstSiblings(size: number, others: readonly number[]): void {
  const median = medianOf(others);
  if (size === 0 || size < STUB_SHARE * median) throw stubError(`${size} bytes, the others ${median}`);
}

/** Bytes of the other episodes. Some packs have a folder for each, and one file name for all. */
function siblingsOf(name: string, size: number, files: readonly JobFile[]): readonly number[] {
  const itself = files.find((each) => each.path.at(-1) === name && each.size === size);
  const others = files.filter((each) => each !== itself && isVideo(each) && !isExtra(each));
  return others.map((each) => each.size ?? 0).sort((a, b) => a - b);
}

const medianOf = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? 0;

function checkLength(bytes: Uint8Array, length: number): void {
  if (bytes.byteLength < length)
    throw damagedError('The video ends before its middle.', `${bytes.byteLength} of ${length} bytes`);
}

/**
 * A server that lost an article may fill in what no encoder writes so much of (protocols.md §2.5); but silence that is not
 * compressed is zeros as well, so the container's structure is looked at.
 */
async function checkZeroFill(
  { bytes, from }: { readonly bytes: Uint8Array; readonly from: number },
  { name, size = bytes.byteLength }: Playable,
  read: (range: ByteRange) => Promise<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const readAll = async (first: number, last: number) => {
    const piece = await read({ from: first, length: last - first + 1 });
    checkLength(piece, last - first + 1);
    return piece;
  };
  // Where the start is none either, there is no structure that could speak for zeros.
  const mime = async () => {
    const head = await readAll(0, Math.min(PROBE_BYTES, size) - 1);
    return beginsAsVideo(head) ? mimeOf(head, name) : NO_VIDEO;
  };
  const file = { size, read: readAll };
  const filling = await detectFiller({ bytes, first: from, file, mime }, signal);
  if (filling !== undefined)
    throw damagedError(MISSING_PARTS, `${bytes.byteLength} bytes of ${filling} in the middle`);
}

const NO_VIDEO = 'application/octet-stream';
const MISSING_PARTS = 'Parts of the video are missing.';
const stubError = (detail: string) =>
  damagedError('There is only a short stand-in where the video should be.', detail);

const damagedError = (what: string, detail: string) =>
  new SlipstreamError('DAMAGED', { what, next: 'Try another release.' }, { detail, broken: true });
