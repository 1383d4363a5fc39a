import type { Token } from './tokens.ts';

/** Where a name tells the day of the broadcast, and which: YYYY-MM-DD. */
export interface Dated {
  readonly from: number;
  readonly to: number;
  readonly date: string;
}

/** Two digits for a year count only where no episode's number says already what it is. */
export function broadcastDateOf(tokens: readonly Token[], sure: boolean): Dated | undefined {
  for (let at = 0; at < tokens.length; at++) {
    // A date begins with a number or a month.
    const token = tokens[at];
    if (token?.digit === false && monthOf(token.key) === undefined) continue;
    const found = readDate(tokens, at, sure);
    if (found !== undefined) return found;
  }
  return undefined;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH =
  /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?$/;
const DAY = /^(\d{1,2})(?:st|nd|rd|th)?$/;
const YEAR = /^(?:19|20)\d\d$/;
const TWO = /^\d\d$/;
/** As Korean and Japanese broadcasts are named. */
const SHORT = /^([0-3]\d)(\d\d)(\d\d)$/;
const COMPACT = /^((?:19|20)\d\d)(\d\d)(\d\d)$/;

function readDate(tokens: readonly Token[], at: number, sure: boolean): Dated | undefined {
  const [a, b, c] = [tokens[at]?.key ?? '', tokens[at + 1]?.key ?? '', tokens[at + 2]?.key ?? ''];
  const compact = COMPACT.exec(a);
  if (compact !== null) return dated(at, at + 1, compact[1], compact[2], compact[3]);
  const short = at > 0 ? SHORT.exec(a) : null;
  if (short !== null) return dated(at, at + 1, `20${short[1] ?? ''}`, short[2], short[3]);
  // Three numbers belong together only when the same sign stands between them.
  const same = tokens[at + 1]?.sep === tokens[at + 2]?.sep;
  const month = monthOf(b);
  if (YEAR.test(a) && month !== undefined) return dated(at, at + 3, a, month, DAY.exec(c)?.[1]);
  if (YEAR.test(a) && same && isMonthAndDay(b, c)) return dated(at, at + 3, a, b, c);
  if (YEAR.test(c)) {
    const day = DAY.exec(a)?.[1];
    if (month !== undefined) return dated(at, at + 3, c, month, day);
    const first = monthOf(a);
    if (first !== undefined && DAY.test(b)) return dated(at, at + 3, c, first, DAY.exec(b)?.[1]);
    if (same && TWO.test(a) && TWO.test(b)) return dated(at, at + 3, c, b, a) ?? dated(at, at + 3, c, a, b);
  }
  if (!sure && same && TWO.test(a) && TWO.test(b) && TWO.test(c) && at > 0) return ofTwoDigits(at, a, b, c);
  return undefined;
}

/** Single digits as well, but "2019.5.1" is a year and a number of channels. */
const isMonthAndDay = (month: string, day: string) =>
  (TWO.test(month) && TWO.test(day)) ||
  (/^\d{1,2}$/.test(month) && /^\d{1,2}$/.test(day) && day !== '1' && day !== '0');

/** "24.03.18" is the year first, as the scene writes it; otherwise the day first. */
function ofTwoDigits(at: number, a: string, b: string, c: string): Dated | undefined {
  const century = (year: string) => (Number(year) > 60 ? `19${year}` : `20${year}`);
  return dated(at, at + 3, century(a), b, c) ?? dated(at, at + 3, century(c), b, a);
}

function monthOf(word: string): string | undefined {
  const match = MONTH.exec(word)?.[1];
  return match === undefined ? undefined : String(MONTHS.indexOf(match) + 1);
}

function dated(
  from: number,
  to: number,
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): Dated | undefined {
  const [m, d] = [Number(month), Number(day)];
  if (!(m >= 1 && m <= 12 && d >= 1 && d <= 31)) return undefined;
  const two = (number: number) => String(number).padStart(2, '0');
  return { from, to, date: `${year}-${two(m)}-${two(d)}` };
}
