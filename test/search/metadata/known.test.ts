import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/errors/index.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { addMetadata } from '../../../src/search/metadata/index.ts';
import { closedPort, serve } from '../../support/http-server.ts';
import { memoryLog } from '../../support/log.ts';
import { newFolder } from '../folder.ts';

const V3_KEY = '0123456789abcdef0123456789abcdef';
const V4_TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl';
const never = () => new AbortController().signal;

/** Answers by path and query; what is not listed is not found, a number is a status, a function never answers. */
type Pages = Readonly<Record<string, unknown>>;

/** A page that comes after some milliseconds. */
class Late {
  readonly page: unknown;
  readonly ms: number;
  constructor(page: unknown, ms: number) {
    this.page = page;
    this.ms = ms;
  }
}

async function service(pages: Pages) {
  const seen: IncomingMessage[] = [];
  const url = await serve((request, response) => {
    seen.push(request);
    const address = new URL(request.url ?? '/', 'http://x');
    address.searchParams.delete('api_key');
    const page = pages[decodeURIComponent(`${address.pathname}${address.search}`)];
    if (typeof page === 'function') return;
    if (page instanceof Late) {
      setTimeout(() => response.end(JSON.stringify(page.page)), page.ms);
      return;
    }
    if (typeof page === 'string') response.writeHead(301, { location: page }).end();
    else if (typeof page === 'number') response.writeHead(page).end('{}');
    else if (page === undefined) response.writeHead(404).end('{}');
    else response.end(JSON.stringify(page));
  });
  return { url, seen };
}

async function complete(
  request: MediaRequest,
  {
    tmdb = {},
    tvmaze = {},
    key = V3_KEY,
    timeout = 10_000,
    headStart = 800,
    folder = '',
    signal = never(),
  }: {
    tmdb?: Pages;
    tvmaze?: Pages;
    key?: string;
    timeout?: number;
    headStart?: number;
    folder?: string;
    signal?: AbortSignal;
  },
) {
  const [one, two] = [await service(tmdb), await service(tvmaze)];
  const log = memoryLog();
  const place = folder || (await newFolder());
  const services = {
    tmdbKey: key,
    folder: place,
    log,
    timeout,
    headStart,
    tmdbUrl: one.url,
    tvmazeUrl: two.url,
  };
  const completed = await addMetadata(request, services, signal);
  return { completed, tmdb: one, tvmaze: two, log, folder: place };
}

const FILM: MediaRequest = { kind: 'movie', title: 'Sintel', ids: { tmdb: '45745' } };
const MOVIE_PATH = '/3/movie/45745?append_to_response=alternative_titles,external_ids,translations';
const MOVIE = {
  title: 'Sintel',
  original_title: 'Durian',
  original_language: 'nl',
  release_date: '2010-09-27',
  runtime: 15,
  imdb_id: 'tt1727587',
  alternative_titles: {
    titles: [{ iso_3166_1: 'US', title: 'SINTEL!' }, { title: 'The Dragon' }, { title: 7 }, null],
  },
  translations: { translations: [{ data: { title: '' } }, { data: { title: 'Das Drachenmädchen' } }, {}] },
};

const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  ids: { tmdb: '5', tvdb: '990001' },
  episode: { season: 2, episode: 3 },
};
const SHOW_PATH = '/3/tv/5?append_to_response=external_ids,alternative_titles';
const EPISODE_PATH = '/3/tv/5/season/2/episode/3';
const SHOW = {
  name: 'Caminandes',
  original_name: 'カミナンデス',
  original_language: 'ja',
  first_air_date: '2013-04-01',
  episode_run_time: [24],
  genres: [{ id: 16, name: 'Animation' }],
  seasons: [
    { season_number: 0, episode_count: 9 },
    { season_number: 1, episode_count: 12 },
    { season_number: 2, episode_count: 13 },
  ],
  external_ids: { imdb_id: 'tt7', tvdb_id: 111 },
  alternative_titles: { results: [{ title: 'Kaminandesu' }] },
};
const ONE = { name: 'Llama Drama', air_date: '2015-07-29', runtime: 23 };

const MAZE_SHOW = {
  id: 71,
  name: 'Caminandes',
  language: 'Japanese',
  genres: ['Anime', 'Comedy'],
  runtime: null,
  averageRuntime: 25,
  premiered: '2013-04-01',
  externals: { tvrage: null, thetvdb: 990001, imdb: 'tt7' },
  _embedded: { akas: [{ name: 'Kaminandesu', country: null }, { name: null }] },
};
const MAZE: Pages = {
  '/lookup/shows?thetvdb=990001': '/shows/71',
  '/shows/71': MAZE_SHOW,
  '/shows/71?embed=akas': MAZE_SHOW,
  '/shows/71/episodebynumber?season=2&number=3': { name: 'Llama Drama', airdate: '2015-07-29', runtime: 24 },
  '/shows/71/episodes': [
    { season: 1, number: 1 },
    { season: 1, number: 2 },
    { season: 2, number: 1 },
    { season: 2, number: 2 },
    { season: 2, number: 3 },
  ],
};

