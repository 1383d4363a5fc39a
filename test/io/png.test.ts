import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { greyPng } from '../../src/io/png.ts';

test('a picture is written as PNG readers expect it', () => {
  const png = greyPng(3, Uint8Array.from([0, 255, 0, 255, 128, 255]));
  expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  expect(png.subarray(12, 16).toString()).toBe('IHDR');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([3, 2]);
  // 8 bits of grey, neither filtered nor interlaced in any way but the only one there is.
  expect([...png.subarray(24, 29)]).toEqual([8, 0, 0, 0, 0]);
  const length = png.readUInt32BE(33);
  expect(png.subarray(37, 41).toString()).toBe('IDAT');
  expect([...inflateSync(png.subarray(41, 41 + length))]).toEqual([0, 0, 255, 0, 0, 255, 128, 255]);
  // The last chunk, with the checksum that is the same in every PNG.
  expect(png.subarray(-12).toString('hex')).toBe('0000000049454e44ae426082');
});
