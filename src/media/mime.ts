import { ownValue } from '../io/own-property.ts';

// What kind of file it is, as the MIME type that Kodi's player goes by. The content decides before the name: posts
// are often misnamed or carry no extension at all. Pure.

/** Kodi 21's own names (kodi's mime table; "video/x-matroska" and "video/mp4" also choose its cache strategy). */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  mkv: 'video/x-matroska',
  webm: 'video/webm',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  avi: 'video/x-msvideo',
  ts: 'video/mp2t',
  m2ts: 'video/mp2t',
  mts: 'video/mp2t',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  vob: 'video/mpeg',
  wmv: 'video/x-ms-wmv',
  flv: 'video/x-flv',
  ogv: 'video/ogg',
  rmvb: 'video/x-pn-realvideo',
  // Rarer endings of the same kinds: the usual one of a kind comes first.
  mk3d: 'video/x-matroska',
  '3gp': 'video/3gpp',
  divx: 'video/x-msvideo',
  asf: 'video/x-ms-wmv',
  ogm: 'video/ogg',
};

/** Endings by which a file is taken for a video, without the dot. */
export const VIDEO_EXTENSIONS = [
  ...['mkv', 'mk3d', 'webm', 'mp4', 'm4v', 'mov', '3gp', 'avi', 'divx', 'wmv', 'asf'],
  ...['ts', 'm2ts', 'mts', 'mpg', 'mpeg', 'vob', 'flv', 'ogm', 'rmvb'],
] as const;

const UNKNOWN = 'application/octet-stream';

/** The MIME type by content, else by name, else application/octet-stream. `head` is the start of the file. */
export function mimeOf(head: Uint8Array, name: string): string {
  return mimeByContent(head) ?? mimeByName(name) ?? UNKNOWN;
}

/** The MIME type that the name's extension stands for. */
export function mimeByName(name: string): string | undefined {
  return ownValue(BY_EXTENSION, extensionOf(name));
}

/** The usual extension, without its dot, of a MIME type that mimeOf gives; undefined for an unknown one. */
export function extensionForMime(mime: string): string | undefined {
  return Object.keys(BY_EXTENSION).find((extension) => BY_EXTENSION[extension] === mime);
}

function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** The MIME type by the file's first bytes; undefined when they are of no kind that is known here. */
export function mimeByContent(head: Uint8Array): string | undefined {
  if (isEbml(head)) return ebmlMime(head);
  if (ascii(head, 4, 4) === 'ftyp') return ascii(head, 8, 4) === 'qt  ' ? 'video/quicktime' : 'video/mp4';
  if (beginsWithBox(head)) return 'video/quicktime';
  if (ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 4) === 'AVI ') return 'video/x-msvideo';
  if (startsWith(head, 0, [0, 0, 1, 0xba]) || startsWith(head, 0, [0, 0, 1, 0xb3])) return 'video/mpeg';
  if (startsWith(head, 0, [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11])) return 'video/x-ms-wmv';
  if (ascii(head, 0, 3) === 'FLV') return 'video/x-flv';
  if (ascii(head, 0, 4) === 'OggS') return 'video/ogg';
  if (ascii(head, 0, 4) === '.RMF') return 'video/x-pn-realvideo';
  return beginsWithPackets(head) ? 'video/mp2t' : undefined;
}

