import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MediaRequest } from '../../../src/model/index.ts';
import { planQueries } from '../../../src/search/queries/index.ts';
import type { SearchCapabilities, SearchQuery } from '../../../src/search/sources/source.ts';

const ALL: SearchCapabilities = {
  movieIds: ['imdb', 'tmdb'],
  seriesIds: ['tvdb', 'tvmaze', 'tmdb', 'imdb'],
  episodeNumbers: true,
  movieText: true,
  seriesText: true,
};
const TEXT_ONLY: SearchCapabilities = {
  movieIds: [],
  seriesIds: [],
  episodeNumbers: false,
  movieText: false,
  seriesText: false,
};

const FILM: MediaRequest = {
  kind: 'movie',
  title: 'Sintel & Friends: "Élan"',
  year: 2010,
  ids: { imdb: 'tt1727587', tmdb: '45745', tvdb: '1' },
};
const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes (2013)',
  ids: { imdb: 'tt2', tvdb: '990001', tmdb: '3' },
  episode: { season: 1, episode: 2 },
};

/** One line for a query, one list for an attempt; "+" marks an attempt that is always made. */
function shortly(request: MediaRequest, abilities: SearchCapabilities, packs = false): string[] {
  const line = ({ kind, area, id, text, season, episode, date }: SearchQuery) =>
    [kind, area, id && `${id.kind}=${id.value}`, text && `"${text}"`, season, episode, date]
      .filter((each) => each !== undefined)
      .join(' ');
  return planQueries(request, abilities, { seasonPacks: packs }).map(
    ({ alternatives, isAlwaysSent: always }) => `${always ? '+ ' : ''}${alternatives.map(line).join(' | ')}`,
  );
}

describe('the plan for a film', () => {
  it('asks by id, then by title and year, then by title', () => {
    expect(shortly(FILM, ALL)).toEqual([
      'movie movies imdb=tt1727587 | movie movies tmdb=45745',
      'movie movies "sintel friends elan 2010" | text movies "sintel friends elan 2010"',
      'movie movies "sintel friends elan" | text movies "sintel friends elan"',
    ]);
  });

  it('asks only what the source understands', () => {
    expect(shortly(FILM, { ...ALL, movieIds: ['tmdb'], movieText: false })[0]).toBe(
      'movie movies tmdb=45745',
    );
    expect(shortly(FILM, TEXT_ONLY)).toEqual([
      'text movies "sintel friends elan 2010"',
      'text movies "sintel friends elan"',
    ]);
  });

  it('asks by no plain text where that is ruled out', () => {
    expect(shortly(FILM, { ...ALL, noPlainText: true })).toEqual([
      'movie movies imdb=tt1727587 | movie movies tmdb=45745',
      'movie movies "sintel friends elan 2010"',
      'movie movies "sintel friends elan"',
    ]);
    expect(shortly(FILM, { ...ALL, movieText: false, noPlainText: true })).toHaveLength(1);
    expect(shortly({ ...FILM, ids: {} }, { ...ALL, movieText: false, noPlainText: true })).toEqual([]);
  });

  it('asks by each title once, Latin ones first, and by no more than four', () => {
    const film: MediaRequest = {
      kind: 'movie',
      title: 'Für Hasen',
      originalTitle: 'Заяц',
      alternativeTitles: ['Fur, Hasen!', 'Bunny', 'Le lapin', 'Conejo'],
      ids: {},
    };
    expect(shortly(film, TEXT_ONLY)).toEqual([
      'text movies "fur hasen"',
      'text movies "fuer hasen"',
      'text movies "zayats"',
      'text movies "bunny"',
    ]);
    expect(shortly({ kind: 'movie', title: 'Заяц', ids: {} }, TEXT_ONLY)).toEqual([
      'text movies "zayats"',
      'text movies "заяц"',
    ]);
  });

  it('leaves out ids that are none, and titles of which no words are left', () => {
    expect(shortly({ kind: 'movie', title: '!?', ids: { imdb: '1727587', tmdb: 'x' } }, ALL)).toEqual([]);
  });
});

