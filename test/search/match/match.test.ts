import { describe, expect, it } from 'vitest';
import type { Claims, MediaRequest, Quality } from '../../../src/model/index.ts';
import { UNKNOWN_QUALITY } from '../../../src/model/index.ts';
import { loadReleaseNameParser } from '../../../src/release/index.ts';
import { mismatchOf, nameMismatchCheck } from '../../../src/search/match/match.ts';

const parse = await loadReleaseNameParser();

const FILM: MediaRequest = {
  kind: 'movie',
  title: 'Sintel',
  originalTitle: 'Sintel la Novela',
  alternativeTitles: ['Das Drachenmädchen'],
  year: 2010,
  ids: { imdb: 'tt1727587', tmdb: '45745' },
};
const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  year: 2013,
  ids: { tvdb: '990001', tvmaze: '71' },
  episode: { season: 1, episode: 2, aired: '2015-07-29', ids: { imdb: 'tt42' } },
};
const SECOND: MediaRequest = { ...EPISODE, episode: { season: 2, episode: 3 } };
const ANIME: MediaRequest = { ...SECOND, anime: true, absoluteEpisode: 28 };
const HASH = '0123456789abcdef0123456789abcdef';

const objection = (name: string, request: MediaRequest, claims?: Claims) =>
  mismatchOf({ name, quality: parse(name), ...(claims && { claims }) }, request);

/** Where the parser has no part in what is tested. */
const told = (quality: Partial<Quality>, request: MediaRequest, claims?: Claims) =>
  mismatchOf({ name: 'x', quality: { ...UNKNOWN_QUALITY, ...quality }, ...(claims && { claims }) }, request);

