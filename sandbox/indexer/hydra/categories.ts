/** A category of NZBHydra2's own. */
export interface HydraCategory {
  readonly name: string;
  /** Newznab numbers that it stands for, and that are sent on for it; the first one is its number in the caps. */
  readonly numbers: readonly number[];
  /** The name of the category above it in the caps. */
  readonly under?: string;
}

/** Those that it comes with, in the order of its caps. */
export const CATEGORIES: readonly HydraCategory[] = [
  { name: 'Console', numbers: [1000] },
  { name: 'Movies', numbers: [2000] },
  { name: 'Movies HD', numbers: [2040, 2045, 2050, 2060, 2070], under: 'Movies' },
  { name: 'Movies SD', numbers: [2030], under: 'Movies' },
  { name: 'Audio', numbers: [3000] },
  { name: 'Audiobook', numbers: [3030], under: 'Audio' },
  { name: 'FLAC', numbers: [3040], under: 'Audio' },
  { name: 'MP3', numbers: [3010], under: 'Audio' },
  { name: 'PC', numbers: [4000] },
  { name: 'TV', numbers: [5000] },
  { name: 'Anime', numbers: [5070], under: 'TV' },
  { name: 'TV HD', numbers: [5040, 5045], under: 'TV' },
  { name: 'TV SD', numbers: [5030], under: 'TV' },
  { name: 'XXX', numbers: [6000] },
  { name: 'Ebook', numbers: [7020] },
  { name: 'Comic', numbers: [7030] },
];

/**
 * The one category that a list of numbers is mapped to (protocols.md §6.1): a main one if there is any.
 *
 * @param list as in `cat`
 * @returns undefined where none was asked for, so that all are meant
 */
export function categoryAsked(list: string): HydraCategory | undefined {
  const known = list.split(',').flatMap((number) => holding(Number(number)) ?? []);
  return known.find(({ under }) => under === undefined) ?? known[0];
}

/** Its name for what an indexer has filed under these numbers: the narrowest. */
export function categoryName(numbers: readonly number[]): string {
  const known = numbers.flatMap((number) => holding(number) ?? []);
  return (known.find(({ under }) => under !== undefined) ?? known[0])?.name ?? 'N/A';
}

function holding(number: number): HydraCategory | undefined {
  const main = Math.floor(number / 1000) * 1000;
  return (
    CATEGORIES.find(({ numbers }) => numbers.includes(number)) ??
    CATEGORIES.find(({ numbers }) => numbers.includes(main))
  );
}
