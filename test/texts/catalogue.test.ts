import { afterEach, describe, expect, it } from 'vitest';
import { SlipstreamError } from '../../src/errors/index.ts';
import { catalogueSection, inEnglish, numberedText } from '../../src/texts/catalogue.ts';
import { textLocale, useTranslations } from '../../src/texts/language.ts';

const texts = catalogueSection('catalogue-test', {
  plain: 'Nothing was found.',
  named: '{service} does not know "{folder}".',
  files: { one: '{count} file in {folder}', other: '{count} files in {folder}' },
});

afterEach(() => {
  useTranslations(undefined);
});

describe('a section of the catalogue', () => {
  it('writes English when no language is set', () => {
    expect(texts.plain()).toBe('Nothing was found.');
    expect(texts.named({ service: 'nzbdav', folder: 'films' })).toBe('nzbdav does not know "films".');
    expect(texts.files({ count: 1, folder: 'x' })).toBe('1 file in x');
    expect(texts.files({ count: 0, folder: 'x' })).toBe('0 files in x');
  });

  it('leaves braces in a value as they are', () => {
    expect(texts.named({ service: '{folder}', folder: '$& {service}' })).toBe(
      '{folder} does not know "$& {service}".',
    );
  });

  it('refuses two sections of one name', () => {
    expect(() => catalogueSection('catalogue-test', {})).toThrow('two sections');
  });
});

describe('a language with translations', () => {
  const POLISH = {
    language: 'pl_pl',
    texts: {
      'catalogue-test.named': 'Folder „{folder}” nie jest znany przez {service}.',
      'catalogue-test.files': {
        one: '{count} plik w {folder}',
        few: '{count} pliki w {folder}',
        many: '{count} plików w {folder}',
        other: '{count} pliku w {folder}',
      },
      '#30001': 'Połączenie',
    },
  };

  it('writes its own sentences, with the plural forms of the language', () => {
    useTranslations(POLISH);
    expect(texts.named({ service: 'nzbdav', folder: 'films' })).toBe(
      'Folder „films” nie jest znany przez nzbdav.',
    );
    const counted = [1, 2, 5, 22, 25].map((count) => texts.files({ count, folder: 'x' }));
    expect(counted).toEqual(['1 plik w x', '2 pliki w x', '5 plików w x', '22 pliki w x', '25 plików w x']);
    expect(numberedText(30001, 'Connection')).toBe('Połączenie');
    expect(textLocale()).toBe('pl-PL');
  });

  it('falls back to English where it has no translation', () => {
    useTranslations(POLISH);
    expect(texts.plain()).toBe('Nothing was found.');
    expect(numberedText(30002, 'Backends')).toBe('Backends');
  });

  it('is followed when it changes', () => {
    useTranslations(POLISH);
    useTranslations({ language: 'de_de', texts: { 'catalogue-test.plain': 'Nichts gefunden.' } });
    expect(texts.plain()).toBe('Nichts gefunden.');
    expect(texts.files({ count: 2, folder: 'x' })).toBe('2 files in x');
    useTranslations(undefined);
    expect(texts.plain()).toBe('Nothing was found.');
    expect(textLocale()).toBe('en-GB');
  });

  it('leaves the log in English', () => {
    useTranslations({ language: 'de_de', texts: { 'catalogue-test.plain': 'Nichts gefunden.' } });
    const error = new SlipstreamError('NO_RESULTS', { what: texts.plain(), next: texts.plain() });
    expect(error.explanation.what).toBe('Nichts gefunden.');
    expect(error.message).toBe('NO_RESULTS: Nothing was found.');
  });

  it('remembers no more than the last texts for the log', () => {
    useTranslations({ language: 'de_de', texts: { 'catalogue-test.named': '{service}: {folder}' } });
    const first = texts.named({ service: 'a', folder: 'b' });
    for (let index = 0; index < 300; index++) texts.named({ service: String(index), folder: 'b' });
    expect(inEnglish('299: b')).toBe('299 does not know "b".');
    expect(inEnglish(first)).toBe(first);
  });

  it.each(['xx', 'sr_rs@latin', '__'])('bears the language %s', (language) => {
    useTranslations({ language, texts: { 'catalogue-test.files': { other: '{count}' } } });
    expect(texts.files({ count: 1, folder: 'x' })).toBe('1');
  });
});
