import { describe, expect, it } from 'vitest';
import { parseXml } from '../../../../src/io/xml.ts';
import { DEFAULT_CAPS, parseCaps } from '../../../../src/search/sources/newznab/caps.ts';

const caps = (searching: string) => parseCaps(parseXml(`<caps><searching>${searching}</searching></caps>`));

describe('parseCaps', () => {
  it('reads the parameters, whatever their case and spacing', () => {
    expect(caps('<movie-search available="YES" supportedParams="Q, ImdbId,,"/>').movie).toEqual([
      'q',
      'imdbid',
    ]);
  });

  it('offers nothing that is absent or not available', () => {
    expect(caps('<tv-search available="no" supportedParams="q,tvdbid"/>')).toEqual({
      search: [],
      tv: [],
      movie: [],
      limit: 100,
    });
  });

  it('tells a search by words that is ruled out from one that is not mentioned', () => {
    expect(caps('<search available=" No "/>').forbidsText).toBe(true);
    expect(caps('<search available="yes"/>')).not.toHaveProperty('forbidsText');
    expect(caps('<search supportedParams="q"/><movie-search available="no"/>')).not.toHaveProperty(
      'forbidsText',
    );
  });

  it('assumes the least where no parameters are named', () => {
    expect(
      caps('<search available="yes"/><tv-search available="yes"/><movie-search available="yes"/>'),
    ).toEqual({
      search: ['q'],
      tv: ['q', 'season', 'ep'],
      movie: ['q'],
      limit: 100,
    });
  });

  it('assumes the usual where the document says nothing', () => {
    expect(parseCaps(parseXml('<caps/>'))).toEqual(DEFAULT_CAPS);
  });

  it.each([
    ['<limits max="50" default="25"/>', 50],
    ['<limits max="100000"/>', 100],
    ['<limits max="0"/>', 100],
    ['<limits max="many"/>', 100],
    ['', 100],
  ])('takes from %s a limit of %i', (limits, expected) => {
    expect(parseCaps(parseXml(`<caps>${limits}<searching/></caps>`)).limit).toBe(expected);
  });

  it('bounds what it keeps', () => {
    const { search } = caps(
      `<search available="yes" supportedParams="${'p,'.repeat(1000)}${'x'.repeat(500)}"/>`,
    );
    expect(search).toHaveLength(50);
  });
});
