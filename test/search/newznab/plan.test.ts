import { describe, expect, it } from 'vitest';
import type { MediaRequest } from '../../../src/model/index.ts';
import { type Caps, USUAL_CAPS } from '../../../src/search/newznab/caps.ts';
import { planQueries } from '../../../src/search/newznab/plan.ts';

const FILM: MediaRequest = { kind: 'movie', title: 'Big Buck Bunny', year: 2008, ids: {} };
const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  ids: {},
  episode: { season: 1, episode: 2 },
};
const ALL: Caps = {
  search: ['q'],
  tv: ['q', 'season', 'ep', 'tvdbid', 'tmdbid', 'imdbid'],
  movie: ['q', 'imdbid', 'tmdbid'],
};

/** Without what every query has. */
const plan = (request: MediaRequest, caps: Caps = USUAL_CAPS) =>
  planQueries(request, caps).map((queries) =>
    queries.map(({ cat: _c, extended: _e, limit: _l, ...query }) => query),
  );

const film = (fields: Partial<MediaRequest>) => plan({ ...FILM, ...fields }, ALL);
const episode = (fields: Partial<MediaRequest>, caps = ALL) => plan({ ...EPISODE, ...fields }, caps);

describe('planQueries', () => {
  it('asks every query in the parent category, extended, for one page', () => {
    expect(planQueries(FILM, ALL)[0]?.[0]).toMatchObject({ cat: '2000', extended: '1', limit: '100' });
    expect(planQueries(EPISODE, ALL)[0]?.[0]).toMatchObject({ cat: '5000', extended: '1', limit: '100' });
  });

  it.each([
    ['tt1254207', '1254207'],
    ['tt0000001', '0000001'],
    ['tt12', '0000012'],
    ['0111161', '0111161'],
    ['tt10872600', '10872600'],
  ])('sends %s as the digits %s', (imdb, imdbid) => {
    expect(film({ ids: { imdb } })[0]).toEqual([{ t: 'movie', imdbid }]);
  });

  it.each(['', 'tt', 'nm1', '1&t=get', '1'.repeat(20)])('sends no id that is none: %j', (imdb) => {
    expect(film({ ids: { imdb } })).toEqual([[{ t: 'search', q: 'big buck bunny 2008' }]]);
  });

  it('sends one id, the best that both sides know', () => {
    const ids = { imdb: 'tt1254207', tmdb: '10378', tvdb: '990001' };
    expect(film({ ids })[0]).toEqual([{ t: 'movie', imdbid: '1254207' }]);
    expect(film({ ids: { tmdb: '10378' } })[0]).toEqual([{ t: 'movie', tmdbid: '10378' }]);
    expect(episode({ ids })[0]).toEqual([{ t: 'tvsearch', tvdbid: '990001', season: '1', ep: '2' }]);
    expect(episode({ ids: { imdb: 'tt1254207' } })[0]).toEqual([
      { t: 'tvsearch', imdbid: '1254207', season: '1', ep: '2' },
    ]);
    expect(plan({ ...FILM, ids: { tmdb: '10378' } })[0]).toEqual([{ t: 'search', q: 'big buck bunny 2008' }]);
  });

  it('goes from id to text', () => {
    expect(episode({ ids: { tvdb: '990001' } })).toEqual([
      [{ t: 'tvsearch', tvdbid: '990001', season: '1', ep: '2' }],
      [
        { t: 'tvsearch', q: 'caminandes', season: '1', ep: '2' },
        { t: 'search', q: 'caminandes S01E02' },
      ],
    ]);
  });

  it('uses nothing but the general search where that is all there is', () => {
    const caps = { search: ['q'], tv: [], movie: [] };
    expect(episode({ ids: { tvdb: '1' } }, caps)).toEqual([[{ t: 'search', q: 'caminandes S01E02' }]]);
    expect(plan({ ...FILM, ids: { imdb: 'tt1' } }, caps)).toEqual([
      [{ t: 'search', q: 'big buck bunny 2008' }],
    ]);
  });

  it('sends no tvsearch to an indexer that would ignore season or episode', () => {
    const caps = { ...ALL, tv: ['q', 'tvdbid', 'season'] };
    expect(episode({ ids: { tvdb: '1' } }, caps)).toEqual([[{ t: 'search', q: 'caminandes S01E02' }]]);
  });

  it.each([
    ["Bunny's & Friends: Again!", 'bunnys friends again 2008'],
    ['Amélie en Rêve', 'amelie en reve 2008'],
    ['The Bunny (2008)', 'the bunny 2008'],
  ])('cleans %s to %s', (title, q) => {
    expect(film({ title })).toEqual([[{ t: 'search', q }]]);
  });

  it('tries the original title when its words differ', () => {
    expect(film({ title: 'Bunny', originalTitle: 'Häschen' }).map(([query]) => query?.['q'])).toEqual([
      'bunny 2008',
      'haschen 2008',
    ]);
    expect(film({ title: 'Amélie', originalTitle: 'Amelie' })).toHaveLength(1);
  });

  it('asks nothing when there is nothing to ask by', () => {
    expect(film({ title: '!!!' })).toEqual([]);
  });

  it('writes specials and long numbers as names do', () => {
    const q = (season: number, ep: number) =>
      plan({ ...EPISODE, episode: { season, episode: ep } }, { search: ['q'], tv: [], movie: [] })[0]?.[0]?.[
        'q'
      ];
    expect(q(0, 5)).toBe('caminandes S00E05');
    expect(q(12, 120)).toBe('caminandes S12E120');
  });
});
