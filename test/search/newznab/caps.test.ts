import { describe, expect, it } from 'vitest';
import { parseXml } from '../../../src/io/xml.ts';
import { parseCaps, USUAL_CAPS } from '../../../src/search/newznab/caps.ts';

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
    });
  });

  it('assumes the least where no parameters are named', () => {
    expect(
      caps('<search available="yes"/><tv-search available="yes"/><movie-search available="yes"/>'),
    ).toEqual({
      search: ['q'],
      tv: ['q', 'season', 'ep'],
      movie: ['q'],
    });
  });

  it('assumes the usual where the document says nothing', () => {
    expect(parseCaps(parseXml('<caps/>'))).toEqual(USUAL_CAPS);
  });

  it('bounds what it keeps', () => {
    const { search } = caps(
      `<search available="yes" supportedParams="${'p,'.repeat(1000)}${'x'.repeat(500)}"/>`,
    );
    expect(search).toHaveLength(50);
  });
});
