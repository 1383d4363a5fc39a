// Films with ten seconds of silence that nothing compresses: rows of zeros that are the film's own. Made for the tests.
import { virtualBytes } from '../support/virtual-file.ts';

const SECONDS = 10;
/** Of two channels of 16 bits at 48 kHz. */
const PCM_SECOND = 192_000;
const PICTURE = 30_000;

const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i);
  return bytes;
};

const element = (id: string, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n));
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
};

const picture = (n: number) =>
  Buffer.concat([u32(PICTURE - 4), virtualBytes(n * 40_000, n * 40_000 + PICTURE - 5)]);

/** Matroska: in each Cluster a picture, and a block of a second's silence. */
export function silentMatroska(): Buffer {
  const block = (track: number, content: Uint8Array) =>
    element('a3', Buffer.from([0x80 | track, 0, 0, 0x80]), content);
  const cluster = (n: number) =>
    element(
      '1f43b675',
      element('e7', Buffer.from([n])),
      block(1, picture(n)),
      block(2, Buffer.alloc(PCM_SECOND)),
    );
  const head = [
    element('1549a966', element('2ad7b1', Buffer.from([0x0f, 0x42, 0x40]))),
    element('1654ae6b', element('ae', element('d7', Buffer.from([1])), element('83', Buffer.from([1])))),
  ];
  const clusters = Array.from({ length: SECONDS }, (_, n) => cluster(n));
  const content = Buffer.concat([...head, ...clusters]);
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('matroska'))),
    element('18538067', content),
  ]);
}

const box = (type: string, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
};
const full = (type: string, ...content: readonly Uint8Array[]) => box(type, u32(0), ...content);

interface Track {
  readonly kind: string;
  readonly format: string;
  /** Samples in a chunk, and the bytes of each, when all are alike; else the table of them. */
  readonly each: number;
  readonly size: number;
  readonly offsets: readonly number[];
}

const trak = ({ kind, format, each, size, offsets }: Track) =>
  box(
    'trak',
    box(
      'mdia',
      full('hdlr', u32(0), Buffer.from(kind), Buffer.alloc(13)),
      box(
        'minf',
        box(
          'stbl',
          full('stsd', u32(1), box(format, Buffer.alloc(28))),
          full('stsc', u32(1, 1, each, 1)),
          full(
            'stsz',
            u32(size, each * offsets.length),
            ...(size === 0 ? offsets.map(() => u32(PICTURE)) : []),
          ),
          full('stco', u32(offsets.length, ...offsets)),
        ),
      ),
    ),
  );

/** MP4, its index first: each second is a picture, and a chunk of silence in samples of four bytes. */
export function silentMp4(): Buffer {
  const second = PICTURE + PCM_SECOND;
  const ftyp = box('ftyp', Buffer.from('isom'), u32(512), Buffer.from('isom'));
  const moovAt = (media: number) =>
    box(
      'moov',
      trak({ kind: 'vide', format: 'avc1', each: 1, size: 0, offsets: offsets(media) }),
      trak({
        kind: 'soun',
        format: 'sowt',
        each: PCM_SECOND / 4,
        size: 4,
        offsets: offsets(media + PICTURE),
      }),
    );
  const offsets = (from: number) => Array.from({ length: SECONDS }, (_, n) => from + n * second);
  const media = ftyp.length + moovAt(0).length + 8;
  const seconds = Array.from({ length: SECONDS }, (_, n) =>
    Buffer.concat([picture(n), Buffer.alloc(PCM_SECOND)]),
  );
  return Buffer.concat([ftyp, moovAt(media), box('mdat', ...seconds)]);
}
