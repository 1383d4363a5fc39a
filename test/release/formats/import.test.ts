import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlipstreamError } from '../../../src/errors/index.ts';
import { importFormats } from '../../../src/release/index.ts';

type Fields = Record<string, unknown> | readonly { name: string; value?: unknown }[];

const specification = (implementation: string, fields: Fields, more: object = {}) => ({
  name: implementation,
  implementation,
  negate: false,
  required: false,
  fields,
  ...more,
});

const format = (name: string, ...specifications: object[]) => ({
  name,
  includeCustomFormatWhenRenaming: false,
  specifications,
});

const title = (value: string) => specification('ReleaseTitleSpecification', { value });
const imported = (value: unknown, app?: 'radarr' | 'sonarr') => importFormats(JSON.stringify(value), app);
/** The one condition of the one format, without what all conditions have. */
function condition(implementation: string, fields: Fields, app?: 'radarr' | 'sonarr', more: object = {}) {
  const { formats, refused } = imported(format('F', specification(implementation, fields, more)), app);
  expect(refused).toEqual([]);
  const { name: _name, negate: _negate, required: _required, ...rest } = formats[0]!.conditions[0]!;
  return rest;
}

describe('importFormats', () => {
  it('reads one format, and a list of them, with fields in both forms', () => {
    const one = format('WEB', title('\\bweb\\b'));
    const other = format(
      'DVD',
      specification('ReleaseTitleSpecification', [{ name: 'value', value: 'dvd' }]),
    );
    expect(imported(one)).toEqual({
      formats: [
        {
          name: 'WEB',
          score: 0,
          conditions: [
            {
              kind: 'name',
              name: 'ReleaseTitleSpecification',
              negate: false,
              required: false,
              pattern: '\\bweb\\b',
            },
          ],
        },
      ],
      refused: [],
    });
    expect(imported([one, other]).formats.map(({ name }) => name)).toEqual(['WEB', 'DVD']);
  });

  it.each([
    [{ trash_scores: { default: 150, other: 1 } }, 150],
    [{ trash_scores: { default: '-10000' } }, -10_000],
    [{ trash_score: '25' }, 25],
    [{ score: 7, trash_scores: { default: 150 } }, 7],
    [{ trash_scores: {} }, 0],
    [{ score: 1e12 }, 1_000_000],
    [{}, 0],
  ])('takes the points of %j', (more, score) => {
    expect(imported({ ...format('F', title('a')), ...more }).formats[0]?.score).toBe(score);
  });

  it('keeps what is negated and what is required', () => {
    const { formats } = imported(
      format('F', { ...title('a'), negate: true }, { ...title('b'), required: true }),
    );
    expect(formats[0]?.conditions).toMatchObject([
      { negate: true, required: false },
      { negate: false, required: true },
    ]);
  });

  it.each([
    ['ReleaseGroupSpecification', { value: '^(INV)$' }, { kind: 'group', pattern: '^(INV)$' }],
    ['EditionSpecification', { value: 'imax' }, { kind: 'edition', pattern: 'imax' }],
    ['LanguageSpecification', { value: 4 }, { kind: 'language', language: 'de', except: false }],
    ['LanguageSpecification', { value: '-2' }, { kind: 'language', language: 'original', except: false }],
    [
      'LanguageSpecification',
      { value: 8, exceptLanguage: true },
      { kind: 'language', language: 'ja', except: true },
    ],
    ['ResolutionSpecification', { value: 2160 }, { kind: 'resolution', resolution: '2160p' }],
    ['QualityModifierSpecification', { value: 5 }, { kind: 'modifier', modifier: 'remux' }],
    ['SizeSpecification', { min: 1, max: 2.5 }, { kind: 'size', min: 1024 ** 3, max: 2.5 * 1024 ** 3 }],
    ['YearSpecification', { min: 2000, max: 2010 }, { kind: 'year', min: 2000, max: 2010 }],
    ['IndexerFlagSpecification', { value: 1 }, { kind: 'flag' }],
    ['ReleaseTypeSpecification', { value: 3 }, { kind: 'extent', extent: 'season' }],
    ['SourceSpecification', { value: 5 }, { kind: 'source', source: 'dvd' }],
  ])('reads %s %j', (implementation, fields, expected) => {
    expect(condition(implementation, fields)).toEqual(expected);
  });

  it('knows that the two programs count differently', () => {
    expect(condition('SourceSpecification', { value: 7 }, 'radarr')).toMatchObject({ source: 'web-dl' });
    expect(condition('SourceSpecification', { value: 7 }, 'sonarr')).toMatchObject({
      source: 'bluray-remux',
    });
    expect(condition('LanguageSpecification', { value: 26 }, 'radarr')).toMatchObject({ language: 'hi' });
    expect(condition('LanguageSpecification', { value: 26 }, 'sonarr')).toMatchObject({ language: 'ar' });
  });

  it('takes a language by its name where the number does not tell', () => {
    const slovak = { name: 'Not Slovak' };
    expect(condition('LanguageSpecification', { value: 31 }, 'sonarr', slovak)).toMatchObject({
      language: 'sk',
    });
    expect(condition('LanguageSpecification', { value: 31 }, undefined, slovak)).toMatchObject({
      language: 'sk',
    });
    const reasons = (['sonarr', undefined] as const).map(
      (app) =>
        imported(format('F', specification('LanguageSpecification', { value: 31 }, { name: 'x' })), app)
          .refused[0]?.reason,
    );
    expect(reasons).toEqual([
      'its condition "x" asks for something that no name tells',
      expect.stringContaining('one thing in Radarr'),
    ]);
  });

  it.each([
    [{ name: 'WEBDL' }, 7, 'web-dl'],
    [{ name: 'WEB-DL' }, 3, 'web-dl'],
    [{ name: 'WEBRip' }, 8, 'webrip'],
    [{ name: 'WEBRip' }, 4, 'webrip'],
    [{ name: 'Bluray' }, 9, 'bluray'],
    [{ name: 'Bluray' }, 6, 'bluray-encode'],
    [{ name: 'x', infoLink: 'https://wiki.example/radarr/settings#custom-formats' }, 7, 'web-dl'],
    [{ name: 'x', infoLink: 'https://wiki.example/sonarr/settings#custom-formats' }, 7, 'bluray-remux'],
  ])('tells from %j and %i whose it is', (more, value, source) => {
    expect(condition('SourceSpecification', { value }, undefined, more)).toMatchObject({ source });
  });

  it('tells from one format whose the others are', () => {
    const unclear = format('Unclear', specification('SourceSpecification', { value: 7 }, { name: 'x' }));
    const clear = format('Clear', specification('ReleaseTypeSpecification', { value: 1 }));
    const { formats } = imported([unclear, clear]);
    expect(formats[0]?.conditions).toMatchObject([{ source: 'bluray-remux' }]);
    expect(imported(unclear).refused).toEqual([
      {
        name: 'Unclear',
        reason:
          'its condition "x" means one thing in Radarr and another one in Sonarr, and nothing says which of them it is from',
      },
    ]);
  });

  it.each([
    [
      'a condition',
      specification('TasteSpecification', {}),
      'of a kind that is not known here (TasteSpecification)',
    ],
    [
      'a modifier',
      specification('QualityModifierSpecification', { value: 1 }),
      'something that no name tells',
    ],
    [
      'a resolution',
      specification('ResolutionSpecification', { value: 2159 }),
      'something that no name tells',
    ],
    ['no pattern', specification('ReleaseTitleSpecification', {}), 'has no pattern'],
    ['no number', specification('SizeSpecification', { min: 1 }), 'has no number for "max"'],
    ['a broken pattern', title('(a'), 'a bracket is never closed'],
    ['an endless pattern', title('(a+)+$'), 'may take for ever'],
    ['no specification', undefined, 'specifications is not as'],
    [
      'fields of another shape',
      specification('SizeSpecification', 5 as unknown as Fields),
      'specifications.0.fields',
    ],
  ])('refuses a format with %s by name, and takes the others', (_, wrong, reason) => {
    const { formats, refused } = imported([
      format('Wrong', ...(wrong === undefined ? [] : [wrong])),
      format('Right', title('a')),
    ]);
    expect(formats.map(({ name }) => name)).toEqual(['Right']);
    expect(refused).toEqual([{ name: 'Wrong', reason: expect.stringContaining(reason) as string }]);
  });

  it('refuses a second one of a name, and what has none', () => {
    const { formats, refused } = imported([format('A', title('a')), format('A', title('b')), 5]);
    expect(formats).toHaveLength(1);
    expect(refused.map(({ name }) => name)).toEqual(['A', 'Number 3']);
  });

  it.each(['', 'no JSON', '5', '[]', '{}', '[{"name":""}]', JSON.stringify(Array(501).fill({ name: 'a' }))])(
    'throws when the text is no list of formats: %s',
    (text) => {
      expect(() => importFormats(text)).toThrow(SlipstreamError);
    },
  );

  it('throws at a text that is too large', () => {
    expect(() => importFormats(' '.repeat(4 * 1024 * 1024 + 1))).toThrow('larger');
  });

  it('never throws anything else, and takes or refuses every entry', () => {
    const entry = fc.record(
      {
        name: fc.oneof(fc.string(), fc.constant('A')),
        specifications: fc.oneof(
          fc.array(
            fc.record({
              implementation: fc.constantFrom(
                'ReleaseTitleSpecification',
                'SourceSpecification',
                'SizeSpecification',
                'x',
              ),
              fields: fc.oneof(
                fc.dictionary(fc.constantFrom('value', 'min', 'max'), fc.anything()),
                fc.anything(),
              ),
              negate: fc.anything(),
            }),
          ),
          fc.anything(),
        ),
        trash_scores: fc.anything(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), (entries) => {
        try {
          const { formats, refused } = importFormats(JSON.stringify(entries));
          expect(formats.length + refused.length).toBe(entries.length);
        } catch (error) {
          expect(error).toBeInstanceOf(SlipstreamError);
        }
      }),
    );
  });
});
