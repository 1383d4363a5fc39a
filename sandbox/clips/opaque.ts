import { type Clip, clipOf } from './clip.ts';

// Films of which only the frame is real: nothing in them can be decoded, and every byte can be told from every other.

interface OpaqueOptions {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

const PACKET = 188;
/** Sync byte, then a header of PID 0x100 with payload only (ISO 13818-1 §2.4.3.2). */
const PACKET_HEAD = Uint8Array.of(0x47, 0x01, 0x00, 0x10);

/** The packets of a transport stream. */
export function packetClip({ name, size }: OpaqueOptions): Clip {
  return clipOf(name, size, function* (start, end) {
    for (let at = start - (start % PACKET); at < end; at += PACKET) yield { start: at, bytes: PACKET_HEAD };
  });
}

/** The head of an AVI: a RIFF file of that form. */
export function aviClip({ name, size }: OpaqueOptions): Clip {
  const head = Buffer.from('RIFF....AVI LIST', 'latin1');
  head.writeUInt32LE(size - 8, 4);
  return clipOf(name, size, () => [{ start: 0, bytes: head }]);
}
