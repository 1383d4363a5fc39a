import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { uniqueJobName } from '../../src/resolver/job-name.ts';

/** The name without its unique end. */
const nameOf = (release: string) => uniqueJobName(release).replace(/-[\da-f]{8}$/, '');

describe('uniqueJobName', () => {
  test.each([
    ['Sintel.2010.1080p.WEB.x264-OPEN', 'Sintel.2010.1080p.WEB.x264-OPEN'],
    ['Sintel 2010 (1080p) [OPEN]', 'Sintel 2010 (1080p) [OPEN]'],
    ['Sintel.2010.nzb', 'Sintel.2010'],
    ['Sintel.2010.NZB.nzb ', 'Sintel.2010'],
    ['Größe ☺ 大魚', 'Größe ☺ 大魚'],
    ['Cafe\u0301', 'Café'],
    ['a/b\\c:d*e?f"g<h>i|j', 'a b c d e f g h i j'],
    ['../../etc/passwd', 'etc passwd'],
    ['/../ . /x', 'x'],
    ['..', 'release'],
    ['', 'release'],
    [' . . ', 'release'],
    ['\0\u202e\u200b\ud800', 'release'],
    ['.nzb', 'release'],
    ['CON', '_CON'],
    ['nul.2020.1080p', '_nul.2020.1080p'],
    ['Com1.mkv', '_Com1.mkv'],
    ['Console.2020', 'Console.2020'],
    ['Aux Champs 2020', 'Aux Champs 2020'],
    ['Sintel{{secret}}.2010', 'Sintel .2010'],
    ['Sintel {{se\ncret}}', 'Sintel'],
    ['Sintel password=secret', 'Sintel password secret'],
    ['passpassword=word=x', 'passpassword word=x'],
    ['{password={x}}', '{password {x}}'],
  ])('%j becomes %j', (release, name) => {
    expect(nameOf(release)).toBe(name);
  });

  test.each(['x', '☺', '😀', 'é', '{{', 'password=', '.', ' ', '/'])(
    'a megabyte of %j is cut at a character',
    (piece) => {
      const name = uniqueJobName(piece.repeat(1_000_000 / piece.length));
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(189);
      expect(name).not.toContain('\uFFFD');
    },
  );

  test('is a safe file name of at most 189 bytes, whatever the release is called', () => {
    const odd = fc.constantFrom(
      '.',
      ' ',
      '/',
      '\\',
      '..',
      '{{',
      '}}',
      'password=',
      '.nzb',
      'CON',
      'nul',
      '.',
      '\0',
      '\ud800',
      '☺',
      'a',
    );
    const release = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(odd, { maxLength: 40 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(release, (text) => {
        const name = uniqueJobName(text);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(189);
        expect(name).toMatch(/^[^\s.].*-[\da-f]{8}$/u);
        expect(name).not.toMatch(/[\p{C}<>:"/\\|?*]/u);
        expect(name).not.toMatch(/\{\{.*\}\}|password=/i);
        expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
        expect(() => encodeURIComponent(name)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });

  test('is another one each time', () => {
    const names = Array.from({ length: 500 }, () => uniqueJobName('Sintel.2010'));
    expect(new Set(names).size).toBe(names.length);
  });
});
