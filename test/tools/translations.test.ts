import { describe, expect, it } from 'vitest';
import { catalogueSection } from '../../src/texts/catalogue.ts';
import { stringsPo } from '../../tools/generate/strings-po.ts';
import { catalogueTexts, translationsOf } from '../../tools/generate/translations.ts';

catalogueSection('po-test', {
  plain: 'Say "yes".',
  named: 'Waiting for {service}.',
  files: { one: '{count} file', other: '{count} files' },
});

const HEADER = (rule: string) =>
  `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: ${rule};\\n"\n\n`;
const GERMAN = 'nplurals=2; plural=(n != 1)';
const POLISH = 'nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)';
const LATVIAN = 'nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2)';

describe('the translations of a language', () => {
  it('come from strings.po by their ids, numbered ones too', () => {
    const text = `${HEADER(GERMAN)}msgctxt "#30001"\nmsgid "Connection"\nmsgstr "Verbindung"\n\nmsgctxt "po-test.named"\nmsgid "Waiting for {service}."\nmsgstr "Warten auf {service}."\n`;
    expect(translationsOf('de_de', text)).toEqual({
      language: 'de_de',
      texts: { '#30001': 'Verbindung', 'po-test.named': 'Warten auf {service}.' },
    });
  });

  it.each([
    ['de_de', GERMAN, ['eins', 'viele'], { one: 'eins', other: 'viele' }],
    ['pl_pl', POLISH, ['a', 'b', 'c'], { one: 'a', few: 'b', many: 'c', other: 'c' }],
    ['lv_lv', LATVIAN, ['a', 'b', 'c'], { one: 'a', other: 'b', zero: 'b' }],
    ['ja_jp', 'nplurals=1; plural=0', ['a'], { other: 'a' }],
  ])('give each plural category of %s the form that its rule names', (language, rule, forms, expected) => {
    const lines = forms.map((form, index) => `msgstr[${index}] "${form}"`).join('\n');
    const text = `${HEADER(rule)}msgctxt "po-test.files"\nmsgid "{count} file"\nmsgid_plural "{count} files"\n${lines}\n`;
    expect(translationsOf(language, text).texts['po-test.files']).toEqual(expected);
  });

  it('leave out what is empty, and what English no longer has', () => {
    const text = `${HEADER(GERMAN)}msgctxt "po-test.plain"\nmsgid "Say"\nmsgstr ""\n\nmsgctxt "po-test.gone"\nmsgid "Gone"\nmsgstr "Weg"\n`;
    expect(translationsOf('de_de', text).texts).toEqual({});
  });

  it.each([
    ['Warten auf {dienst}.', 'names {dienst}'],
    ['Warten.', 'does not name {service}'],
  ])('refuse %j for a text with {service}', (translated, problem) => {
    const text = `${HEADER(GERMAN)}msgctxt "po-test.named"\nmsgid "x"\nmsgstr "${translated}"\n`;
    expect(() => translationsOf('de_de', text)).toThrow(problem);
  });

  it.each([['msgstr[0] "eine Datei"'], ['msgstr[0] "eine Datei"\nmsgstr[1] ""']])(
    'refuse a text whose second plural form is not there: %j',
    (forms) => {
      const text = `${HEADER(GERMAN)}msgctxt "po-test.files"\nmsgid "x"\nmsgid_plural "y"\n${forms}\n`;
      expect(() => translationsOf('de_de', text)).toThrow('po-test.files has no msgstr[1]');
    },
  );

  it('refuse a plural rule that is more than arithmetic', () => {
    expect(() => translationsOf('de_de', HEADER('nplurals=2; plural=process.exit()'))).toThrow(
      'not understood',
    );
  });
});

describe('the file for translators', () => {
  it('holds the texts of the catalogue behind the numbered ones, as gettext writes them', () => {
    const mine = catalogueTexts().filter(([id]) => id.startsWith('po-test.'));
    const po = stringsPo('x', [], mine);
    expect(po).toContain('msgctxt "po-test.plain"\nmsgid "Say \\"yes\\"."\nmsgstr ""\n');
    expect(po).toContain(
      'msgctxt "po-test.files"\nmsgid "{count} file"\nmsgid_plural "{count} files"\nmsgstr[0] ""\nmsgstr[1] ""\n',
    );
  });
});