describe('the plan for an episode', () => {
  it('asks by id and numbers, then by title and numbers', () => {
    expect(shortly(EPISODE, ALL)).toEqual([
      'series series tvdb=990001 1 2 | series series tmdb=3 1 2 | series series imdb=tt2 1 2',
      'series series "caminandes" 1 2 | text series "caminandes s01e02"',
    ]);
  });

  it('puts the numbers among the words where the source knows no numbers', () => {
    expect(shortly(EPISODE, { ...ALL, episodeNumbers: false })).toEqual(['text series "caminandes s01e02"']);
  });

  it('asks for the season beside the episode, whatever that finds', () => {
    expect(shortly({ ...EPISODE, ids: { tvdb: '990001' } }, ALL, true)).toEqual([
      'series series tvdb=990001 1 2',
      '+ series series tvdb=990001 1 | series series "caminandes" 1 | text series "caminandes s01"',
      'series series "caminandes" 1 2 | text series "caminandes s01e02"',
    ]);
    expect(shortly(EPISODE, TEXT_ONLY, true)).toEqual([
      'text series "caminandes s01e02"',
      '+ text series "caminandes s01"',
    ]);
  });

  it('asks for a daily show by its date first', () => {
    const daily: MediaRequest = {
      ...EPISODE,
      ids: { tvdb: '990001' },
      episode: { season: 2015, episode: 120, aired: '2015-07-29' },
    };
    expect(shortly(daily, ALL, true).slice(0, 3)).toEqual([
      'series series tvdb=990001 2015-07-29',
      'series series "caminandes" 2015-07-29 | text series "caminandes 2015 07 29"',
      'series series tvdb=990001 2015 120',
    ]);
  });

  it('asks by the date last where numbers are usual', () => {
    const request = { ...EPISODE, episode: { season: 1, episode: 2, aired: '2015-07-29' } };
    expect(shortly(request, TEXT_ONLY)).toEqual([
      'text series "caminandes s01e02"',
      'text series "caminandes 2015 07 29"',
    ]);
  });

  it('asks for anime by its absolute number as well', () => {
    const anime: MediaRequest = {
      ...EPISODE,
      ids: {},
      episode: { season: 2, episode: 3 },
      absoluteEpisode: 28,
    };
    expect(shortly(anime, ALL)).toEqual([
      'series series "caminandes" 2 3 | text series "caminandes s02e03"',
      '+ text anime "caminandes 28"',
    ]);
    expect(shortly({ ...EPISODE, ids: {}, anime: true }, TEXT_ONLY)).toContain(
      '+ text anime "caminandes 02"',
    );
    expect(
      shortly({ ...EPISODE, anime: true, episode: { season: 2, episode: 3 } }, ALL).join(),
    ).not.toContain('anime');
  });

  it('asks for a special by its title as well, and for no pack of specials', () => {
    const special: MediaRequest = {
      ...EPISODE,
      ids: {},
      episode: { season: 0, episode: 5, title: "Llama's Drama!" },
    };
    expect(shortly(special, ALL, true)).toEqual([
      'series series "caminandes" 0 5 | text series "caminandes s00e05"',
      'text series "caminandes llamas drama"',
    ]);
  });
});

const abilities: fc.Arbitrary<SearchCapabilities> = fc.record({
  movieIds: fc.subarray(['imdb', 'tmdb'] as const),
  seriesIds: fc.subarray(['tvdb', 'tvmaze', 'tmdb', 'imdb'] as const),
  episodeNumbers: fc.boolean(),
  movieText: fc.boolean(),
  seriesText: fc.boolean(),
});
const ids = fc.record({
  imdb: fc.constantFrom('tt1', 'tt1727587', 'x'),
  tmdb: fc.constantFrom('1', ''),
  tvdb: fc.constantFrom('2', '2b'),
  tvmaze: fc.constantFrom('3', '-3'),
});
const request: fc.Arbitrary<MediaRequest> = fc.record(
  {
    kind: fc.constant('episode' as const),
    title: fc.string({ unit: 'grapheme', minLength: 1 }),
    originalTitle: fc.string({ unit: 'grapheme' }),
    year: fc.integer({ min: 1900, max: 2100 }),
    ids,
    episode: fc.record({ season: fc.nat(2020), episode: fc.nat(2000) }),
    absoluteEpisode: fc.nat(2000),
  },
  { requiredKeys: ['kind', 'title', 'ids'] },
);

describe('any plan', () => {
  it('keeps to the contract of queries and to what the source is able to', () => {
    fc.assert(
      fc.property(request, abilities, fc.boolean(), (asked, able, packs) => {
        for (const { alternatives } of planQueries(asked, able, { seasonPacks: packs })) {
          expect(alternatives).not.toHaveLength(0);
          for (const query of alternatives) expectProper(query, able);
        }
      }),
    );
  });
});

function expectProper(
  { kind, id, text, season, episode, date }: SearchQuery,
  able: SearchCapabilities,
): void {
  expect((id === undefined) !== (text === undefined)).toBe(true);
  if (text !== undefined) expect(text).toMatch(/^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*$/u);
  if (id !== undefined) {
    expect(kind === 'movie' ? able.movieIds : able.seriesIds).toContain(id.kind);
    expect(id.value).toMatch(id.kind === 'imdb' ? /^tt\d+$/ : /^\d+$/);
  }
  const numbered = season !== undefined || episode !== undefined || date !== undefined;
  if (numbered) expect(able.episodeNumbers && kind === 'series').toBe(true);
  if (kind === 'movie' && text !== undefined) expect(able.movieText).toBe(true);
  if (kind === 'series' && text !== undefined) expect(able.seriesText).toBe(true);
}
