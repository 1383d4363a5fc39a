import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadReleaseNameParser } from '../../src/release/index.ts';
import { NAMES } from './names.ts';

const parse = await loadReleaseNameParser();

describe('the release name parser', () => {
  it.each(NAMES)('reads %s', (name, expected) => {
    expect(parse(name)).toEqual({ hdr: [], audio: [], seasons: [], episodes: [], ...expected });
  });

  it('gives a name that tells nothing as the title, whatever it is', () => {
    expect(parse('').title).toBe('');
    expect(parse('....').title).toBe('....');
    expect(parse('1080p').resolution).toBe('1080p');
  });

  it('looks at no more than the longest file name', () => {
    expect(parse(`${'a'.repeat(300)}.1080p`).resolution).toBeUndefined();
    expect(parse(`${'a'.repeat(240)}.1080p`).resolution).toBe('1080p');
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
    '-INV',
    '[INV]',
    '(2008)',
    'слово',
    '漢字',
    'か',
    'é',
    '"',
    '/',
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
