// Range arithmetic after RFC 9110 §14. Pure; every number is a byte position below 2^53.

/** Both ends inclusive, as in HTTP; never empty. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export type RangeChoice =
  /** No range, or one that the RFC lets a server ignore: answer 200 with everything. */
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }
  /** Answer 416. */
  | { readonly kind: 'unsatisfiable' };

const WHOLE: RangeChoice = { kind: 'whole' };
const UNSATISFIABLE: RangeChoice = { kind: 'unsatisfiable' };
/** Digits without end: a header's length is bounded by the server, and a number beyond 2^53 lies beyond every file. */
const RANGE = /^(\d+)-(\d*)$/;
const SUFFIX = /^-(\d+)$/;

/**
 * What to serve of a file of `size` bytes (1 to 2^53 − 1) for the Range field `header` of a GET.
 *
 * Foreign units (§14.1: names regardless of case), malformed ranges and several ranges are ignored, as §14.2 lets a
 * server do. No player asks for several; a client that does must take a 200, and multipart would hide the bytes from
 * one that asked by mistake. Ends are clamped; a suffix longer than the file means all of it (§14.1.2).
 */
export function parseRange(header: string | undefined, size: number): RangeChoice {
  const set = /^bytes=(.*)$/is.exec(header ?? '')?.[1];
  if (set === undefined) return WHOLE;
  // A list may have empty elements (§5.6.1.2).
  const specs = set
    .split(',')
    .map((spec) => spec.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((spec) => spec !== '');
  const [spec] = specs;
  return spec === undefined || specs.length > 1 ? WHOLE : parseSpec(spec, size);
}

function parseSpec(spec: string, size: number): RangeChoice {
  const suffix = SUFFIX.exec(spec)?.[1];
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? UNSATISFIABLE : partialRange(size - length, size - 1);
  }
  const [, from, to = ''] = RANGE.exec(spec) ?? [];
  // A last byte before the first makes it invalid, not unsatisfiable (§14.1.2).
  if (from === undefined || (to !== '' && isBelow(to, from))) return WHOLE;
  const first = Number(from);
  if (first >= size) return UNSATISFIABLE;
  return partialRange(first, to === '' ? size - 1 : Math.min(Number(to), size - 1));
}

/** Compares decimals exactly: as numbers, those beyond 2^53 collapse. */
function isBelow(a: string, b: string): boolean {
  const [x, y] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  return x.length === y.length ? x < y : x.length < y.length;
}

const partialRange = (first: number, last: number): RangeChoice => ({ kind: 'part', range: { first, last } });

/** The number of bytes in a range. */
export const rangeLength = ({ first, last }: ByteRange): number => last - first + 1;

/** The value of Content-Range for a 206. */
export const contentRange = ({ first, last }: ByteRange, size: number): string =>
  `bytes ${first}-${last}/${size}`;

export interface ContentRange extends ByteRange {
  /** Undefined: the server does not say ("*"). */
  readonly size: number | undefined;
}

/** Reads the Content-Range of a 206 (§14.4); undefined when it is malformed or contradicts itself. */
export function parseContentRange(header: string | undefined): ContentRange | undefined {
  const [, from, to, total] =
    /^bytes +(\d{1,16})-(\d{1,16})\/(\d{1,16}|\*)$/i.exec(header?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined || total === undefined) return undefined;
  const [first, last] = [Number(from), Number(to)];
  const size = total === '*' ? undefined : Number(total);
  const sane = first <= last && (size === undefined ? Number.isSafeInteger(last) : last < size);
  return sane && Number.isSafeInteger(size ?? 0) ? { first, last, size } : undefined;
}
