import { createCipheriv } from 'node:crypto';
import { mkvClip, mp4Clip } from '../../sandbox/index.ts';
import type { VIDEO_EXTENSIONS } from '../../src/media/mime.ts';

// How videos begin, by the ending of their names: 64 KiB of each, as the proxy sees them. The first bytes are written by
// hand after the format's specification; what follows stands for what an encoder wrote, and is noise.

export const HEAD = 64 * 1024;
const SEED = 20_261_122;

/** What a cipher makes of nothing. @param seed Any 32-bit number */
export function noise(seed: number, length = HEAD): Uint8Array {
  const key = Buffer.alloc(16);
  key.writeInt32BE(seed);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(new Uint8Array(length));
}

type Part = string | readonly number[] | Uint8Array;

const bytesOf = (part: Part): Uint8Array =>
  typeof part === 'string' ? Uint8Array.from(Buffer.from(part, 'latin1')) : Uint8Array.from(part);

/** The parts one after the other, and noise up to the end of the head. */
function head(...parts: readonly Part[]): Uint8Array {
  const start = parts.flatMap((part) => [...bytesOf(part)]);
  return Uint8Array.from([...start, ...noise(SEED, HEAD - start.length)]);
}

const u32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];

/** ISO/IEC 14496-12 §4.2. */
const box = (type: string, content: Part = []): Uint8Array =>
  Uint8Array.from([...u32(8 + bytesOf(content).length), ...bytesOf(type), ...bytesOf(content)]);
const ftyp = (brand: string) => box('ftyp', `${brand}\0\0\x02\0${brand}`);
/** A box that goes on behind the head. */
const long = (type: string, size = 700_000_000) => [...u32(size), ...bytesOf(type)];
const MVHD = [...long('moov', 90_000), ...box('mvhd', new Uint8Array(100))];

/** The EBML header (RFC 8794 §11.2) of such a DocType, and the Segment behind it. */
function ebml(docType: string): Uint8Array {
  const body = [0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x80 | docType.length, ...bytesOf(docType)];
  return head([0x1a, 0x45, 0xdf, 0xa3, 0x80 | body.length, ...body], [0x18, 0x53, 0x80, 0x67]);
}

/** The `hdrl` list of AVI (Microsoft's AVI RIFF file reference), its sizes where they are not written yet: 0. */
const avi = (size: number, riff = 'RIFF', form = 'AVI ') =>
  head(riff, u32(size).toReversed(), form, 'LIST', [0xc0, 0, 0, 0], 'hdrlavih', [0x38, 0, 0, 0]);

/** The header object's GUID and its size (ASF specification §3.1). */
const ASF_GUID = [
  0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9, 0x00, 0xaa, 0x00, 0x62, 0xce, 0x6c,
];
const ASF = head(ASF_GUID, [0xea, 0x13, 0, 0, 0, 0, 0, 0]);

interface Packets {
  /** Bytes from one to the next. */
  readonly packet: number;
  /** Where the first whole one begins. */
  readonly from?: number;
}

/** Transport-stream packets of PID 0x100 (ISO/IEC 13818-1 §2.4.3.2). */
function packets({ packet, from = 0 }: Packets, ...before: readonly Part[]): Uint8Array {
  const stream = head(...before);
  const start = before.reduce((sum, part) => sum + bytesOf(part).length, from);
  for (let at = start; at < HEAD; at += packet) stream.set([0x47, 0x01, 0x00, 0x10].slice(0, HEAD - at), at);
  return stream;
}

/** An ID3v2.4 tag, as HLS puts one before a segment; its size has 7 bits a byte. */
const ID3 = head('ID3', [4, 0, 0, 0, 0, 0x07, 0x76]).subarray(0, 10 + 7 * 128 + 0x76);

/** A pack header, which every sector of a DVD begins with (ISO/IEC 13818-1 §2.5.3.3; MPEG-1 has 0x21 behind the code). */
const PACK = [0, 0, 1, 0xba, 0x44, 0, 4, 0, 4, 1, 0x01, 0x89, 0xc3, 0xf8];
const MPEG1_PACK = [0, 0, 1, 0xba, 0x21, 0, 1, 0, 1, 0x80, 0x1b, 0x91];
const SYSTEM_HEADER = [0, 0, 1, 0xbb, 0, 0x12, 0x80, 0xc4, 0xe1];
const VIDEO_PES = [0, 0, 1, 0xe0, 0x07, 0xec, 0x81, 0xc1, 0x0d];
/** A sequence header of 720 by 576 (ISO/IEC 13818-2 §6.2.2.1). */
const SEQUENCE = [0, 0, 1, 0xb3, 0x2d, 0x02, 0x40, 0x33, 0x24, 0x9f, 0x23, 0x81];

