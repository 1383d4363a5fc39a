/** Kodi's TCP server writes one JSON object after the other with nothing in between; this cuts them apart. */
const MAXIMUM_BYTES = 64 * 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x7b, 0x5b];
const CLOSING = [0x7d, 0x5d];

export class JsonSplitter {
  private pending: Buffer = Buffer.alloc(0);
  private position = 0;
  private depth = 0;
  private inText = false;

  /** The values that are complete with this chunk. */
  push(chunk: Buffer): unknown[] {
    this.pending = Buffer.concat([this.pending, chunk]);
    if (this.pending.length > MAXIMUM_BYTES) throw new Error('Kodi sent a JSON value without an end.');
    const values: unknown[] = [];
    for (; this.position < this.pending.length; this.position++) {
      if (!this.endsValue(this.pending[this.position] ?? 0)) continue;
      values.push(JSON.parse(this.pending.toString('utf8', 0, this.position + 1)));
      this.pending = this.pending.subarray(this.position + 1);
      this.position = -1;
    }
    return values;
  }

  private endsValue(byte: number): boolean {
    if (this.inText) {
      if (byte === BACKSLASH) this.position++;
      else if (byte === QUOTE) this.inText = false;
      return false;
    }
    if (byte === QUOTE) this.inText = true;
    else if (OPENING.includes(byte)) this.depth++;
    else if (CLOSING.includes(byte)) return --this.depth === 0;
    return false;
  }
}
