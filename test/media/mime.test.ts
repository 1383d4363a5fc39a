import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extensionForMime, knownNonVideo, mimeByContent, mimeByName, mimeOf } from '../../src/media/mime.ts';

// Every head below is written by hand after the format's specification.

/** An EBML header with the given elements: [id bytes, data]. */
function ebml(
  ...elements: readonly (readonly [readonly number[], readonly number[] | string])[]
): Uint8Array {
  const body = elements.flatMap(([id, data]) => {
    const bytes = typeof data === 'string' ? [...Buffer.from(data, 'latin1')] : data;
    return [...id, 0x80 | bytes.length, ...bytes];
  });
  return Uint8Array.from([0x1a, 0x45, 0xdf, 0xa3, 0x80 | body.length, ...body, 0x18, 0x53, 0x80, 0x67]);
}

const VERSION = [[0x42, 0x86], [1]] as const;
const DOC_TYPE = [0x42, 0x82] as const;
const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const packets = (size: number, offset: number) => {
  const head = new Uint8Array(4096);
  for (let at = offset; at < head.length; at += size) head[at] = 0x47;
  return head;
};

describe('mimeByContent', () => {
  it.each([
    ['Matroska', ebml(VERSION, [DOC_TYPE, 'matroska']), 'video/x-matroska'],
    ['Matroska with padding', ebml([DOC_TYPE, 'matroska\0\0'], VERSION), 'video/x-matroska'],
    ['WebM', ebml(VERSION, [DOC_TYPE, 'webm']), 'video/webm'],
    ['another EBML document', ebml([DOC_TYPE, 'other']), undefined],
    ['EBML without a document type', ebml(VERSION), undefined],
    ['MP4', latin1('\0\0\0\x18ftypisom\0\0\x02\0isomiso2'), 'video/mp4'],
    ...['mp42', 'mp41', 'avc1', 'iso6', 'dash', 'M4V ', 'MSNV', '3gp5'].map(
      (brand): [string, Uint8Array, string] => [
        `MP4 of the brand ${brand}`,
        latin1(`\0\0\0\x14ftyp${brand}\0\0\0\0${brand}`),
        'video/mp4',
      ],
    ),
    ['MP4 cut inside its brand', latin1('\0\0\0\x18ftypis'), 'video/mp4'],
    ['QuickTime', latin1('\0\0\0\x14ftypqt  \0\0\x02\0qt  '), 'video/quicktime'],
    ['AVI', latin1('RIFF\0\0\0\0AVI LIST'), 'video/x-msvideo'],
    ['a sound in RIFF', latin1('RIFF\0\0\0\0WAVEfmt '), undefined],
    ['a transport stream', packets(188, 0), 'video/mp2t'],
    ['a transport stream with time stamps', packets(192, 4), 'video/mp2t'],
    ['two packets of a transport stream', packets(188, 0).subarray(0, 376), undefined],
    ['a transport stream that begins inside a packet', packets(188, 100), 'video/mp2t'],
    ['one letter G', latin1('Gopher'), undefined],
    ['a program stream', Uint8Array.of(0, 0, 1, 0xba, 0x44), 'video/mpeg'],
    ['ASF', Uint8Array.of(0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11), 'video/x-ms-wmv'],
    ['raw MPEG video', Uint8Array.of(0, 0, 1, 0xb3, 0x2d), 'video/mpeg'],
    ['QuickTime without its type', latin1('\0\0\x40\0moov\0\0\0\x6cmvhd'), 'video/quicktime'],
    ['QuickTime that begins with its data', latin1('\0\0\0\x01mdat\0\0\0\x02'), 'video/quicktime'],
    ['a box too small to be one', latin1('\0\0\0\x04free'), undefined],
    ['RealMedia', latin1('.RMF\0\0\0\x12'), 'video/x-pn-realvideo'],
    ['Flash', latin1('FLV\x01\x05'), 'video/x-flv'],
    ['Ogg', latin1('OggS\0'), 'video/ogg'],
    ['nothing', new Uint8Array(), undefined],
    ['zeros', new Uint8Array(4096), undefined],
    ['text', latin1('<!DOCTYPE html>'), undefined],
    ['an NZB', latin1('<?xml version="1.0"?><nzb>'), undefined],
    ['a ZIP', latin1('PK\x03\x04'), undefined],
    ['a RAR', latin1('Rar!\x1a\x07\x01\0'), undefined],
    ['a PAR2', latin1('PAR2\0PKT'), undefined],
  ])('recognises %s', (_name, head, mime) => {
    expect(mimeByContent(head)).toBe(mime);
  });

  it('takes any bytes, and any cut of a real head', () => {
    const matroska = ebml(VERSION, [DOC_TYPE, 'matroska']);
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 64 }),
        fc.nat(matroska.length),
        fc.boolean(),
        (noise, cut, real) => {
          const head = real ? Uint8Array.from([...matroska.subarray(0, cut), ...noise]) : noise;
          expect(typeof mimeOf(head, '')).toBe('string');
        },
      ),
    );
  });
});

