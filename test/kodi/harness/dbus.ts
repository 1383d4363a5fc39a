// As much of D-Bus as a stand-in for the system's bus needs: its messages, little-endian, with texts and numbers.

const CALL = 1;
export const RETURN = 2;
export const ERROR = 3;
export const SIGNAL = 4;

/** Codes of header fields. */
export const FIELD = {
  path: 1,
  interface: 2,
  member: 3,
  errorName: 4,
  replySerial: 5,
  destination: 6,
  sender: 7,
  signature: 8,
} as const;

/** Bytes of the header before its fields. */
const FIXED_BYTES = 16;
const LITTLE_ENDIAN = 'l'.charCodeAt(0);
const NO_REPLY_EXPECTED = 1;
const VERSION = 1;

export interface Call {
  readonly serial: number;
  readonly member: string;
  readonly wantsReply: boolean;
}

/** The first message in `bytes`, with its length; undefined while it is not whole. */
export function readMessage(bytes: Buffer): { readonly length: number; readonly call?: Call } | undefined {
  if (bytes.length < FIXED_BYTES) return undefined;
  const fieldsEnd = FIXED_BYTES + bytes.readUInt32LE(12);
  const length = aligned(fieldsEnd, 8) + bytes.readUInt32LE(4);
  if (bytes.length < length) return undefined;
  if (bytes[1] !== CALL) return { length };
  const wantsReply = (bytes.readUInt8(2) & NO_REPLY_EXPECTED) === 0;
  const member = memberIn(bytes.subarray(0, fieldsEnd));
  return { length, call: { serial: bytes.readUInt32LE(8), member, wantsReply } };
}

/** What a call is for. Each field is a struct of its code and a variant: a text, a signature or a number. */
function memberIn(header: Buffer): string {
  let at = FIXED_BYTES;
  while (at < header.length) {
    at = aligned(at, 8);
    const code = header.readUInt8(at);
    const type = String.fromCharCode(header.readUInt8(at + 2));
    const value = at + 4;
    if (type === 'g') {
      at = value + 1 + header.readUInt8(value) + 1;
      continue;
    }
    const start = aligned(value, 4) + 4;
    const number = header.readUInt32LE(start - 4);
    if (code === FIELD.member) return header.toString('utf8', start, start + number);
    at = type === 'u' ? start : start + number + 1;
  }
  return '';
}

type Value = string | number | boolean;

export interface Message {
  readonly type: number;
  readonly serial: number;
  /** By their code. */
  readonly fields: Readonly<Record<number, string | number>>;
  /** One value at the most. */
  readonly body?: Value;
}

/** The bytes of a message. */
export function writeMessage({ type, serial, fields, body }: Message): Buffer {
  const content = new Writer();
  if (body !== undefined) content.value(body);
  const list = new Writer();
  const signature = body === undefined ? {} : { [FIELD.signature]: typeOf(body) };
  for (const [code, value] of Object.entries({ ...fields, ...signature })) list.field(Number(code), value);
  const head = new Writer();
  for (const byte of [LITTLE_ENDIAN, type, 0, VERSION]) head.byte(byte);
  head.value(content.length).value(serial).value(list.length);
  return Buffer.concat([head.buffer(), list.align(8).buffer(), content.buffer()]);
}

/** Each value at its alignment, counted from a multiple of 8. */
class Writer {
  private readonly bytes: number[] = [];

  get length(): number {
    return this.bytes.length;
  }

  byte(value: number): this {
    this.bytes.push(value);
    return this;
  }

  align(to: number): this {
    while (this.bytes.length % to !== 0) this.bytes.push(0);
    return this;
  }

  value(value: Value): this {
    this.align(4);
    const isText = typeof value === 'string';
    const number = Buffer.alloc(4);
    number.writeUInt32LE(isText ? Buffer.byteLength(value) : Number(value));
    this.bytes.push(...number);
    if (isText) this.bytes.push(...Buffer.from(`${value}\0`));
    return this;
  }

  field(code: number, value: string | number): void {
    this.align(8).byte(code);
    if (code === FIELD.signature) this.signature('g').signature(String(value));
    else this.signature(code === FIELD.path ? 'o' : typeOf(value)).value(value);
  }

  buffer(): Buffer {
    return Buffer.from(this.bytes);
  }

  private signature(text: string): this {
    this.bytes.push(text.length, ...Buffer.from(`${text}\0`));
    return this;
  }
}

function typeOf(value: Value): string {
  if (typeof value === 'string') return 's';
  return typeof value === 'number' ? 'u' : 'b';
}

const aligned = (at: number, to: number) => Math.ceil(at / to) * to;