/** From somewhere within a sector of a program stream. */
function cutSectors(): Uint8Array {
  const stream = noise(SEED);
  for (let at = 700; at + 64 < HEAD; at += 2048) stream.set([...PACK, ...VIDEO_PES], at);
  return stream;
}

/** A program stream of a Video CD (RIFF around raw sectors of 2352 bytes). */
const VIDEO_CD = head('RIFF', [0, 0x80, 0, 0x20], 'CDXAfmt ', [16, 0, 0, 0], new Uint8Array(20));

const clip = { name: 'Sintel.2010.1080p', seconds: 60, size: 40_000_000 };
const start = (film: { read(first: number, end: number): Uint8Array }) => film.read(0, HEAD);
const mkv = start(mkvClip(clip));

type Heads = Readonly<Record<string, Uint8Array>>;

export const HEADS: Readonly<Record<(typeof VIDEO_EXTENSIONS)[number], Heads>> = {
  mkv: { 'the sandbox’s film': mkv, 'DocType matroska': ebml('matroska'), 'another DocType': ebml('mkvx') },
  mk3d: { 'DocType matroska': ebml('matroska') },
  webm: { 'DocType webm': ebml('webm') },
  mp4: {
    'the sandbox’s film': start(mp4Clip({ ...clip, index: 'front' })),
    'its index at the end': start(mp4Clip({ ...clip, index: 'tail' })),
    'free before ftyp': head(box('free', new Uint8Array(40)), ftyp('isom')),
    'skip before ftyp': head(box('skip'), ftyp('isom')),
    'a media segment': head(box('styp', 'msdh\0\0\0\0msdh'), long('sidx', 44)),
    'a fragment': head(long('moof', 900)),
    'uuid before all': head(box('uuid', new Uint8Array(16)), ftyp('mp42')),
  },
  m4v: { 'brand M4V': head(ftyp('M4V '), MVHD) },
  mov: {
    'brand qt': head(ftyp('qt  '), long('wide', 8)),
    'moov first': head(MVHD),
    'mdat first': head(long('mdat')),
    'wide, then mdat': head(box('wide'), long('mdat')),
    'mdat of 64 bits': head(long('mdat', 1), u32(3), u32(0)),
    'mdat to the end': head(long('mdat', 0)),
    'a preview first': head(box('pnot', new Uint8Array(12)), long('mdat')),
  },
  '3gp': { 'brand 3gp5': head(ftyp('3gp5'), MVHD) },
  avi: {
    AVI: avi(733_000_000),
    'AVI whose sizes were never written': avi(0),
    'OpenDML above 2 GB': avi(0xfff0_0000),
    'by On2': avi(9_000_000, 'ON2 ', 'ON2f'),
  },
  divx: { AVI: avi(700_000_000), Matroska: ebml('matroska') },
  wmv: { ASF },
  asf: { ASF },
  ts: {
    packets: packets({ packet: 188 }),
    'from within a packet': packets({ packet: 188, from: 101 }),
    'from the end of a packet': packets({ packet: 188, from: 187 }),
    'behind an ID3 tag': packets({ packet: 188 }, ID3),
    'with checksums': packets({ packet: 204 }),
  },
  m2ts: {
    'packets with time stamps': packets({ packet: 192, from: 4 }),
    'from within a packet': packets({ packet: 192, from: 191 }),
  },
  mts: { 'packets with time stamps': packets({ packet: 192, from: 4 }) },
  mpg: {
    'MPEG-2 packs': head(PACK, SYSTEM_HEADER),
    'MPEG-1 packs': head(MPEG1_PACK, SYSTEM_HEADER),
    'from within a pack': cutSectors(),
    'raw video': head(SEQUENCE),
    'raw video behind zeros': head(new Uint8Array(5), SEQUENCE),
    'a Video CD': VIDEO_CD,
  },
  mpeg: { 'MPEG-2 packs': head(PACK, SYSTEM_HEADER), 'packets without packs': head(VIDEO_PES) },
  vob: { 'a sector of a DVD': head(PACK, SYSTEM_HEADER, new Uint8Array(12), [0, 0, 1, 0xbf, 3, 0xd4, 0]) },
  flv: { 'version 1': head('FLV\x01\x05\0\0\0\x09\0\0\0\0') },
  ogm: { 'a page of video': head('OggS\0\x02', new Uint8Array(8), u32(0x5eed), [0, 0, 0, 0], '\x01video') },
  rmvb: {
    RealMedia: head('.RMF\0\0\0\x12\0\0\0\0\0\0\0\0\0\x06'),
    'of the older head': head('.ra\xfd\0\x04'),
  },
};
