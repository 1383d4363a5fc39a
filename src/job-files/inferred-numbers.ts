import { plainWords, range } from '../release/index.ts';
import { withoutTags } from './declared-episodes.ts';
import { groupedBy } from './files.ts';

/**
 * The numbers by which names beside each other count, where no word tells that it is an episode: "01 - Pilot",
 * "Show - 05", "show.105". A number that stands in brackets, behind a dash or alone says so by itself; any other only
 * when names that are the same before it go on with different numbers.
 * @param names Files' without their endings, or folders', of one folder.
 * @param title The show's, whose numbers are no episodes' ("24 - 05").
 */
export function inferNumbers(names: readonly string[], title = ''): ReadonlyMap<string, readonly number[]> {
  const counted = new Map<string, readonly number[]>();
  const read = names.map((name) => ({ name, text: withoutTags(withoutTitle(name, title)).toLowerCase() }));
  const note = (ways: readonly RegExp[]) => {
    for (const { name, text } of read) {
      const number = counted.has(name) ? undefined : numberOf(text, ways);
      if (number !== undefined) counted.set(name, [number]);
    }
  };
  note(STANDALONE_NUMBER);
  for (let place = 0; place < MAX_PLACES; place++) {
    const rows = groupedBy(
      read.flatMap(({ name, text }) => numbersAt(name, text, place)),
      ({ before }) => before,
    );
    for (const row of rows.values()) {
      if (!isEpisodeRun(row.map(({ numbers: [first = 0] }) => first))) continue;
      for (const { name, numbers } of row) if (!counted.has(name)) counted.set(name, numbers);
    }
  }
  note([LEADING]);
  return counted;
}

/** Numbers of a name that are looked at: a title holds no more before the episode's. */
const MAX_PLACES = 3;
/** "05", "Show - 05v2 [", "Show [05]", "#05"; not "12.5", which is between two. */
const STANDALONE_NUMBER = [
  /^\s*(\d{1,4})(?:v\d)?\s*$/,
  /(?:^|[\s._\])])[-–][\s._]*(\d{1,4})(?:v\d)?(?=[\s._]*(?:$|[[({]|[-–][\s._]))(?!\.\d)/,
  /\[(\d{2,4})(?:v\d)?\]/,
  /#(\d{1,4})(?![\d.])/,
];
/** "05 - Title", where no siblings tell that it is the show's ("24 - 05 Title"). */
const LEADING = /^\s*(\d{2,3})\s-\s/;
const YEAR = /^(?:19|20)\d\d$/;
const NUMBER = /(?<![\p{L}\d])(?<!\d\.)\d{1,4}(?=v\d|[^\p{L}\d]|$)(?!\.\d)/gu;

/** What is behind the title at the beginning of a name (and the group before it in brackets), or the whole. */
export function withoutTitle(name: string, title: string): string {
  const words = plainWords(title)
    .split(/[ +]/)
    .filter((word) => word !== '');
  if (words.length === 0) return name;
  return name.replace(
    new RegExp(`^(?:\\[[^[\\]]{1,40}\\][\\s._]*)?${words.join('[^\\p{L}\\d]{1,3}')}(?![\\p{L}\\d])`, 'iu'),
    '',
  );
}

function numberOf(text: string, ways: readonly RegExp[]): number | undefined {
  const digits = ways.map((way) => way.exec(text)?.[1]).find((found) => found !== undefined);
  return digits === undefined || YEAR.test(digits) ? undefined : Number(digits);
}

function numbersAt(name: string, text: string, place: number) {
  const match = [...text.matchAll(NUMBER)].filter(([digits]) => !YEAR.test(digits))[place];
  if (match === undefined) return [];
  const first = Number(match[0]);
  const last = Number(NUMBER_RANGE.exec(text.slice(match.index))?.[1] ?? first);
  const numbers = last > first && last - first < MAX_RANGE ? range(first, last) : [first];
  return [{ name, before: text.slice(0, match.index), numbers }];
}

/** "01-02 - Title": two in one file; more than these are no file. */
const NUMBER_RANGE = /^\d{1,4}[-–](\d{1,4})(?![\p{L}\d.])/u;
const MAX_RANGE = 6;

/** Several numbers, each once, and not as far apart as those that mean nothing. */
const isEpisodeRun = (numbers: readonly number[]) =>
  numbers.length > 1 &&
  new Set(numbers).size === numbers.length &&
  Math.max(...numbers) - Math.min(...numbers) <= 50 + 10 * numbers.length;
