import { group, page, text } from './schema.ts';

const PATTERNS = 'A pattern stands between slashes: /\\bremux\\b/i.';

const NAME_WORDS = group(30035, 'Words in the name', [
  text(
    'required_words',
    30214,
    'Required words',
    `Comma-separated. Every one of them must be in the name. ${PATTERNS}`,
  ),
  text(
    'excluded_words',
    30216,
    'Excluded words',
    `Comma-separated. None of them may be in the name. ${PATTERNS}`,
  ),
]);

const ORIGIN = group(30036, 'Languages and groups', [
  text(
    'wanted_languages',
    30700,
    'Languages',
    'Comma-separated, the preferred one first, for example "de, en". One of them must be spoken. Empty: any language.',
  ),
  text(
    'excluded_groups',
    30702,
    'Excluded groups',
    'Comma-separated names of release groups that are not offered.',
  ),
]);

export const WORDS = page('words', 30005, 'Words, languages, groups', [NAME_WORDS, ORIGIN]);
