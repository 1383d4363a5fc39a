import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact } from '../../src/log/index.ts';
import { parseSettings, SETTING_IDS, SETTINGS, type Setting } from '../../src/settings/index.ts';

const table: readonly Setting[] = SETTINGS;
const oneOf = (value: string) => parseSettings({ search_timeout: value }).search_timeout;

describe('the settings table', () => {
  test('holds each id once, and a default inside of its bounds', () => {
    expect(new Set(SETTING_IDS).size).toBe(table.length);
    for (const setting of table) {
      if (setting.type !== 'integer') continue;
      expect(setting.default).toBeGreaterThanOrEqual(setting.min);
      expect(setting.default).toBeLessThanOrEqual(setting.max);
    }
  });

  test('keeps every key and password secret', () => {
    for (const setting of table) {
      if (/key|password|token/.test(setting.id)) expect(setting).toMatchObject({ secret: true, default: '' });
    }
  });
});

describe('parseSettings', () => {
  test('without any value gives the defaults', () => {
    expect(parseSettings({})).toEqual(Object.fromEntries(table.map((s) => [s.id, s.default])));
  });

  test.each([
    ['3', 3],
    ['2', 3],
    ['-5', 3],
    ['300', 300],
    ['301', 300],
    [' 42\n', 42],
    ['007', 7],
    ['9'.repeat(400), 300],
    [`-${'9'.repeat(400)}`, 3],
    ['', 30],
    ['12.5', 30],
    ['1e2', 30],
    ['0x20', 30],
    ['٣', 30],
    ['many', 30],
    ['NaN', 30],
  ])('reads the number %j as %d', (text, value) => {
    expect(oneOf(text)).toBe(value);
  });

  test('reads booleans, and takes the default for anything else', () => {
    expect(parseSettings({ allow_sd: 'false', auto_select: ' true ' })).toMatchObject({
      allow_sd: false,
      auto_select: true,
    });
    for (const text of ['', 'TRUE', '1', 'yes']) {
      expect(parseSettings({ allow_sd: text, auto_select: text })).toMatchObject({
        allow_sd: true,
        auto_select: false,
      });
    }
  });

  test('reads a choice, and takes the default for what is no option', () => {
    expect(parseSettings({ sort_by: ' newest ' }).sort_by).toBe('newest');
    for (const text of ['', 'Newest', 'oldest', '0']) {
      expect(parseSettings({ sort_by: text }).sort_by).toBe('best');
    }
  });

  test('keeps a text that was emptied empty, and trims what was pasted', () => {
    expect(parseSettings({ webdav_username: '', indexer_url: ' http://i.test/ \n' })).toMatchObject({
      webdav_username: '',
      indexer_url: 'http://i.test/',
    });
  });

  test('registers secrets for redaction', () => {
    parseSettings({ indexer_api_key: ' 0123456789abcdef ' });
    expect(redact('sent 0123456789abcdef')).toBe('sent ***');
  });

  test('never throws, and every value is of its type and inside of its bounds', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.integer().map(String),
      fc.bigInt().map(String),
      fc.constantFrom('true', 'false', '\ud800', 'NaN', '-0', 'Infinity', '__proto__'),
    );
    const raw = fc.dictionary(
      fc.constantFrom(...SETTING_IDS, '__proto__', 'foreign'),
      fc.option(texts, { nil: undefined }),
    );
    fc.assert(
      fc.property(raw, (stored) => {
        const settings: Record<string, unknown> = parseSettings(stored);
        expect(Object.keys(settings).sort()).toEqual([...SETTING_IDS].sort());
        for (const setting of table) {
          const value = settings[setting.id];
          if (setting.type === 'choice') expect(setting.options.map((o) => o.value)).toContain(value);
          if (setting.type !== 'integer') {
            expect(typeof value).toBe(setting.type === 'boolean' ? 'boolean' : 'string');
            continue;
          }
          expect(Number.isInteger(value)).toBe(true);
          expect(value).toBeGreaterThanOrEqual(setting.min);
          expect(value).toBeLessThanOrEqual(setting.max);
        }
      }),
      { numRuns: 200 },
    );
  });
});
