import type { Dialect } from './dialect.ts';

export type RangeAnswer =
  | {
      readonly status: 200 | 206;
      readonly start: number;
      readonly end: number;
      readonly contentRange?: string;
    }
  | { readonly status: 416 }
  | { readonly status: 500 };

/** What the dialect makes of a Range header; `end` is not included. */
export function rangeAnswer(range: string | undefined, size: number, dialect: Dialect): RangeAnswer {
  const whole = { status: 200, start: 0, end: size } as const;
  if (range === undefined) return whole;
  const parsed = parse(range, size, dialect);
  if (parsed === undefined) return MALFORMED[dialect.malformedRange] ?? whole;
  const { start, last } = parsed;
  if (start >= size || last < start) return { status: 416 };
  const end = Math.min(last + 1, size);
  const status = start === 0 && end === size ? dialect.wholeRangeStatus : 206;
  return { status, start, end, contentRange: `bytes ${start}-${end - 1}/${size}` };
}

const MALFORMED = { error: { status: 500 }, ignore: undefined } as const;

function parse(range: string, size: number, dialect: Dialect): { start: number; last: number } | undefined {
  const asked = dialect.severalRanges === 'first' ? range.replace(/,.*/, '') : range;
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(asked.trim()) ?? [];
  if (from === undefined || to === undefined || from + to === '') return undefined;
  if (from === '') {
    if (dialect.suffixIsPrefix) return { start: 0, last: Number(to) };
    return { start: Math.max(0, size - Number(to)), last: size - 1 };
  }
  const start = Number(from);
  return { start, last: to === '' ? size - 1 : Number(to) };
}
