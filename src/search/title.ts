import { plainWords } from '../release/index.ts';

/** Titles as indexers and release names write them: which words to ask for, and whether two titles are the same. */

/** "The Bunny & the Bird: Part 1" becomes "bunny and the bird part 1"; an article at the start is dropped. */
function comparable(title: string): string {
  return plainWords(title.replaceAll('&', ' and ')).replace(/^(?:the|an?) (?=.)/, '');
}

/**
 * The title as a text query: indexers AND the words, and keep neither signs nor accents; "&" is dropped because names
 * write it as "and" or leave it out.
 */
export function queryText(title: string): string {
  return plainWords(withoutBrackets(title).replaceAll('+', ' '));
}

/** Databases tell shows of one name apart by "(2024)" or "(US)"; release names do so without brackets or not at all. */
const withoutBrackets = (title: string) => title.replace(/(.)\s*\((?:(?:19|20)\d\d|[A-Z]{2})\)$/, '$1');

const wantedForms = (titles: readonly string[]) =>
  new Set(titles.flatMap((title) => [comparable(title), comparable(withoutBrackets(title))]));

const ALTERNATIVES = / aka |[/|]/i;
/** "Bunny US", "Bunny UK": the title with its country. */
const COUNTRY = / (?:us|uk|gb|au|nz|ca)$/;

/** Whether the title of a release is one of the wanted; it may carry a country, and may be "X aka Y" or "X / Y". */
export function isOneOf(title: string, wanted: readonly string[]): boolean {
  const own = title.split(ALTERNATIVES).concat(title).map(comparable);
  const forms = wantedForms(wanted);
  return own.some((form) => form !== '' && (forms.has(form) || forms.has(form.replace(COUNTRY, ''))));
}

/** What may follow a title in a release's name. */
const AFTER_TITLE =
  /^(?:(?:19|20)\d\d|s\d{1,4}(?:e\d{1,4}.*)?|e\d{1,4}|\d{1,2}x\d{1,3}|season|\d{3,4}[pi]|4k|uhd|complete)$/;

/**
 * Whether the name starts with one of the wanted titles, followed by what ends a title. Catches titles that look like
 * something else to a name parser ("1917", "Season of the Bunny").
 */
export function startsWithOneOf(name: string, wanted: readonly string[]): boolean {
  const words = comparable(name);
  return [...wantedForms(wanted)].some((form) => {
    if (form === '' || !words.startsWith(`${form} `)) return false;
    const [next = '', afterNext = ''] = words.slice(form.length + 1).split(' ');
    return AFTER_TITLE.test(next) || (COUNTRY.test(` ${next}`) && AFTER_TITLE.test(afterNext));
  });
}