describe('objectionTo for a film', () => {
  it.each([
    'Sintel.2010.1080p.WEB.h264-INV',
    'Sintel.2011.1080p',
    'Sintel.2009.1080p',
    'Sintel.1080p.BluRay',
    'Sintel',
    'Sintel.La.Novela.2010.720p',
    'Das.Drachenmaedchen.2010.German.1080p',
    'Das.Drachenmadchen.2010.German.1080p',
  ])('has none to %s', (name) => {
    expect(objection(name, FILM)).toBeUndefined();
  });

  it.each([
    ['Sintel.2008.1080p.WEB.h264-INV', 'Another year: 2008'],
    ['Sintel.2012.1080p.WEB.h264-INV', 'Another year: 2012'],
    ['Sintel.Returns.2010.1080p.WEB.h264-INV', 'Another film: Sintel Returns'],
    ['Spring.2010.1080p.WEB.h264-INV', 'Another film: Spring'],
    ['Sintel.S01E01.1080p.WEB.h264-INV', 'An episode, not the film: S01E01'],
    ['Sintel.S01.1080p.WEB.h264-INV', 'An episode, not the film: S01'],
  ])('to %s says: %s', (name, reason) => {
    expect(objection(name, FILM)).toBe(reason);
  });

  it.each([
    'Open.Season.2.2008.1080p.BluRay.x264-INV',
    'Open.Season.2.2008',
    'Open Season 2 (2008) [1080p]',
    'Open.Season.2.German.2008.DVDRip.x264-INV',
  ])('takes the season in %s for the title that was asked for', (name) => {
    const film: MediaRequest = { kind: 'movie', title: 'Open Season 2', year: 2008, ids: {} };
    expect(objection(name, film)).toBeUndefined();
    expect(objection(name, { ...film, title: 'Open Season' })).toBeDefined();
    expect(objection(name, { ...film, title: 'Open' })).toBe('An episode, not the film: S02');
    expect(objection(name.replace('Season', 'S01E02'), film)).toBeDefined();
    expect(objection(name.replace('Season.2', 'S02').replace('Season 2', 'S02'), film)).toBeDefined();
  });

  it('has none to a name that tells nothing when the indexer confirms the id', () => {
    expect(objection(HASH, FILM)).toBeDefined();
    expect(objection(HASH, FILM, { imdb: 'tt1727587' })).toBeUndefined();
    expect(objection(HASH, FILM, { imdb: 'tt01727587' })).toBeUndefined();
    expect(objection(HASH, FILM, { tmdb: '45745' })).toBeUndefined();
    expect(objection(HASH, FILM, { imdb: 'tt1727588' })).toBeDefined();
    expect(objection(HASH, { ...FILM, ids: {} }, {})).toBeDefined();
  });

  it('keeps what the indexer confirms whatever its name, but for an episode', () => {
    const claims = { imdb: 'tt1727587' };
    expect(objection('Elephants.Dream.2006.1080p.WEB.h264-INV', FILM, claims)).toBeUndefined();
    expect(objection('Sintel.S01E01.1080p.WEB.h264-INV', FILM, claims)).toBeDefined();
  });

  it('tells two films of one name apart by the indexer where the name does not', () => {
    expect(objection('Sintel.1080p.WEB.h264-INV', FILM, { imdb: 'tt42' })).toBe(
      'Another film of this name, the indexer says',
    );
    expect(objection('Sintel.2010.1080p.WEB.h264-INV', FILM, { imdb: 'tt42' })).toBeUndefined();
  });

  it.each(['Sintel.2009.05.01.Some.Guest.720p.HDTV-INV', 'Sintel.2010.05.01.1080p.WEB-DL-INV'])(
    'takes %s for a broadcast, unless the indexer confirms the id',
    (name) => {
      expect(objection(name, FILM)).toBe(`An episode, not the film: ${parse(name).date ?? ''}`);
      expect(objection(name, FILM, { imdb: 'tt42' })).toBeDefined();
      expect(objection(name, FILM, { imdb: 'tt1727587' })).toBeUndefined();
    },
  );

  it('says the name, shortened, where it holds no title', () => {
    expect(told({ title: ' ' }, FILM)).toBe('Another film: x');
    const name = 'x'.repeat(61);
    expect(mismatchOf({ name, quality: UNKNOWN_QUALITY }, FILM)).toBe(`Another film: ${'x'.repeat(59)}…`);
    expect(objection(' ', FILM)).toBe('Nobody knows what it is: its name says nothing');
  });

  it('takes any year when none is asked for', () => {
    const { year: _, ...yearless } = FILM;
    expect(objection('Sintel.1999.1080p', yearless)).toBeUndefined();
    expect(objection('Sintel.1999.1080p', { ...yearless, title: 'Sintel (2010)' })).toBe(
      'Another year: 1999',
    );
  });

  it('takes a number of the title for neither year nor episode', () => {
    const film = { ...FILM, title: 'Runner 2049', year: 2017 };
    expect(told({ title: 'Runner 2049', year: 2049 }, film)).toBeUndefined();
    const zone = { ...FILM, title: 'Zone 9' };
    expect(told({ title: 'Zone 9', episodes: [9] }, zone)).toBeUndefined();
    expect(told({ title: 'Zone 9', episodes: [8] }, zone)).toBe('An episode, not the film: E08');
  });

  it('looks at all titles of a name', () => {
    expect(told({ title: 'Drache', otherTitles: ['Sintel'], year: 2010 }, FILM)).toBeUndefined();
  });
});

