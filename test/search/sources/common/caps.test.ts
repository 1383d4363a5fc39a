import { describe, expect, it } from 'vitest';
import {
  type Caps,
  capabilitiesOf,
  managedCategories,
  numberParameters,
  parentCategories,
  supportsQuery,
} from '../../../../src/search/sources/common/caps.ts';
import type { SearchQuery } from '../../../../src/search/sources/source.ts';

const caps = (movie: string, tv: string): Caps => ({
  search: ['q'],
  movie: movie.split(','),
  tv: tv.split(','),
  limit: 100,
});

describe('abilitiesOf', () => {
  it('names the ids that are taken, the most reliable first', () => {
    expect(capabilitiesOf(caps('tmdbid,imdbid', 'imdbid,tmdbid,tvmazeid,tvdbid,rid'))).toEqual({
      movieIds: ['imdb', 'tmdb'],
      seriesIds: ['tvdb', 'tvmaze', 'tmdb', 'imdb'],
      episodeNumbers: false,
      movieText: false,
      seriesText: false,
    });
  });

  it('counts numbers only where both are taken', () => {
    expect(capabilitiesOf(caps('q', 'q,ep'))).toMatchObject({ episodeNumbers: false, movieText: true });
    expect(capabilitiesOf(caps('', 'q,season,ep'))).toMatchObject({ episodeNumbers: true, seriesText: true });
  });
});

describe('takes', () => {
  const some = caps('imdbid', 'tvdbid,season');
  it.each<[boolean, SearchQuery]>([
    [true, { kind: 'movie', area: 'movies', id: { kind: 'imdb', value: 'tt1' } }],
    [false, { kind: 'movie', area: 'movies', id: { kind: 'tmdb', value: '1' } }],
    [false, { kind: 'movie', area: 'movies', text: 'sintel' }],
    [true, { kind: 'text', area: 'movies', text: 'sintel' }],
    [false, { kind: 'text', area: 'movies', id: { kind: 'imdb', value: 'tt1' } }],
    [true, { kind: 'series', area: 'series', id: { kind: 'tvdb', value: '1' }, season: 0 }],
    [false, { kind: 'series', area: 'series', id: { kind: 'tvdb', value: '1' }, season: 1, episode: 2 }],
    [false, { kind: 'series', area: 'series', id: { kind: 'tvdb', value: '1' }, date: '2026-07-29' }],
    [false, { kind: 'series', area: 'series', id: { kind: 'tvdb', value: '1' }, text: 'both' }],
  ])('%s for %j', (expected, query) => {
    expect(supportsQuery(some, query)).toBe(expected);
  });
});

describe('parentCategories', () => {
  it.each<[SearchQuery['kind'], SearchQuery['area'], string[]]>([
    ['movie', 'movies', ['2000']],
    ['text', 'movies', ['2000']],
    ['series', 'series', ['5000']],
    ['text', 'series', ['5000']],
    ['series', 'anime', ['5000', '5070']],
    ['text', 'anime', ['5000', '5070']],
    ['movie', 'anime', ['2000', '5070']],
  ])('of %s in %s are %j', (kind, area, expected) => {
    expect(parentCategories({ kind, area })).toEqual(expected);
  });
});

describe('managedCategories', () => {
  const id = { kind: 'imdb', value: 'tt1' } as const;
  it.each<[SearchQuery, string[]]>([
    [{ kind: 'movie', area: 'movies', id }, []],
    [{ kind: 'series', area: 'anime', id }, []],
    [{ kind: 'text', area: 'movies', text: 'x' }, ['2000']],
    [{ kind: 'series', area: 'series', text: 'x' }, ['5000']],
    // NZBHydra2 takes "5000,5070" for 5000, and asks nobody who is on for anime only.
    [{ kind: 'text', area: 'anime', text: 'x' }, ['5070']],
  ])('of %j are %j', (query, expected) => {
    expect(managedCategories(query)).toEqual(expected);
  });
});

describe('numbersOf', () => {
  it('gives integers, and of a date its year and month/day', () => {
    expect(numberParameters({ kind: 'series', area: 'series', season: 1, episode: 120 })).toEqual({
      season: '1',
      episode: '120',
    });
    expect(numberParameters({ kind: 'series', area: 'series', season: 0 })).toEqual({ season: '0' });
    expect(numberParameters({ kind: 'series', area: 'series', date: '2026-07-09' })).toEqual({
      season: '2026',
      episode: '07/09',
    });
    expect(numberParameters({ kind: 'series', area: 'series' })).toEqual({});
  });
});
