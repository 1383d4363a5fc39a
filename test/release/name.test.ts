import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UNKNOWN_QUALITY } from '../../src/model/quality.ts';
import { loadReleaseNameParser } from '../../src/release/index.ts';
import { NAMES } from './names.ts';
import { SERIES_NAMES } from './names-series.ts';

const parse = await loadReleaseNameParser();

describe('the release name parser', () => {
  it.each([...NAMES, ...SERIES_NAMES])('reads %s', (name, expected) => {
    expect(parse(name)).toStrictEqual({ ...UNKNOWN_QUALITY, ...expected });
  });

  it('gives a name that tells nothing as the title', () => {
    expect(parse('').title).toBe('');
    expect(parse('....').title).toBe('....');
    expect(parse('1080p').resolution).toBe('1080p');
  });

  it.each([
    '0123456789abcdef0123456789abcdef',
    'qhoFAWoVtKTmnAYCvmDLjcIWEYVnRBhm.mkv',
    '7kPdR3wXq8Zs1TnYv5Bm',
    'b2d0f9a4-1c53-4a8e-9d7b-0f6e5a4c3b21',
    'abc.xyz.7f3e9a1c.b2',
  ])('knows that %s says nothing', (name) => {
    const { obfuscated, title } = parse(name);
    expect({ obfuscated, title }).toEqual({ obfuscated: true, title: '' });
  });

  it.each([
    'Caminandes',
    'Rhythms',
    'caminandes_llamigos',
    'WALL-E',
    'Agent327',
    'Sintel2010',
    'Cosmos-Laundromat',
  ])('takes %s for a title, not for random letters', (name) => {
    expect(parse(name).obfuscated).toBe(false);
  });

  it('looks at no more than the longest file name', () => {
    expect(parse(`${'a '.repeat(150)}1080p`).resolution).toBeUndefined();
    expect(parse(`${'a '.repeat(120)}1080p`).resolution).toBe('1080p');
  });

  it('drops numbers that no release has', () => {
    const { episodes } = parse('Caminandes.S01E0001-E9999.1080p');
    expect(episodes.length).toBeLessThanOrEqual(500);
  });

  const token = fc.constantFrom(
    'S01E02',
    'S01',
    '1x02',
    '1080p',
    '2160p',
    '2008',
    'BluRay',
    'x264',
    'DTS-HD.MA',
    'DTS-X',
    'HDR10+',
    'DDP5',
    '1',
    '-INV',
    '[INV]',
    '(2008)',
    'German',
    'Sub',
    'aka',
    'Season',
    'of',
    'to',
    'слово',
    'сезон',
    '漢字',
    'か',
    'é',
    '"',
    '/',
    '|',
    '_',
    '[',
    ')',
    '.mkv',
    'S99999E99999',
    '1-9999',
    'E01-E9999',
    '{',
    '\u0000',
    '\uD800',
  );
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.array(token, { maxLength: 60 }).map((tokens) => tokens.join('.')),
    fc.array(token, { maxLength: 60 }).map((tokens) => tokens.join(' ')),
    fc.array(token, { maxLength: 60 }).map((tokens) => tokens.join('')),
  );

  it('never throws, and keeps every field within its bounds', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const quality = parse(name);
        for (const list of [quality.seasons, quality.episodes]) {
          expect(list.length).toBeLessThanOrEqual(500);
          expect(list.every((n) => Number.isSafeInteger(n) && n >= 0)).toBe(true);
          expect([...list].sort((a, b) => a - b)).toEqual(list);
        }
        expect(quality.title.length).toBeLessThanOrEqual(255);
        expect(Object.values(quality)).not.toContain(undefined);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps no state between names', () => {
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        const first = parse(one);
        parse(other);
        expect(parse(one)).toEqual(first);
      }),
      { numRuns: 200 },
    );
  });
});
