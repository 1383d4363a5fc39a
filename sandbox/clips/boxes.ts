// Just enough of ISO/IEC 14496-12 to write an MP4.

export function box(type: string, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

/** A box with version 0 and flags. */
export function fullBox(type: string, flags: number, ...content: readonly Uint8Array[]): Buffer {
  return box(type, u32(flags), ...content);
}

export function u32(...values: readonly number[]): Buffer {
  return table32(values);
}

/** A table of 32-bit numbers: as arguments, a long film's would overflow the stack. */
export function table32(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4);
  return bytes;
}

export function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, i * 2);
  return bytes;
}

export function table64(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [i, value] of values.entries()) bytes.writeBigUInt64BE(BigInt(value), i * 8);
  return bytes;
}

export const zeros = (length: number): Buffer => Buffer.alloc(length);

/** 16.16 fixed point: rotation by nothing, as every header wants it. */
export const UNITY_MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
