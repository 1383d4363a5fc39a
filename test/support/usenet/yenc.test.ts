import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { yencBody } from './yenc.ts';

/** The bytes of a body, read by the rules of the draft: an escape, its byte less 64, then 42 less. */
function decoded(body: Buffer): Buffer {
  const encoded = Buffer.from(body.toString('latin1').split('\r\n').slice(2, -2).join(''), 'latin1');
  const out: number[] = [];
  for (let at = 0; at < encoded.length; at++) {
    const escaped = encoded[at] === 0x3d;
    if (escaped) at++;
    out.push((encoded[at]! - (escaped ? 64 : 0) - 42) & 0xff);
  }
  return Buffer.from(out);
}

describe('yEnc', () => {
  it('carries any bytes, in lines that a news server takes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        const part = { name: 'a.mkv', size: 5000, number: 2, total: 3, from: 1000, bytes };
        const body = yencBody(part);
        expect(decoded(body)).toEqual(Buffer.from(bytes));
        for (const line of body.toString('latin1').split('\r\n')) {
          expect(line).not.toMatch(/[\0\r\n]/);
          expect(line.length).toBeLessThanOrEqual(129);
        }
      }),
    );
  });

  it('says which part of which file it is, and its checksum', () => {
    const part = { name: 'a b.mkv', size: 12, number: 2, total: 2, from: 3, bytes: Buffer.from('123456789') };
    const lines = yencBody(part).toString('latin1').split('\r\n');
    expect(lines[0]).toBe('=ybegin part=2 total=2 line=128 size=12 name=a b.mkv');
    expect(lines[1]).toBe('=ypart begin=4 end=12');
    // The check value of CRC-32.
    expect(lines.at(-2)).toBe('=yend size=9 part=2 pcrc32=cbf43926');
  });
});