describe('certainlyNoVideo', () => {
  it.each([
    ['<!DOCTYPE html><html>', 'a web page'],
    ['\xef\xbb\xbf\r\n <HTML lang="en">', 'a web page'],
    ['<?xml version="1.0" encoding="UTF-8"?>\n<nzb>', 'an XML document'],
    ['#EXTM3U\n#EXT-X-VERSION:3', 'a playlist'],
    ['{"error":"not found"}', 'a JSON document'],
    ['[\n  {"error": 1}]', 'a JSON document'],
    ['{ }', 'a JSON document'],
    ['PK\x03\x04\x14\0', 'a ZIP archive'],
    ['Rar!\x1a\x07\x01\0', 'a RAR archive'],
    ['Rar!\x1a\x07\0', 'a RAR archive'],
    ['7z\xbc\xaf\x27\x1c\0\x04', 'a 7z archive'],
    ['PAR2\0PKT', 'a PAR2 file'],
  ])('tells %j', (head, kind) => {
    expect(knownNonVideo(latin1(head))).toBe(kind);
    expect(mimeByContent(latin1(head))).toBeUndefined();
  });

  it.each([
    '',
    'PK',
    '<',
    '<video',
    'Rar!',
    'noise PK\x03\x04',
    '{',
    '[0',
    '{a',
    '#EXT',
    `${' '.repeat(200)}<html>`,
  ])('is not sure of %j', (head) => {
    expect(knownNonVideo(latin1(head))).toBeUndefined();
  });
});

describe('mimeOf', () => {
  it('trusts the content more than the name', () => {
    expect(mimeOf(ebml([DOC_TYPE, 'matroska']), 'Sintel.mp4')).toBe('video/x-matroska');
    expect(mimeOf(ebml([DOC_TYPE, 'webm']), 'Sintel.mkv')).toBe('video/webm');
    expect(mimeOf(packets(192, 4), 'Sintel.avi')).toBe('video/mp2t');
    expect(mimeOf(latin1('\0\0\0\x18ftypisom'), 'Sintel.mkv')).toBe('video/mp4');
  });

  it.each([
    ['Sintel.2010.mkv', 'video/x-matroska'],
    ['SINTEL.M2TS', 'video/mp2t'],
    ['Sintel.mkv.mp4', 'video/mp4'],
    ['Sintel', 'application/octet-stream'],
    ['Sintel.constructor', 'application/octet-stream'],
  ])('goes by the name %s otherwise', (name, mime) => {
    expect(mimeOf(new Uint8Array(), name)).toBe(mime);
  });
});

it('gives each type an extension of its own', () => {
  for (const mime of ['video/x-matroska', 'video/mp4', 'video/mp2t', 'video/x-msvideo']) {
    const extension = extensionForMime(mime);
    expect(mimeByName(`x.${extension ?? ''}`)).toBe(mime);
  }
  expect(extensionForMime('application/octet-stream')).toBeUndefined();
});