/** By how the file begins; none of them can be the start of a video that any player opens. */
const NON_VIDEO: readonly (readonly [RegExp, string])[] = [
  [/^(?:\xef\xbb\xbf)?\s{0,64}<(?:!doctype\s|html[\s>])/i, 'a web page'],
  [/^(?:\xef\xbb\xbf)?\s{0,64}<\?xml\s/i, 'an XML document'],
  [/^(?:\xef\xbb\xbf)?\s{0,64}#EXTM3U/, 'a playlist'],
  [/^(?:\xef\xbb\xbf)?\s{0,64}(?:\{\s{0,64}["}]|\[\s{0,64}[\]{"])/, 'a JSON document'],
  [/^PK\x03\x04/, 'a ZIP archive'],
  [/^Rar!\x1a\x07/, 'a RAR archive'],
  [/^7z\xbc\xaf\x27\x1c/, 'a 7z archive'],
  [/^PAR2\0PKT/, 'a PAR2 file'],
];

/** What a file is that is certainly no video, for the person; undefined for anything else. `head` is its start. */
export function knownNonVideo(head: Uint8Array): string | undefined {
  const start = ascii(head, 0, 128);
  return NON_VIDEO.find(([pattern]) => pattern.test(start))?.[1];
}

/** What a file of boxes may begin with where it has no `ftyp`, which QuickTime knows for optional, or not at first. */
const FIRST_BOXES: ReadonlySet<string> = new Set(
  ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot', 'uuid', 'udta'].concat(['styp', 'sidx', 'moof']),
);

/** A box's size is 0 where it reaches to the file's end, and 1 where 64 bits of it follow (ISO/IEC 14496-12 §4.2). */
function beginsWithBox(head: Uint8Array): boolean {
  const size = startsWith(head, 0, [0, 0, 0]) ? head[3] : undefined;
  return FIRST_BOXES.has(ascii(head, 4, 4)) && (size === undefined || size < 2 || size >= 8);
}

const SYNC = 0x47;
/** Bytes of a transport stream's packet: plain, with a time stamp before it, with a checksum behind it. */
export const PACKET_SIZES: readonly number[] = [188, 192, 204];
/** Of noise, one head in 29,000 has so many in their distance by accident: 584 places, 2^-24 each. */
const FIRST_SYNCS = 3;

/** Packets from the start, the first of which may be cut: recordings begin anywhere. */
const beginsWithPackets = (head: Uint8Array): boolean =>
  PACKET_SIZES.some((packet) => hasSyncs(head, { packet, count: FIRST_SYNCS, within: packet }));

/** Whether so many packets follow each other, the first of which begins within so many bytes. */
export function hasSyncs(
  head: Uint8Array,
  { packet, count, within }: { readonly packet: number; readonly count: number; readonly within: number },
): boolean {
  const end = Math.min(within, head.length - (count - 1) * packet);
  const isRun = (from: number): boolean => {
    for (let n = 0; n < count; n++) if (head[from + n * packet] !== SYNC) return false;
    return true;
  };
  for (let at = 0; at < end; at++) if (isRun(at)) return true;
  return false;
}

export const isEbml = (head: Uint8Array): boolean => startsWith(head, 0, [0x1a, 0x45, 0xdf, 0xa3]);

const DOC_TYPE = 0x4282;

/** Matroska and WebM share the EBML header; its DocType tells them apart (RFC 8794 §11.2.5, RFC 9559 §4). */
function ebmlMime(head: Uint8Array): string | undefined {
  const size = vint(head, 4, true);
  if (size === undefined) return undefined;
  let position = 4 + size.length;
  const end = Math.min(head.length, position + size.value);
  while (position < end) {
    const id = vint(head, position, false);
    const length = id && vint(head, position + id.length, true);
    if (id === undefined || length === undefined) return undefined;
    const data = position + id.length + length.length;
    if (id.value === DOC_TYPE) return docTypeMime(ascii(head, data, Math.min(length.value, 16)));
    position = data + length.value;
  }
  return undefined;
}

/** An EBML string may be padded with zeros (RFC 8794 §7.4). */
function docTypeMime(docType: string): string | undefined {
  const name = docType.replace(/\0+$/, '');
  if (name === 'webm') return 'video/webm';
  return name === 'matroska' ? 'video/x-matroska' : undefined;
}

/** An EBML variable-size integer (RFC 8794 §4) of at most 8 bytes; a size is read without its marker bit. */
function vint(
  bytes: Uint8Array,
  at: number,
  isSize: boolean,
): { readonly value: number; readonly length: number } | undefined {
  const first = bytes[at];
  if (first === undefined || first === 0) return undefined;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return undefined;
  let value = isSize ? first & (0xff >> length) : first;
  for (let i = 1; i < length; i++) value = value * 256 + (bytes[at + i] ?? 0);
  return { value, length };
}

function startsWith(bytes: Uint8Array, at: number, wanted: readonly number[]): boolean {
  return wanted.every((byte, i) => bytes[at + i] === byte);
}

function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
