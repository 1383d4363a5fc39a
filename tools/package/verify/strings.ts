import type { Files } from '../files.ts';

const FOLDER = 'resources/language/';
const ENGLISH = `${FOLDER}resource.language.en_gb/strings.po`;
const STRINGS_FILE = /^resources\/language\/resource\.language\.[a-z]{2,3}_[a-z]{2}\/strings\.po$/;
const ENTRY = /^msgctxt "#(\d+)"\nmsgid "(.*)"$/gm;
/** The numbers that Kodi leaves to add-ons. */
const [FIRST, LAST] = [30_000, 33_999];

/** The texts: each language in its folder, each number once and from the add-ons' range, English complete. */
export function stringFaults(files: Files): string[] {
  const languages = [...files.keys()].filter((path) => path.startsWith(FOLDER));
  if (languages.length === 0) return [];
  return [
    ...(files.has(ENGLISH) ? [] : [`there is no ${ENGLISH}, which Kodi falls back to`]),
    ...languages.filter((path) => !STRINGS_FILE.test(path)).map((path) => `${path} is no place for texts`),
    ...languages.filter((path) => STRINGS_FILE.test(path)).flatMap((path) => fileFaults(files, path)),
  ];
}

/** The numbers of the English texts. */
export const englishStrings = (files: Files): ReadonlySet<number> =>
  new Set(entriesOf(files, ENGLISH).map(([number]) => number));

function fileFaults(files: Files, path: string): string[] {
  const entries = entriesOf(files, path);
  const numbers = entries.map(([number]) => number);
  const outside = numbers.filter((number) => number < FIRST || number > LAST);
  const twice = numbers.filter((number, index) => numbers.indexOf(number) !== index);
  const empty = entries.filter(([, message]) => message === '');
  return [
    ...(entries.length === 0 ? [`${path} holds no texts`] : []),
    ...outside.map((number) => `${path}: #${number} is not between ${FIRST} and ${LAST}`),
    ...twice.map((number) => `${path}: #${number} is there twice`),
    ...empty.map(([number]) => `${path}: #${number} is empty`),
  ];
}

function entriesOf(files: Files, path: string): [number, string][] {
  const text = new TextDecoder().decode(files.get(path)?.content);
  return [...text.matchAll(ENTRY)].map(([, number = '', message = '']) => [Number(number), message]);
}
