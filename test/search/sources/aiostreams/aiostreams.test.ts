import { describe, expect, it } from 'vitest';
import { redact } from '../../../../src/log/index.ts';
import type { SearchAnswer, SearchQuery } from '../../../../src/search/sources/source.ts';
import { stremioSource } from '../../../../src/search/sources/stremio/index.ts';
import { memoryLog } from '../../../support/log.ts';
import { newFolder } from '../../folder.ts';
import { INDEXER_KEY, PASSWORD, type Replayed, replayed, reply, UUID } from './replay.ts';

/** A real AIOStreams 2.33.2 (protocols.md §8.4 to §8.9). */
const FILM: SearchQuery = { kind: 'movie', area: 'movies', id: { kind: 'imdb', value: 'tt9001001' } };
const EPISODE: SearchQuery = {
  kind: 'series',
  area: 'series',
  id: { kind: 'imdb', value: 'tt9000002' },
  season: 1,
  episode: 3,
};
const { signal } = new AbortController();

async function sourceAt(service: Replayed, takesNzbs: boolean, log = memoryLog()) {
  const options = { id: 's', name: 'Home', url: service.url, apiKey: '', timeout: 5_000, takesNzbs };
  return stremioSource({ ...options, cacheFolder: await newFolder() }, log);
}

async function ask(service: Replayed, query: SearchQuery, takesNzbs = true): Promise<SearchAnswer> {
  const answer = await (await sourceAt(service, takesNzbs)).ask(query, signal);
  if (answer === 'unsupported') throw new Error('unsupported');
  return answer;
}

describe('AIOStreams beside a backend that takes NZBs', () => {
  it('is asked by one query of its search API, with the login that its address holds', async () => {
    const service = await replayed({ search: reply('search-api', 'film') });
    await ask(service, FILM);
    await ask(service, EPISODE);
    const [, film, , episode] = service.asked;
    expect(film?.path).toBe('/api/v1/search?type=movie&id=tt9001001');
    expect(episode?.path).toBe('/api/v1/search?type=series&id=tt9000002%3A1%3A3');
    const login = Buffer.from(`${UUID}:${PASSWORD}`).toString('base64');
    expect(film?.headers['authorization']).toBe(`Basic ${login}`);
    expect(service.asked).toHaveLength(4);
  });

  it('gives the NZB at its indexer, with the name, size and age of the post', async () => {
    const before = Date.now();
    const { postings, failures } = await ask(await replayed({ search: reply('search-api', 'film') }), FILM);
    expect(failures).toEqual([]);
    expect(postings).toEqual([
      {
        name: 'Real.Film.2024.1080p.BluRay.x264-RARSET',
        size: 167_778_005,
        posted: expect.any(Number) as number,
        claims: { imdb: 'tt9001001' },
        link: {
          url: `http://indexer.example/api?t=get&id=rarset&apikey=${INDEXER_KEY}`,
          guid: expect.stringMatching(/^[\da-f]{24}$/) as string,
          indexer: 'LabIndexer',
          source: 's',
          givenBy: 'AIOStreams (Home)',
        },
      },
    ]);
    const hours = (before - (postings[0]?.posted ?? 0)) / 3_600_000;
    expect(Math.round(hours)).toBe(79);
  });

  it('lists a pack that it has opened by the name and size of the post, not of the file', async () => {
    const { postings } = await ask(await replayed({ search: reply('search-api', 'episode') }), EPISODE);
    expect(postings.map(({ name, size }) => [name, size])).toEqual([
      ['Real.Show.S01.1080p.WEB-DL.H.264-PACK', 91_270_633],
      ['Real.Show.S01.720p.WEB.x264-RARPACK', 91_270_633],
    ]);
  });

  it('tells the size of the file in it as well, where that is what it plays', async () => {
    const { postings } = await ask(
      await replayed({ search: reply('search-api', 'episode') }),
      EPISODE,
      false,
    );
    expect(postings.map(({ size, link }) => [size, link.videoSize])).toEqual([
      [91_270_633, 30_418_870],
      [91_270_633, 30_418_870],
    ]);
    const film = await ask(await replayed({ search: reply('search-api', 'film') }), FILM, false);
    expect(film.postings[0]?.link).not.toHaveProperty('videoSize');
  });

  it('tells the failures of those behind it', async () => {
    const { postings, failures } = await ask(
      await replayed({ search: reply('search-api', 'no metadata') }),
      FILM,
    );
    expect(postings).toEqual([]);
    expect(failures.map(({ explanation }) => explanation.what)).toEqual([
      'Stremio add-on (Home) says: [❌] LabIndexer Failed to get metadata.',
    ]);
  });

  it('gives a stream that has no NZB as one that it plays', async () => {
    const whole = reply('search-api', 'film') as { body: { data: { results: { nzbUrl: string | null }[] } } };
    for (const result of whole.body.data.results) result.nzbUrl = null;
    const { postings } = await ask(await replayed({ search: whole as never }), FILM);
    expect(postings.map(({ link }) => [link.plays, link.service])).toEqual([[true, 'aiostreams']]);
  });

  it('leaves the keys of its indexers in no log', async () => {
    const log = memoryLog();
    const service = await replayed({ search: reply('search-api', 'film') });
    await (await sourceAt(service, true, log)).ask(FILM, signal);
    expect(log.lines.join('\n')).not.toContain(INDEXER_KEY);
    expect(redact(`the key is ${INDEXER_KEY}, the login ${PASSWORD}`)).toBe('the key is ***, the login ***');
  });
});

