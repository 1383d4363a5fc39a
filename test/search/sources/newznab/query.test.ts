import { describe, expect, it } from 'vitest';
import type { Caps } from '../../../../src/search/sources/common/caps.ts';
import {
  parametersOf,
  withoutRejectedParameter,
} from '../../../../src/search/sources/newznab/query-parameters.ts';
import type { SearchQuery } from '../../../../src/search/sources/source.ts';

const ALL: Caps = {
  search: ['q'],
  tv: ['q', 'season', 'ep', 'tvdbid', 'tvmazeid', 'tmdbid', 'imdbid'],
  movie: ['q', 'imdbid', 'tmdbid'],
  limit: 100,
};
const COMMON = { extended: '1', limit: '100' };
const movie = { kind: 'movie', area: 'movies' } as const;
const series = { kind: 'series', area: 'series' } as const;

describe('parametersOf', () => {
  it.each<[string, SearchQuery, Readonly<Record<string, string>>]>([
    [
      'pads IMDb digits to seven and drops the tt',
      { ...movie, id: { kind: 'imdb', value: 'tt111161' } },
      { t: 'movie', imdbid: '0111161', cat: '2000' },
    ],
    [
      'leaves eight digits as they are',
      { ...movie, id: { kind: 'imdb', value: 'tt12345678' } },
      { t: 'movie', imdbid: '12345678', cat: '2000' },
    ],
    [
      'sends other ids bare',
      { ...movie, id: { kind: 'tmdb', value: '045745' } },
      { t: 'movie', tmdbid: '45745', cat: '2000' },
    ],
    [
      'sends season and episode as integers',
      { ...series, id: { kind: 'tvdb', value: '990001' }, season: 1, episode: 2 },
      { t: 'tvsearch', tvdbid: '990001', season: '1', ep: '2', cat: '5000' },
    ],
    [
      'asks for a season pack without an episode',
      { ...series, id: { kind: 'tvmaze', value: '7' }, season: 3 },
      { t: 'tvsearch', tvmazeid: '7', season: '3', cat: '5000' },
    ],
    [
      'asks for a daily show by year and month/day',
      { ...series, text: 'caminandes daily', date: '2026-07-29' },
      { t: 'tvsearch', q: 'caminandes daily', season: '2026', ep: '07/29', cat: '5000' },
    ],
    [
      'tries the plain zero for specials',
      { ...series, id: { kind: 'tvdb', value: '1' }, season: 0, episode: 1 },
      { t: 'tvsearch', tvdbid: '1', season: '0', ep: '1', cat: '5000' },
    ],
    [
      'asks for anime in its own category too',
      { kind: 'text', area: 'anime', text: 'caminandes 28' },
      { t: 'search', q: 'caminandes 28', cat: '5000,5070' },
    ],
    [
      'asks for text by nothing but its words',
      { kind: 'text', area: 'series', text: 'caminandes s01e02', season: 1, episode: 2 },
      { t: 'search', q: 'caminandes s01e02', cat: '5000' },
    ],
    [
      'asks for a film by text where that is taken',
      { ...movie, text: 'sintel' },
      { t: 'movie', q: 'sintel', cat: '2000' },
    ],
  ])('%s', (_rule, query, expected) => {
    expect(parametersOf(query, ALL)).toEqual({ ...expected, ...COMMON });
  });

  it('asks for no more rows than are given', () => {
    expect(parametersOf({ kind: 'text', area: 'movies', text: 'x' }, { ...ALL, limit: 50 })?.['limit']).toBe(
      '50',
    );
  });

  it.each<[string, SearchQuery, Partial<Caps>]>([
    ['an id that is not taken', { ...movie, id: { kind: 'tmdb', value: '1' } }, { movie: ['q', 'imdbid'] }],
    ['text where films are asked for by id only', { ...movie, text: 'sintel' }, { movie: ['imdbid'] }],
    ['a kind that is not offered', { ...series, text: 'x', season: 1 }, { tv: [] }],
    [
      'numbers that would be ignored',
      { ...series, text: 'x', season: 1, episode: 2 },
      { tv: ['q', 'season'] },
    ],
    ['empty words', { kind: 'text', area: 'movies', text: ' ' }, {}],
    ['an id that is none', { ...movie, id: { kind: 'imdb', value: 'nm1' } }, {}],
  ])('knows no way to ask for %s', (_case, query, caps) => {
    expect(parametersOf(query, { ...ALL, ...caps })).toBeUndefined();
  });
});

describe('withoutRefused', () => {
  const asked = {
    t: 'tvsearch',
    tvdbid: '1',
    season: '1',
    ep: '2',
    cat: '5000',
    extended: '1',
    limit: '100',
  };
  const after = (text: string, code = 201, parameters = asked) =>
    withoutRejectedParameter(parameters, { code, text, httpStatus: 200 });

  it('leaves out the one that is complained of, an episode with its season', () => {
    expect(after('Incorrect parameter (extended)')).not.toHaveProperty('extended');
    expect(after('Incorrect parameter: cat')).toMatchObject({ tvdbid: '1', season: '1', ep: '2' });
    const { season: _season, ep: _ep, ...rest } = asked;
    expect(after('Incorrect parameter (ep)')).toEqual(rest);
    expect(after('SEASON must be a number')).toEqual(rest);
  });

  it.each([
    ['what was asked for itself', after('Incorrect parameter (tvdbid)')],
    ['nobody knows what', after('Incorrect parameter')],
    ['another error', after('Function not available (season)', 203)],
    ['the date of a daily show', after('Incorrect parameter (ep)', 201, { ...asked, ep: '07/29' })],
  ])('gives up on %s', (_case, rest) => {
    expect(rest).toBeUndefined();
  });
});
