import { text } from './kinds.ts';

const PATTERNS = 'A pattern stands between slashes: /\\bremux\\b/i.';

export const WORDS = [
  text(
    'required_words',
    'words',
    30214,
    'Required words',
    `Comma-separated. Every one of them must be in the name. ${PATTERNS}`,
  ),
  text(
    'excluded_words',
    'words',
    30216,
    'Excluded words',
    `Comma-separated. None of them may be in the name. ${PATTERNS}`,
  ),
  text(
    'wanted_languages',
    'words',
    30700,
    'Languages',
    'Comma-separated, the preferred one first, for example "de, en". One of them must be spoken. Empty: any language.',
  ),
  text(
    'excluded_groups',
    'words',
    30702,
    'Excluded groups',
    'Comma-separated names of release groups that are not offered.',
  ),
] as const;
