import fc from 'fast-check';
import { expect, it } from 'vitest';
import { streamFileName } from '../../src/stream-proxy/file-name.ts';

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
  ['Sintel', 'application/octet-stream', 'Sintel'],
])('%j becomes a name for the path', (name, mime, expected) => {
  expect(streamFileName(name, mime)).toBe(expected);
});

it('is one path segment that can be encoded, whatever the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const encoded = encodeURIComponent(streamFileName(name, MKV));
      expect(new URL(`http://h/stream/id/${encoded}`).pathname).toBe(`/stream/id/${encoded}`);
    }),
  );
});
