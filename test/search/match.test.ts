import { describe, expect, it } from 'vitest';
import type { Claims, MediaRequest } from '../../src/model/index.ts';
import { loadReleaseNameParser } from '../../src/release/index.ts';
import { fitsRequest } from '../../src/search/match.ts';
import { release } from '../release/candidates.ts';

const parse = await loadReleaseNameParser();

const FILM: MediaRequest = {
  kind: 'movie',
  title: 'Sintel',
  originalTitle: 'Sintel la Novela',
  year: 2010,
  ids: { imdb: 'tt1727587', tmdb: '45745' },
};
const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  year: 2013,
  ids: { tvdb: '990001' },
  episode: { season: 1, episode: 2, aired: '2015-07-29', ids: { imdb: 'tt42' } },
};
const SECOND: MediaRequest = { ...EPISODE, episode: { season: 2, episode: 3 } };

function fits(name: string, request: MediaRequest, claims?: Claims): boolean {
  return fitsRequest({ ...release({ name, ...(claims && { claims }) }), quality: parse(name) }, request);
}

describe('fitsRequest for a film', () => {
  it.each([
    'Sintel.2010.1080p.WEB.h264-INV',
    'Sintel.2011.1080p',
    'Sintel.2009.1080p',
    'Sintel.1080p.BluRay',
    'Sintel',
    'Sintel.La.Novela.2010.720p',
  ])('takes %s', (name) => {
    expect(fits(name, FILM)).toBe(true);
  });

  it.each([
    'Sintel.2008.1080p',
    'Sintel.2012.1080p',
    'Sintel.Returns.2010.1080p',
    'Spring.2010.1080p',
    'Sintel.S01E01.1080p',
    'Sintel.S01.1080p',
    '0123456789abcdef0123456789abcdef',
  ])('rejects %s', (name) => {
    expect(fits(name, FILM)).toBe(false);
  });

  it('takes a name that tells nothing when the indexer claims the id', () => {
    const name = '0123456789abcdef0123456789abcdef';
    expect(fits(name, FILM, { imdb: 'tt1727587' })).toBe(true);
    expect(fits(name, FILM, { imdb: 'tt01727587' })).toBe(true);
    expect(fits(name, FILM, { tmdb: '45745' })).toBe(true);
    expect(fits(name, FILM, { imdb: 'tt1727588' })).toBe(false);
    expect(fits(name, { ...FILM, ids: {} }, {})).toBe(false);
  });

  it('takes another year only when title and claim agree', () => {
    expect(fits('Sintel.2014.1080p', FILM, { imdb: 'tt1727587' })).toBe(true);
    expect(fits('Elephants.Dream.2006.1080p', FILM, { imdb: 'tt1727587' })).toBe(false);
  });

  it('takes any year when none is asked for', () => {
    const { year: _, ...yearless } = FILM;
    expect(fits('Sintel.1999.1080p', yearless)).toBe(true);
  });
});

describe('fitsRequest for an episode', () => {
  it.each([
    'Caminandes.S01E02.1080p.WEB.h264-INV',
    'Caminandes.2013.S01E02.1080p',
    'Caminandes.2015.S01E02.1080p',
    'Caminandes.S01E01E02.1080p',
    'Caminandes.S01E01-E03.1080p',
    'Caminandes.1x02.HDTV',
    'Caminandes.S01.1080p.WEB',
    'Caminandes.S01-S03.1080p',
    'Caminandes.E02.1080p',
    'Caminandes.2015.07.29.1080p',
  ])('takes %s', (name) => {
    expect(fits(name, EPISODE)).toBe(true);
  });

  it.each([
    'Caminandes.S01E03.1080p',
    'Caminandes.S02E02.1080p',
    'Caminandes.S02.1080p',
    'Caminandes.S02-S03.1080p',
    'Caminandes.1999.S01E02.1080p',
    'Caminandes.2015.07.30.1080p',
    'Caminandes.1080p',
    'Caminandes.Complete.Series.1080p',
    'Other.Show.S01E02.1080p',
  ])('rejects %s', (name) => {
    expect(fits(name, EPISODE)).toBe(false);
  });

  it('rejects a season or episode that contradicts, whatever the indexer claims', () => {
    const claims = { tvdb: '990001', season: 1, episode: 2 };
    expect(fits('Caminandes.S01E03.1080p', EPISODE, claims)).toBe(false);
    expect(fits('Caminandes.S02E02.1080p', EPISODE, claims)).toBe(false);
    expect(fits('Caminandes.S02.1080p', EPISODE, claims)).toBe(false);
  });

  it('takes a name that is silent when the indexer claims id, season and episode', () => {
    const name = '0123456789abcdef0123456789abcdef';
    expect(fits(name, EPISODE, { tvdb: '990001', season: 1, episode: 2 })).toBe(true);
    expect(fits(name, EPISODE, { imdb: 'tt42', season: 1, episode: 2 })).toBe(true);
    expect(fits(name, EPISODE, { tvdb: '990001', season: 1, episode: 3 })).toBe(false);
    expect(fits(name, EPISODE, { tvdb: '990001' })).toBe(false);
    expect(fits(name, EPISODE, { tvdb: '990002', season: 1, episode: 2 })).toBe(false);
  });

  it('takes an episode without a season beyond the first only when the indexer knows it', () => {
    expect(fits('[Inv] Caminandes - 28 [1080p]', SECOND)).toBe(false);
    expect(fits('[Inv] Caminandes - 03 [1080p]', SECOND)).toBe(false);
    expect(fits('[Inv] Caminandes - 28 [1080p]', SECOND, { tvdb: '990001', season: 2, episode: 3 })).toBe(
      true,
    );
  });

  it('finds specials', () => {
    const special: MediaRequest = { ...EPISODE, episode: { season: 0, episode: 5 } };
    expect(fits('Caminandes.S00E05.1080p', special)).toBe(true);
    expect(fits('Caminandes.S01E05.1080p', special)).toBe(false);
  });
});