describe('what TMDb knows', () => {
  it('of a film is added where nothing was said', async () => {
    const { completed } = await complete(FILM, { tmdb: { [MOVIE_PATH]: MOVIE } });
    expect(completed).toEqual({
      ...FILM,
      originalTitle: 'Durian',
      alternativeTitles: ['The Dragon', 'Das Drachenmädchen'],
      year: 2010,
      ids: { tmdb: '45745', imdb: 'tt1727587' },
      runtime: 15,
      originalLanguage: 'nl',
    });
  });

  it('changes nothing that was said', async () => {
    const said: MediaRequest = {
      ...FILM,
      title: 'Drachenmädchen',
      originalTitle: 'Original',
      year: 2011,
      runtime: 14,
      ids: { tmdb: '45745', imdb: 'tt1' },
    };
    const { completed } = await complete(said, { tmdb: { [MOVIE_PATH]: MOVIE } });
    expect(completed).toMatchObject(said);
    expect(completed.alternativeTitles?.[0]).toBe('Sintel');
  });

  it('of an episode is added, for anime with its absolute number', async () => {
    const { completed } = await complete(EPISODE, { tmdb: { [SHOW_PATH]: SHOW, [EPISODE_PATH]: ONE } });
    expect(completed).toEqual({
      ...EPISODE,
      originalTitle: 'カミナンデス',
      alternativeTitles: ['Kaminandesu'],
      year: 2013,
      ids: { tmdb: '5', tvdb: '990001', imdb: 'tt7' },
      runtime: 23,
      originalLanguage: 'ja',
      anime: true,
      absoluteEpisode: 15,
      episode: { season: 2, episode: 3, title: 'Llama Drama', aired: '2015-07-29' },
    });
  });

  it('is the show alone where it does not know the episode', async () => {
    const english = { ...SHOW, original_language: 'en' };
    const { completed } = await complete(EPISODE, { tmdb: { [SHOW_PATH]: english } });
    expect(completed.runtime).toBe(24);
    expect(completed).not.toHaveProperty('anime');
    expect(completed).not.toHaveProperty('absoluteEpisode');
  });

  it('takes an episode that is counted through for what it is', async () => {
    const request: MediaRequest = { ...EPISODE, episode: { season: 2, episode: 15 } };
    const { completed } = await complete(request, { tmdb: { [SHOW_PATH]: SHOW } });
    expect(completed.absoluteEpisode).toBe(15);
  });

  it('is found by another id', async () => {
    const film = { ...FILM, ids: { imdb: 'tt1727587' } };
    const { completed } = await complete(film, {
      tmdb: {
        '/3/find/tt1727587?external_source=imdb_id': { movie_results: [{ id: 45745 }], tv_results: [] },
        [MOVIE_PATH]: MOVIE,
      },
    });
    expect(completed.ids).toEqual({ imdb: 'tt1727587', tmdb: '45745' });
  });

  it('costs a v3 key in the address, or a v4 token in a header', async () => {
    const v3 = await complete(FILM, { tmdb: { [MOVIE_PATH]: MOVIE } });
    expect(v3.tmdb.seen[0]?.url).toContain(`api_key=${V3_KEY}`);
    const v4 = await complete(FILM, { tmdb: { [MOVIE_PATH]: MOVIE }, key: V4_TOKEN });
    expect(v4.tmdb.seen[0]?.headers.authorization).toBe(`Bearer ${V4_TOKEN}`);
    expect(v4.tmdb.seen[0]?.url).not.toContain('eyJ');
  });

  it('is remembered without the key', async () => {
    const { folder, log } = await complete(FILM, { tmdb: { [MOVIE_PATH]: MOVIE } });
    const again = await complete(FILM, { folder });
    expect(again.completed.runtime).toBe(15);
    expect(again.tmdb.seen).toEqual([]);
    const place = join(folder, 'known');
    for (const file of await readdir(place))
      expect(await readFile(join(place, file), 'utf8')).not.toContain(V3_KEY);
    expect(log.lines.join()).not.toContain(V3_KEY);
  });

  it('may be nonsense', async () => {
    const odd = {
      title: 7,
      runtime: 'long',
      release_date: 2010,
      genres: {},
      imdb_id: 'x',
      alternative_titles: [],
    };
    expect((await complete(FILM, { tmdb: { [MOVIE_PATH]: odd } })).completed).toEqual(FILM);
    expect((await complete(FILM, { tmdb: { [MOVIE_PATH]: [] } })).completed).toEqual(FILM);
    expect(
      (await complete(EPISODE, { tmdb: { [SHOW_PATH]: { seasons: [null, {}], genres: [1] } } })).completed,
    ).toEqual(EPISODE);
  });
});

