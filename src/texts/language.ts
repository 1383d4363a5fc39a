/** The translations of one language, as tools/generate/translations.ts makes them from its strings.po. */
export interface Translations {
  /** As in the name of Kodi's language folders: "de_de", "sr_rs@latin". */
  readonly language: string;
  /** By id ("webdav.noFolder", "#30012"). A plural text has a form for each category of Intl.PluralRules. */
  readonly texts: Readonly<Record<string, string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>>>;
}

let current: { readonly translations: Translations; readonly plurals: Intl.PluralRules } | undefined;

/** From now on texts are written out in this language; undefined: in English. */
export function useTranslations(translations: Translations | undefined): void {
  current = translations && { translations, plurals: new Intl.PluralRules(localeOf(translations.language)) };
}

/** The language of the texts, as a locale of BCP 47, such as "de-DE". */
export function textLocale(): string {
  return current === undefined ? 'en-GB' : localeOf(current.translations.language);
}

/** A text's translation before its values are put in, where there is one. */
export function translationOf(id: string, count?: string | number): string | undefined {
  if (current === undefined) return undefined;
  const { translations, plurals } = current;
  const translated = Object.hasOwn(translations.texts, id) ? translations.texts[id] : undefined;
  if (typeof translated !== 'object') return translated;
  return translated[plurals.select(Number(count))] ?? translated.other;
}

/** "sr_rs@latin" → "sr-RS": the script changes no rule for plurals. Unknown ones give English's rules. */
function localeOf(language: string): string {
  const [name = ''] = language.split('@');
  const [code = '', region] = name.split('_');
  const locale = region === undefined ? code : `${code}-${region.toUpperCase()}`;
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en-GB';
  } catch {
    return 'en-GB';
  }
}
