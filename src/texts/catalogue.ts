import { translationOf } from './language.ts';

/** A text with a number in it: which form is used follows from `count`, by the rules of the language. */
export interface PluralText {
  readonly one: string;
  readonly other: string;
}

/** English: whole sentences, with named placeholders such as "{service}". */
export type CatalogueEntry = string | PluralText;

type PlaceholderIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderIn<Rest>
  : never;

type ValuesOf<E extends CatalogueEntry> = E extends string
  ? Readonly<Record<PlaceholderIn<E>, string | number>>
  : E extends PluralText
    ? Readonly<Record<Exclude<PlaceholderIn<E['one'] | E['other']>, 'count'>, string | number>> & {
        readonly count: number;
      }
    : never;

/** For each entry a function that writes it out; its parameter holds a value for each placeholder, if there are any. */
export type Texts<S extends Readonly<Record<string, CatalogueEntry>>> = {
  readonly [Key in keyof S]: keyof ValuesOf<S[Key]> extends never
    ? () => string
    : (values: ValuesOf<S[Key]>) => string;
};

const sections = new Map<string, Readonly<Record<string, CatalogueEntry>>>();

/**
 * Makes one section of the catalogue. Each text is written out in the language that is set at that moment (useLanguage),
 * in English where that has no translation of it.
 * @param name The first part of the texts' ids in the translation files: "webdav" gives "webdav.noFolder".
 */
export function catalogueSection<const S extends Readonly<Record<string, CatalogueEntry>>>(
  name: string,
  entries: S,
): Texts<S> {
  if (sections.has(name)) throw new Error(`two sections of the catalogue have the name ${name}`);
  sections.set(name, entries);
  const texts = Object.entries(entries).map(([key, entry]) => {
    const id = `${name}.${key}`;
    return [key, (values: Values = {}) => writeOut(id, entry, values)] as const;
  });
  return Object.fromEntries(texts) as Texts<S>;
}

/** Every section that has been loaded, by its name. For the translation files, and for tests. */
export function loadedSections(): ReadonlyMap<string, Readonly<Record<string, CatalogueEntry>>> {
  return sections;
}

/** A text whose number Kodi's own strings.po knows, such as a setting's label. */
export function numberedText(stringId: number, english: string): string {
  return writeOut(`#${stringId}`, english, {});
}

type Values = Readonly<Record<string, string | number>>;

/** The English of texts that were written out in another language last, for the log. */
const englishTexts = new Map<string, string>();
const MAX_ENGLISH_TEXTS = 256;

/** The same text in English, when it was written out a short while ago; otherwise the text itself. For the log. */
export function inEnglish(text: string): string {
  return englishTexts.get(text) ?? text;
}

function writeOut(id: string, entry: CatalogueEntry, values: Values): string {
  const english = fill(
    typeof entry === 'string' ? entry : entry[values['count'] === 1 ? 'one' : 'other'],
    values,
  );
  const translated = translationOf(id, values['count']);
  if (translated === undefined) return english;
  const text = fill(translated, values);
  const [oldest] = englishTexts.keys();
  if (englishTexts.size >= MAX_ENGLISH_TEXTS && oldest !== undefined) englishTexts.delete(oldest);
  englishTexts.set(text, english);
  return text;
}

/** One pass: a value that holds "{…}" itself, such as a release's name, stays as it is. */
function fill(template: string, values: Values): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
