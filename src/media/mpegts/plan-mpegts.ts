import type { Fill, FillRefusal, Hole } from '../fill-types.ts';
import type { RangedReader } from '../ranged-reader.ts';
import { type FileSlice, readIfAvailable } from '../read-around.ts';

const SYNC = 0x47;
const PACKET = 188;
/** Bytes of the arrival time before each packet of an M2TS file. */
const TIME_STAMP = 4;

/** Where in a packet the last byte of its PID stands, and the byte that tells what follows the header (§2.4.3.2). */
const PID_END = 2;
const CONTROL = 3;

/** Packets that are looked at on each side of the hole. */
const MAX_PACKETS = 16;
/** Sync bytes in a row, each at its place, that are no accident: 1 in 2^40. */
const MIN_SYNCS = 5;

/**
 * How a hole in an MPEG transport stream is bridged (ISO/IEC 13818-1 §2.4.3): by null packets on the file's own grid.
 * Packets that the hole cuts are completed: the front one by stuffing bytes, the back one becomes a null packet.
 * Refused when the grid is not proven on both sides (before a hole up to the file's end: on the one), and where nothing in the hole could keep a packet from being
 * taken for another stream's. Rejects on abort only.
 */
export async function planMpegTsFill(
  hole: Hole,
  file: RangedReader,
  signal: AbortSignal,
): Promise<Fill | FillRefusal> {
  const { first, last } = hole;
  const look = MAX_PACKETS * (PACKET + TIME_STAMP);
  const from = Math.max(0, first - look);
  const before = await readIfAvailable(file, from, first - 1, signal);
  const atEnd = last === file.size - 1;
  const behind = Math.min(last + look, file.size - 1);
  const after = atEnd ? Buffer.alloc(0) : await readIfAvailable(file, last + 1, behind, signal);
  if (before === undefined || after === undefined)
    return { refused: 'a neighbour of the hole is missing too' };
  const stretches = [
    { start: from, bytes: before },
    { start: last + 1, bytes: after },
  ];
  for (const prefix of [0, TIME_STAMP]) {
    const phase = gridPhase(stretches, prefix);
    if (phase !== undefined) return nullPackets({ first, last }, prefix, phase);
  }
  return { refused: 'no grid of packets is proven around the hole' };
}

/** Position, modulo the packet's length, at which packets begin; undefined unless every sync byte is at its place. */
function gridPhase(stretches: readonly FileSlice[], prefix: number): number | undefined {
  const length = PACKET + prefix;
  for (let phase = 0; phase < length; phase++) {
    const counts = stretches.map((stretch) => syncBytes(stretch, length, (phase + prefix) % length));
    if (counts.every((count) => count >= 0) && counts.reduce((a, b) => a + b) >= MIN_SYNCS) return phase;
  }
  return undefined;
}

/** Sync bytes at every position of this phase; -1 when another byte stands at one of them. */
function syncBytes({ start, bytes }: FileSlice, length: number, phase: number): number {
  let count = 0;
  for (let at = (((phase - start) % length) + length) % length; at < bytes.length; at += length) {
    if (bytes[at] !== SYNC) return -1;
    count += 1;
  }
  return count;
}

/** No continuity counter counts in a null packet, and its content is of no meaning (§2.4.3.3): here stuffing bytes. */
function nullPackets(hole: Hole, prefix: number, phase: number): Fill | FillRefusal {
  const packet = Buffer.alloc(PACKET + prefix, 0xff);
  packet.fill(0, 0, prefix);
  packet.set([SYNC, 0x1f, 0xff, 0x10], prefix);
  const offset = (((hole.first - phase) % packet.length) + packet.length) % packet.length;
  if (offset - prefix === PID_END && hole.first === hole.last)
    return { refused: 'the one lost byte tells to which stream its packet belongs' };
  const pattern = Buffer.concat([packet.subarray(offset), packet.subarray(0, offset)]);
  const how = `null packets of ${packet.length} bytes`;
  return { ...hole, how, pattern, pieces: discardedPacket(hole, offset - prefix) };
}

/**
 * A front packet whose PID began before the hole must not become one of another stream: without adaptation field
 * and payload it is discarded (§2.4.3.3, adaptation_field_control '00').
 */
function discardedPacket({ first, last }: Hole, kept: number): Fill['pieces'] {
  const at = first + CONTROL - kept;
  return (kept === PID_END || kept === CONTROL) && at <= last ? [{ at, bytes: Uint8Array.of(0) }] : [];
}
