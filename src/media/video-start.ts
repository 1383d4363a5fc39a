import { hasSyncs, isEbml, mimeByContent, PACKET_SIZES } from './mime.ts';

// Whether a file begins as some video does. What does not is encrypted or damaged: ciphertext under the name of a film,
// or zeros in place of its first articles. In doubt it is a video, for a good film that is refused is worse than noise
// that the player refuses. Pure.

/** So few bytes tell nothing. */
const MIN_BYTES = 16;

/** @param head The file's first bytes, 64 KiB of them where it has so many. */
export function beginsAsVideo(head: Uint8Array): boolean {
  return (
    head.byteLength < MIN_BYTES ||
    mimeByContent(head) !== undefined ||
    isEbml(head) ||
    isUncommonContainer(head) ||
    hasMpegMarkers(head) ||
    isDiscImage(head)
  );
}

/** Kinds without a MIME type of their own: RIFF around MPEG (Video CDs), On2's AVI, RealAudio's older head. */
const UNCOMMON_MAGIC = ['RIFF', 'ON2 ', '.ra\xfd'];

const isUncommonContainer = (head: Uint8Array): boolean => UNCOMMON_MAGIC.includes(latin1(head, 0, 4));

/** Syncs in a row that are no accident, wherever they begin. */
const MANY_SYNCS = 8;
/** Start codes that are no accident: noise has one of those meant in each thousandth head. */
const MANY_START_CODES = 3;
/** How many zeros an encoder may put before its first start code. */
const LEADING_ZEROS = 64;

/**
 * MPEG that a recorder or a splitter has begun somewhere: packets behind a tag, a program stream in mid-pack, a start
 * code behind zeros, which is how raw H.264 begins as well.
 */
function hasMpegMarkers(head: Uint8Array): boolean {
  const first = head.findIndex((byte) => byte !== 0);
  if (first >= 2 && first <= LEADING_ZEROS && head[first] === 1) return true;
  if (countStartCodes(head) >= MANY_START_CODES) return true;
  return PACKET_SIZES.some((packet) => hasSyncs(head, { packet, count: MANY_SYNCS, within: head.length }));
}

/** Those of sequences, packs, system headers and the packets of streams (ISO/IEC 13818-1 table 2-22, 13818-2 table 6-1). */
const isStartCode = (code: number): boolean =>
  code === 0xb3 || code === 0xb8 || (code >= 0xba && code <= 0xef);

function countStartCodes(head: Uint8Array): number {
  let count = 0;
  for (let at = head.indexOf(1, 2); at !== -1; at = head.indexOf(1, at + 1))
    if (head[at - 1] === 0 && head[at - 2] === 0 && isStartCode(head[at + 1] ?? 0)) count++;
  return count;
}

/** Of DVDs and Blu-rays: ISO 9660 or UDF, whose volume descriptors begin at the seventeenth sector. */
const DESCRIPTORS = 16 * 2048;
const isDiscImage = (head: Uint8Array): boolean =>
  ['CD001', 'BEA01'].includes(latin1(head, DESCRIPTORS + 1, 5));

const latin1 = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));