describe('objectionTo for an episode', () => {
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
  ])('has none to %s', (name) => {
    expect(objection(name, EPISODE)).toBeUndefined();
  });

  it.each([
    ['Caminandes.S01E03.1080p.WEB.h264-INV', 'Another episode: S01E03'],
    ['Caminandes.S02E02.1080p.WEB.h264-INV', 'Another episode: S02E02'],
    ['Caminandes.S01E03-E05.1080p.WEB.h264-INV', 'Another episode: S01E03-E05'],
    ['Caminandes.S02.1080p.WEB.h264-INV', 'Another season: S02'],
    ['Caminandes.S02-S04.1080p.WEB.h264-INV', 'Another season: S02-S04'],
    ['Caminandes.1999.S01E02.1080p.WEB.h264-INV', 'Another year: 1999'],
    ['Caminandes.2015.07.30.1080p.WEB.h264-INV', 'Another episode: 2015-07-30'],
    ['Caminandes.1080p.WEB.h264-INV', 'Nobody knows which episode: no number in its name'],
    ['Other.Show.S01E02.1080p.WEB.h264-INV', 'Another series: Other Show'],
  ])('to %s says: %s', (name, reason) => {
    expect(objection(name, EPISODE)).toBe(reason);
  });

  it.each<Claims>([{ tvdb: '990002' }, { tvmaze: '72' }, { tmdb: '9' }])(
    'tells two series of one name apart by the indexer where the name does not: %j',
    (claims) => {
      const show = { ...EPISODE, ids: { ...EPISODE.ids, tmdb: '8' } };
      const reason = 'Another series of this name, the indexer says';
      expect(objection('Caminandes.S01E02.1080p', show, claims)).toBe(reason);
      expect(objection('Caminandes.S01.1080p', show, claims)).toBe(reason);
      expect(objection('Caminandes.2013.S01E02.1080p', show, claims)).toBeUndefined();
      const { year: _, ...yearless } = show;
      expect(objection('Caminandes.S01E02.1080p', yearless, claims)).toBe(reason);
    },
  );

  it("takes neither the episode's own id nor IMDb's for another series", () => {
    const ids = { tvdb: '5551', tvmaze: '5552', tmdb: '5553' };
    const show = { ...EPISODE, ids: { ...EPISODE.ids, imdb: 'tt41', tmdb: '8' } };
    const request: MediaRequest = { ...show, episode: { season: 1, episode: 2, ids } };
    for (const claims of [{ tvdb: '5551' }, { tvmaze: '5552' }, { tmdb: '5553' }, { imdb: 'tt99' }])
      expect(objection('Caminandes.S01E02.1080p', request, claims)).toBeUndefined();
  });

  it('compares a season that is counted by its year as a season alone', () => {
    const shownLater: MediaRequest = {
      ...EPISODE,
      episode: { season: 2016, episode: 1, aired: '2018-01-01' },
    };
    expect(objection('Caminandes.S2016E01.1080p.WEB-DL-INV', shownLater)).toBeUndefined();
    expect(objection('Caminandes.S2017E01.1080p.WEB-DL-INV', shownLater)).toBe('Another episode: S2017E01');
  });

  it("takes any year since the show's first for a season's while nobody knows when it was shown", () => {
    const third: MediaRequest = { ...EPISODE, episode: { season: 3, episode: 1 } };
    expect(objection('Caminandes.2016.S03E01.1080p.WEB-DL-INV', third)).toBeUndefined();
    expect(objection('Caminandes.2012.S03E01.1080p.WEB-DL-INV', third)).toBeUndefined();
    expect(objection('Caminandes.2011.S03E01.1080p.WEB-DL-INV', third)).toBe('Another year: 2011');
    const aired: MediaRequest = { ...third, episode: { season: 3, episode: 1, aired: '2020-01-01' } };
    expect(objection('Caminandes.2016.S03E01.1080p.WEB-DL-INV', aired)).toBe('Another year: 2016');
    // Such a year does not tell it from a later series of its name.
    expect(objection('Caminandes.2016.S03E01.1080p.WEB-DL-INV', third, { tvdb: '990002' })).toBe(
      'Another series of this name, the indexer says',
    );
  });

  it('takes a whole series for a pack, but not for a special', () => {
    const quality = { title: 'Caminandes', complete: true };
    expect(told(quality, EPISODE)).toBeUndefined();
    expect(told({ ...quality, title: 'Other Show' }, EPISODE)).toBe('Another series: Other Show');
    expect(told(quality, { ...EPISODE, episode: { season: 0, episode: 1 } })).toBeDefined();
  });

  it('objects to a season or episode that contradicts, whatever the indexer claims', () => {
    const claims = { tvdb: '990001', season: 1, episode: 2 };
    expect(objection('Caminandes.S01E03.1080p', EPISODE, claims)).toBeDefined();
    expect(objection('Caminandes.S02E02.1080p', EPISODE, claims)).toBeDefined();
    expect(objection('Caminandes.S02.1080p', EPISODE, claims)).toBeDefined();
    expect(objection('Caminandes.2015.07.30.1080p', EPISODE, claims)).toBeDefined();
  });

  it('takes a silent name when the indexer confirms the id and contradicts no number', () => {
    expect(objection(HASH, EPISODE, { tvdb: '990001', season: 1, episode: 2 })).toBeUndefined();
    expect(objection(HASH, EPISODE, { tvmaze: '71' })).toBeUndefined();
    expect(objection(HASH, EPISODE, { imdb: 'tt42', season: 1 })).toBeUndefined();
    expect(objection(HASH, EPISODE, { tvdb: '990001', season: 1, episode: 3 })).toBe(
      'Another episode, the indexer says: S01E03',
    );
    expect(objection(HASH, EPISODE, { tvdb: '990002', season: 1, episode: 2 })).toBeDefined();
  });

  it('takes an absolute number for what it is', () => {
    expect(told({ title: 'Caminandes', episodes: [28] }, ANIME)).toBeUndefined();
    expect(told({ title: 'Caminandes', episodes: [27, 28] }, ANIME)).toBeUndefined();
    expect(told({ title: 'Caminandes', episodes: [3] }, ANIME)).toBe('Another episode: E03');
    expect(told({ title: 'Caminandes', episodes: [29] }, ANIME)).toBe('Another episode: E29');
    expect(told({ title: 'Other', episodes: [28] }, ANIME)).toBe('Another series: Other');
  });

  it('objects to an absolute number that contradicts, whatever the indexer claims', () => {
    const claims = { tvdb: '990001', season: 2, episode: 3 };
    expect(told({ title: 'Caminandes', episodes: [29] }, ANIME, claims)).toBeDefined();
    expect(told({ title: 'Caminandes', episodes: [3] }, ANIME, claims)).toBeUndefined();
  });

  it('takes an episode without a season beyond the first only when the indexer knows it', () => {
    expect(told({ title: 'Caminandes', episodes: [3] }, SECOND)).toBeDefined();
    expect(told({ title: 'Caminandes', episodes: [28] }, SECOND)).toBeDefined();
    const claims = { tvdb: '990001', season: 2, episode: 3 };
    expect(told({ title: 'Caminandes', episodes: [28] }, SECOND, claims)).toBeUndefined();
  });

  it('finds specials by number and by title', () => {
    const special: MediaRequest = {
      ...EPISODE,
      episode: { season: 0, episode: 5, title: 'Llama Drama' },
    };
    expect(objection('Caminandes.S00E05.1080p', special)).toBeUndefined();
    expect(objection('Caminandes.S01E05.1080p', special)).toBeDefined();
    expect(objection('Caminandes.Llama.Drama.1080p.WEB.h264-INV', special)).toBeUndefined();
    expect(objection('Caminandes.Other.Drama.1080p.WEB.h264-INV', special)).toBeDefined();
  });
});

