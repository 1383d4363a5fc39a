import fc from 'fast-check';
import { expect, it } from 'vitest';
import { streamFileName } from '../../../src/stream-proxy/server/file-name.ts';

const MKV = 'video/x-matroska';

it.each([
  ['Sintel.2010.mkv', MKV, 'Sintel.2010.mkv'],
  ['Sintel.mp4', MKV, 'Sintel.mp4'],
  ['films/Sintel 2010.mkv', MKV, 'Sintel 2010.mkv'],
  ['films\\Sintel.mkv', MKV, 'Sintel.mkv'],
  ['3f9a1c', MKV, '3f9a1c.mkv'],
  ['sintel.bin', 'video/mp2t', 'sintel.bin.ts'],
  ['', MKV, 'video.mkv'],
  ['..', MKV, 'video.mkv'],
  ['a/', MKV, 'video.mkv'],
  ['Sintel\r\n.mkv', MKV, 'Sintel.mkv'],
  ['Sintel', 'application/octet-stream', 'Sintel.mkv'],
  ['Sintel.strm', 'application/octet-stream', 'Sintel.strm.mkv'],
  ['Sintel.divx', 'video/x-msvideo', 'Sintel.divx'],
])('%j becomes a name for the path', (name, mime, expected) => {
  expect(streamFileName(name, mime)).toBe(expected);
});

it.each([
  ['x'.repeat(252), MKV, `${'x'.repeat(251)}.mkv`],
  [`${'x'.repeat(251)}.mkv`, MKV, `${'x'.repeat(251)}.mkv`],
  [`${'x'.repeat(252)}.m2ts`, 'video/mp2t', `${'x'.repeat(250)}.m2ts`],
  // Two, three and four bytes each: none is cut in two.
  ['é'.repeat(1000), MKV, `${'é'.repeat(125)}.mkv`],
  [`${'日'.repeat(1000)}.mp4`, MKV, `${'日'.repeat(83)}.mp4`],
  ['🎬'.repeat(512), MKV, `${'🎬'.repeat(62)}.mkv`],
  ['x'.repeat(1024), 'application/octet-stream', `${'x'.repeat(251)}.mkv`],
])('a long name is cut at a character and keeps its extension: %.10s…', (name, mime, expected) => {
  expect(streamFileName(name, mime)).toBe(expected);
});

it('is one path segment that can be encoded, whatever the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1024, size: 'max' }), (name) => {
      const short = streamFileName(name, MKV);
      expect(Buffer.byteLength(short)).toBeLessThanOrEqual(255);
      const encoded = encodeURIComponent(short);
      expect(new URL(`http://h/stream/id/${encoded}`).pathname).toBe(`/stream/id/${encoded}`);
    }),
  );
});
