import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GetTextTranslation, po } from 'gettext-parser';
import { type CatalogueEntry, loadedSections } from '../../src/texts/index.ts';
import type { Translations } from '../../src/texts/language.ts';

const FOLDER = /^resource\.language\.([a-z]{2,3}(?:_[a-z]{2,4})?(?:@[a-z]+)?)$/;
const SOURCE_LANGUAGE = 'en_gb';
const PLACEHOLDER = /\{(\w+)\}/g;

/** Every text of the catalogue with its id, in the order of the sections' names. */
export function catalogueTexts(): [id: string, entry: CatalogueEntry][] {
  return [...loadedSections()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([section, entries]) =>
      Object.entries(entries).map(([key, entry]): [string, CatalogueEntry] => [`${section}.${key}`, entry]),
    );
}

/**
 * Reads the translations that lie in an add-on's language folders, each for the engine.
 * @throws Error which names the language and the text: a placeholder that English does not have, or one that is missing;
 *   a plural form that is missing.
 */
export async function readTranslations(languageFolder: string): Promise<Translations[]> {
  const folders = await readdir(languageFolder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  const languages = folders
    .map((name) => FOLDER.exec(name)?.[1])
    .filter((language): language is string => language !== undefined && language !== SOURCE_LANGUAGE);
  return await Promise.all(
    languages.sort().map(async (language) => {
      const path = join(languageFolder, `resource.language.${language}`, 'strings.po');
      return translationsOf(language, await readFile(path, 'utf8'));
    }),
  );
}

/** The translations of one strings.po. What is empty is not translated, and texts that English no longer has are left out. */
export function translationsOf(language: string, text: string): Translations {
  const file = po.parse(text);
  const plurals = pluralForms(language, file.headers['Plural-Forms'] ?? '');
  const english = new Map(catalogueTexts());
  const texts: Record<string, string | Partial<Record<Intl.LDMLPluralRule, string>>> = {};
  for (const [context, messages] of Object.entries(file.translations)) {
    const message = Object.values(messages)[0];
    if (context === '' || message === undefined || message.msgstr.every((form) => form === '')) continue;
    const entry = context.startsWith('#') ? message.msgid : english.get(context);
    if (entry === undefined) continue;
    const what = `${language}: ${context}`;
    const formOf = (index: number): string => {
      const form = message.msgstr[index] ?? '';
      if (form === '') throw new Error(`${what} has no msgstr[${index}], which the plural rule asks for`);
      return form;
    };
    assertPlaceholders(what, entry, message);
    texts[context] =
      typeof entry === 'string'
        ? formOf(0)
        : Object.fromEntries(plurals.map(([name, index]) => [name, formOf(index)]));
  }
  return { language, texts };
}

/** A form may leave the number out ("one file"), and nothing else. */
function assertPlaceholders(what: string, entry: CatalogueEntry, { msgstr }: GetTextTranslation): void {
  const names = (text: string) => new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name));
  const wanted = names(typeof entry === 'string' ? entry : `${entry.one} ${entry.other}`);
  for (const form of msgstr.filter((each) => each !== '')) {
    const found = names(form);
    const unknown = [...found].find((name) => !wanted.has(name));
    if (unknown !== undefined) throw new Error(`${what} names {${unknown}}, which the English text does not`);
    const missing = [...wanted].find(
      (name) => !found.has(name) && !(name === 'count' && typeof entry === 'object'),
    );
    if (missing !== undefined)
      throw new Error(`${what} does not name {${missing}}, which the English text does`);
  }
}

/** Numbers among which each category of each language occurs; where two forms share one, the larger number decides. */
const SAMPLES = [...Array(200).keys(), 1000, 1_000_000];

/** Which form of the file belongs to each category of the language. @throws Error when the header is not understood */
function pluralForms(language: string, header: string): [category: Intl.LDMLPluralRule, index: number][] {
  const expression = /plural\s*=\s*([^;]+)/.exec(header)?.[1] ?? 'n != 1';
  if (!/^[\sn\d()?:&|!=<>%]+$/.test(expression))
    throw new Error(`${language}: the plural rule is not understood`);
  const [code = ''] = language.split(/[_@]/);
  const rules = new Intl.PluralRules(code);
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- gettext's rule, held to arithmetic above
  const indexOf = new Function('n', `return Number(${expression})`) as (count: number) => number;
  const forms = new Map<Intl.LDMLPluralRule, number>([['other', indexOf(SAMPLES.at(-1) ?? 0)]]);
  for (const count of SAMPLES) forms.set(rules.select(count), indexOf(count));
  return [...forms];
}
