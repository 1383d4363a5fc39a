// A file of any size that exists nowhere: each byte is a function of its position. Made for the tests.

/** A prime, so that no power of two maps positions onto equal bytes. */
const PERIOD = 1_000_003;

const pattern = Buffer.alloc(PERIOD * 2);
let state = 0x2545f491;
for (let i = 0; i < PERIOD; i++) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  pattern[i] = state & 0xff;
}
// As an EBML file begins, of a kind that nobody knows: the proxy refuses what begins as no video does.
pattern.set([0x1a, 0x45, 0xdf, 0xa3]);
pattern.copy(pattern, PERIOD, 0, PERIOD);

/** The bytes from `first` to `last`, both inclusive. */
export function virtualBytes(first: number, last: number): Buffer {
  const out = Buffer.allocUnsafe(last - first + 1);
  for (let done = 0; done < out.length; ) done += copyPart(out, done, first + done);
  return out;
}

function copyPart(out: Buffer, at: number, position: number): number {
  const from = position % PERIOD;
  return pattern.copy(out, at, from, Math.min(from + PERIOD, from + out.length - at));
}

/** Checks a stream of bytes against the file as they come, without keeping them. */
export class VirtualFileCheck {
  #position: number;
  /** Position of the first wrong byte. */
  wrongAt: number | undefined;
  count = 0;

  constructor(first: number) {
    this.#position = first;
  }

  take(chunk: Uint8Array): void {
    const right = virtualBytes(this.#position, this.#position + chunk.length - 1);
    if (this.wrongAt === undefined && !right.equals(chunk)) {
      const offset = right.findIndex((byte, i) => byte !== chunk[i]);
      this.wrongAt = this.#position + offset;
    }
    this.#position += chunk.length;
    this.count += chunk.length;
  }
}