describe('AIOStreams without such a backend', () => {
  it('is asked in the same way, and plays what it lists', async () => {
    const service = await replayed({ search: reply('search-api', 'film') });
    const { postings } = await ask(service, FILM, false);
    expect(service.asked.at(-1)?.path).toBe('/api/v1/search?type=movie&id=tt9001001');
    expect(postings.map(({ link }) => [link.plays, link.service, link.indexer])).toEqual([
      [true, 'aiostreams', 'Home'],
    ]);
    expect(postings[0]?.link.url).toMatch(/^http:\/\/aiostreams\.example:3000\/api\/v1\/debrid\/playback\//);
  });
});

describe('what AIOStreams refuses', () => {
  it.each([
    ['an unknown user', reply('stremio-manifest', 'unknown user')],
    ['a damaged address', reply('stremio-manifest', 'wrong password part')],
  ])('for %s leads to its page, to copy the address anew', async (_case, manifest) => {
    const service = await replayed();
    service.manifest = manifest;
    const source = await sourceAt(service, true);
    await expect(source.capabilities(signal)).rejects.toMatchObject({
      code: 'AUTH_FAILED',
      explanation: { next: expect.stringMatching(/^Copy the address of the add-on anew/) as string },
    });
    const [check] = await source.test(signal);
    expect(check?.failure?.code).toBe('AUTH_FAILED');
  });

  it.each([
    ['no login', 'no credentials'],
    ['a login that it does not know', 'wrong credentials'],
  ])('at its search for %s is a matter of the address', async (_case, note) => {
    const service = await replayed({ search: reply('search-api', note) });
    await expect(ask(service, FILM)).rejects.toMatchObject({ code: 'AUTH_FAILED' });
  });

  it('for too many queries is a limit, by the search API', async () => {
    const service = await replayed({ search: reply('rate-limits', 'newznab beyond the limit') });
    await expect(ask(service, FILM)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 10_000 });
  });

  it('for too many queries is a limit, by the stream list with HTTP 200', async () => {
    const service = await replayed({ stream: reply('rate-limits', 'stream list beyond the limit') });
    await expect(ask(service, FILM)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 14_000 });
  });

  it('is told in no message as JSON', async () => {
    const service = await replayed();
    for (const search of [
      {
        status: 500,
        headers: {},
        body: { success: false, error: { code: 'ODD', message: 'No such thing' } },
      },
      { status: 500, headers: {}, body: { strange: true } },
      { status: 400, headers: {}, body: '{"cut":' },
    ]) {
      service.search = search;
      const failure = await ask(service, FILM).catch((error: unknown) => error as Error);
      expect(failure).toBeInstanceOf(Error);
      expect((failure as Error).message).not.toMatch(/[{}"]/);
    }
  });
});

describe('a version of AIOStreams without a search API', () => {
  const listed = async (file: string, note: string, takesNzbs = true) => {
    const service = await replayed({ stream: reply(file, note) });
    return { service, ...(await ask(service, FILM, takesNzbs)) };
  };

  it('is asked for its streams, as one that knows it asks for them', async () => {
    const { service, postings } = await listed('stremio-stream-streamdata', '');
    expect(service.asked.at(-1)?.path).toBe(`/stremio/${UUID}/${PASSWORD}/stream/movie/tt9001001.json`);
    expect(service.asked.at(-1)?.headers['user-agent']).toContain('AIOStreams/');
    expect(service.asked[0]?.headers['user-agent']).not.toContain('AIOStreams/');
    expect(postings.length).toBeGreaterThan(0);
    for (const { link, posted } of postings) {
      expect(link).toMatchObject({ plays: true, service: 'aiostreams' });
      expect(posted).toBeGreaterThan(0);
    }
  });

  it('tells an error row, and drops statistics and downloads without a word', async () => {
    const broken = await listed('stremio-stream-errors', 'one of two');
    expect(broken.postings).toHaveLength(1);
    expect(broken.failures.map(({ explanation }) => explanation.what)).toEqual([
      'Stremio add-on (Home) says: [❌] BrokenIndexer Incorrect user credentials (Error Code: 100).',
    ]);
    const extra = await listed('stremio-stream-statistics-downloads', '');
    expect(extra.postings.map(({ name }) => name)).toEqual(['Real.Film.2024.1080p.BluRay.x264-RARSET']);
    expect(extra.failures).toEqual([]);
  });

  it.each([
    ['a film', 'film with an obfuscated file', 'the same, opened once before'],
    ['packs', 'episode: two season packs', 'the same, opened once before (videoSize'],
  ])('lists %s as the same releases before and after the first opening', async (_case, one, other) => {
    const file = 'stremio-stream-before-after';
    const [before, after] = [await listed(file, one), await listed(file, other)];
    const identity = ({ postings }: SearchAnswer) =>
      postings.map(({ name, link }) => [link.guid, name]).sort();
    expect(identity(after)).toEqual(identity(before));
    for (const { size = 0, link } of after.postings) {
      const old = before.postings.find((each) => each.link.guid === link.guid)?.size;
      expect(Math.abs(size - (old ?? 0))).toBeLessThan(size * 0.01);
    }
    expect(before.postings.every(({ name }) => name.startsWith('Real.'))).toBe(true);
  });

  it('gives the same release the same id as its search does', async () => {
    const byList = await listed('stremio-stream-statistics-downloads', '');
    const byApi = await ask(await replayed({ search: reply('search-api', 'film') }), FILM);
    expect(byList.postings[0]?.link.guid).toBe(byApi.postings[0]?.link.guid);
  });
});

describe('a test of AIOStreams', () => {
  it.each([
    [true, '1 NZBs of Big Buck Bunny, for your backend'],
    [false, '1 streams of Big Buck Bunny, which it plays itself'],
  ])('says which way is in use, with a backend for NZBs: %s', async (takesNzbs, found) => {
    const source = await sourceAt(await replayed({ search: reply('search-api', 'film') }), takesNzbs);
    expect(await source.test(signal)).toContainEqual({ what: 'A search by Home', found });
  });

  it('warns of one that is broken behind it, and is not failed by it', async () => {
    const service = await replayed({ stream: reply('stremio-stream-errors', 'one of two') });
    const [, found, note] = await (await sourceAt(service, false)).test(signal);
    expect(found).toMatchObject({ found: '1 streams of Big Buck Bunny, which it plays itself' });
    expect(note).toMatchObject({ isNote: true, failure: { code: 'SERVICE_ERROR' } });
  });

  it('says that the public address is nobody’s', async () => {
    const service = await replayed();
    service.manifest = reply('stremio-manifest', 'public manifest');
    expect(await (await sourceAt(service, true)).test(signal)).toMatchObject([
      { failure: { code: 'NOT_CONFIGURED' } },
    ]);
  });
});