describe('what TVmaze knows', () => {
  it('of an episode is added without any key', async () => {
    const request: MediaRequest = { ...EPISODE, ids: { tvdb: '990001' } };
    const { completed, tmdb } = await complete(request, { tvmaze: MAZE, key: '' });
    expect(completed).toEqual({
      ...request,
      alternativeTitles: ['Kaminandesu'],
      year: 2013,
      ids: { tvdb: '990001', imdb: 'tt7', tvmaze: '71' },
      runtime: 24,
      originalLanguage: 'ja',
      anime: true,
      absoluteEpisode: 5,
      episode: { season: 2, episode: 3, title: 'Llama Drama', aired: '2015-07-29' },
    });
    expect(tmdb.seen).toEqual([]);
  });

  it('is asked for where TMDb fails', async () => {
    const { completed } = await complete(EPISODE, { tmdb: { [SHOW_PATH]: 401 }, tvmaze: MAZE });
    expect(completed.ids.tvmaze).toBe('71');
  });

  it('is added where TMDb hangs until nobody waits for it any more', async () => {
    const { completed, tvmaze } = await complete(EPISODE, {
      tmdb: { [SHOW_PATH]: () => undefined },
      tvmaze: MAZE,
      headStart: 20,
      timeout: 1_000,
    });
    expect(tvmaze.seen.length).toBeGreaterThan(0);
    expect(completed.ids.tvmaze).toBe('71');
  });

  it('does not count where TMDb answers as well, though later', async () => {
    const { completed, tvmaze } = await complete(EPISODE, {
      tmdb: { [SHOW_PATH]: new Late(SHOW, 300), [EPISODE_PATH]: ONE },
      tvmaze: MAZE,
      headStart: 20,
    });
    expect(tvmaze.seen.length).toBeGreaterThan(0);
    expect(completed.originalTitle).toBe('カミナンデス');
    expect(completed.ids).not.toHaveProperty('tvmaze');
  });

  it('is not asked for where TMDb answers at once', async () => {
    const { tvmaze } = await complete(EPISODE, { tmdb: { [SHOW_PATH]: SHOW }, tvmaze: MAZE });
    expect(tvmaze.seen).toEqual([]);
  });

  it('is found by the IMDb id', async () => {
    const request: MediaRequest = { ...EPISODE, ids: { imdb: 'tt7' } };
    const { completed } = await complete(request, {
      tvmaze: { ...MAZE, '/lookup/shows?imdb=tt7': '/shows/71' },
      key: '',
    });
    expect(completed.ids.tvdb).toBe('990001');
  });

  it('is not asked about films', async () => {
    const { completed, tvmaze } = await complete({ ...FILM, ids: { imdb: 'tt1727587' } }, { key: '' });
    expect(completed.ids).toEqual({ imdb: 'tt1727587' });
    expect(tvmaze.seen).toEqual([]);
  });
});

describe('a request stays as it was', () => {
  it.each<[string, Pages]>([
    ['the key is wrong', { [MOVIE_PATH]: 401 }],
    ['the service is broken', { [MOVIE_PATH]: 500 }],
    ['the film is unknown', {}],
    ['nobody answers in time', { [MOVIE_PATH]: () => undefined }],
  ])('when %s', async (_, tmdb) => {
    const { completed, log } = await complete(FILM, { tmdb, timeout: 200 });
    expect(completed).toBe(FILM);
    expect(log.lines.join()).not.toContain(V3_KEY);
  });

  it('when nobody is there', async () => {
    const url = await closedPort();
    const services = {
      tmdbKey: V3_KEY,
      folder: await newFolder(),
      log: memoryLog(),
      tmdbUrl: url,
      tvmazeUrl: url,
    };
    expect(await addMetadata(EPISODE, services, never())).toBe(EPISODE);
  });

  it('but the person may give up', async () => {
    const reason = new CancelledError('person');
    const controller = new AbortController();
    const completing = complete(FILM, { tmdb: { [MOVIE_PATH]: () => undefined }, signal: controller.signal });
    setTimeout(() => {
      controller.abort(reason);
    }, 50);
    await expect(completing).rejects.toBe(reason);
  });
});
