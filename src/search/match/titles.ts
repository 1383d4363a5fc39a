import { plainTitle, titleWords } from '../../release/index.ts';
import { romanise } from './romanise.ts';

// Titles as indexers and release names write them: which words to ask for, and whether two titles are the same.

/**
 * The title as a text query: indexers AND the words, and keep neither signs nor accents; "&" is dropped because names
 * write it as "and" or leave it out.
 */
export function queryText(title: string): string {
  return plainTitle(withoutMark(title));
}

/** The title's country mark in brackets, or undefined. */
const MARKED_COUNTRY = /.\s*\((us|uk|gb|au|nz|ca)\)$/i;
/** Databases tell shows of one name apart by "(2024)" or "(US)"; release names do so without brackets or not at all. */
const MARK = /(.)\s*\((?:((?:19|20)\d\d)|[A-Z]{2})\)$/;

const withoutMark = (title: string) => title.replace(MARK, '$1');

/** The year by which a database tells it from others of its name: 2024 in "Shared Name (2024)". */
export function yearInBrackets(title: string): number | undefined {
  const year = MARK.exec(title)?.[2];
  return year === undefined ? undefined : Number(year);
}

const normalized = (title: string): string => titleWords(title).join(' ');

/** Names write "Spider-Man" and "Spiderman", "S.W.A.T." and "SWAT". */
const withoutSpaces = (form: string) => form.replaceAll(' ', '');

const ALTERNATIVES = / aka |[/|]/i;
/** "Bunny US", "Bunny UK": the title with its country. */
const COUNTRY = / (us|uk|gb|au|nz|ca)$/;

/** All that something is called; tells whether a release is called so too. */
export interface TitleSet {
  /** Whether this is one of the titles; it may carry a country, and may be "X aka Y" or "X / Y". */
  readonly includes: (title: string) => boolean;
  /**
   * Whether the name starts with one of the titles, followed by what ends a title. Catches titles that look like
   * something else to a name parser ("1917", "Season of the Bunny").
   */
  readonly isStartOf: (name: string) => boolean;
  /** Whether the number is part of a title: "District 9", "Runner 2049". */
  readonly hasNumber: (number: number) => boolean;
}

/** Prepares the titles once for many comparisons. */
export function titleSetOf(titles: readonly string[]): TitleSet {
  const spelled = titles.flatMap((title) => [title, ...romanise(title)]);
  const forms = new Set(spelled.flatMap((title) => [normalized(title), normalized(withoutMark(title))]));
  forms.delete('');
  const compacted = new Set([...forms].map(withoutSpaces));
  const words = new Set([...forms].flatMap((form) => form.split(' ')));
  const countries = new Set(titles.map(countryOf).filter((country) => country !== undefined));

  const isKnown = (form: string) => {
    if (form === '') return false;
    if (compacted.has(withoutSpaces(form))) return true;
    const country = COUNTRY.exec(form)?.[1];
    return (
      country !== undefined &&
      isRightCountry(country) &&
      compacted.has(withoutSpaces(form.replace(COUNTRY, '')))
    );
  };
  /** Where one country is asked for, another one's show of the same name is another show. */
  const isRightCountry = (country: string) => countries.size === 0 || countries.has(normalCountry(country));

  return {
    includes: (title) => [...title.split(ALTERNATIVES), title].some((part) => isKnown(normalized(part))),
    isStartOf: (name) => {
      const text = normalized(name);
      return [...forms].some(
        (form) => text.startsWith(`${form} `) && titleEndsBefore(text.slice(form.length + 1)),
      );
    },
    hasNumber: (number) => words.has(String(number)),
  };

  function titleEndsBefore(rest: string): boolean {
    const [next = '', afterNext = ''] = rest.split(' ', 2);
    if (AFTER_TITLE.test(next)) return true;
    return COUNTRY.test(` ${next}`) && isRightCountry(next) && AFTER_TITLE.test(afterNext);
  }
}

const normalCountry = (country: string) => (country === 'gb' ? 'uk' : country);

function countryOf(title: string): string | undefined {
  const country = MARKED_COUNTRY.exec(title)?.[1]?.toLowerCase();
  return country === undefined ? undefined : normalCountry(country);
}

/** What may follow a title in a release's name. */
const AFTER_TITLE =
  /^(?:(?:19|20)\d\d|s\d{1,4}(?:e\d{1,4}.*)?|e\d{1,4}|\d{1,2}x\d{1,3}|season|\d{3,4}[pi]|4k|uhd|complete)$/;