describe('doubtFor', () => {
  const doubt = (name: string, claims?: Claims, request = FILM) =>
    nameMismatchCheck(request)({ name, quality: parse(name), ...(claims && { claims }) });
  const confirmed = { imdb: 'tt1727587' };

  it('is what the name says against the indexer’s word, which keeps the post', () => {
    const said = 'the indexer says so, the name does not';
    expect(doubt('Spring.2019.1080p.WEB.h264-INV', confirmed)).toBe(`${said} (another film: Spring)`);
    expect(doubt('Sintel.1999.1080p.WEB.h264-INV', confirmed)).toBe(`${said} (another year: 1999)`);
    expect(doubt('Spring.S01E02.1080p', { tvdb: '990001' }, EPISODE)).toBe(
      `${said} (another series: Spring)`,
    );
    expect(objection('Spring.2019.1080p.WEB.h264-INV', FILM, confirmed)).toBeUndefined();
  });

  it.each<[string, Claims | undefined]>([
    ['Sintel.2010.1080p.WEB.h264-INV', confirmed],
    ['Das.Drachenmaedchen.2010.German.1080p', confirmed],
    // What nobody vouches for is set aside, which says enough.
    ['Spring.2019.1080p.WEB.h264-INV', undefined],
    ['Spring.2019.1080p.WEB.h264-INV', { imdb: 'tt1' }],
    // It says nothing at all.
    [HASH, confirmed],
    ['', confirmed],
    // One id of two differs: the name is not to blame.
    ['Sintel.2010.1080p', { ...confirmed, tmdb: '1' }],
  ])('is none of %s by %j', (name, claims) => {
    expect(doubt(name, claims)).toBeUndefined();
  });
});
