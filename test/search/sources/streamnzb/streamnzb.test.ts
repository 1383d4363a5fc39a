import { describe, expect, it, onTestFinished } from 'vitest';
import { type StreamNzbOptions, startStreamNzb } from '../../../../sandbox/direct-stream/streamnzb/index.ts';
import { CATALOGUE, SINTEL } from '../../../../sandbox/index.ts';
import { redact } from '../../../../src/log/index.ts';
import type { SearchAnswer, SearchQuery } from '../../../../src/search/sources/source.ts';
import { stremioSource } from '../../../../src/search/sources/stremio/index.ts';
import { memoryLog } from '../../../support/log.ts';
import { newFolder } from '../../folder.ts';

/** StreamNZB 4.1.0 (protocols.md §8.11). */
const FILM: SearchQuery = { kind: 'movie', area: 'movies', id: { kind: 'imdb', value: SINTEL.imdb } };
const { signal } = new AbortController();
const FILMS = CATALOGUE.filter(({ of }) => of === SINTEL).map(({ name }) => name);

async function setUp(takesNzbs: boolean, options: StreamNzbOptions = {}) {
  const service = await startStreamNzb(options);
  onTestFinished(() => service.close());
  const base = { id: 's', name: 'Home', url: service.addon(), apiKey: '', timeout: 5_000, takesNzbs };
  const source = stremioSource({ ...base, cacheFolder: await newFolder() }, memoryLog());
  const ask = async (query = FILM): Promise<SearchAnswer> => {
    const answer = await source.ask(query, signal);
    if (answer === 'unsupported') throw new Error('unsupported');
    return answer;
  };
  return { service, source, ask };
}

describe('StreamNZB beside a backend that takes NZBs', () => {
  it('gives the NZBs at their indexers, and is asked for no place in its list', async () => {
    const { service, ask } = await setUp(true);
    const { postings, failures } = await ask();
    expect(failures).toEqual([]);
    expect(postings.map(({ name }) => name).toSorted()).toEqual(FILMS.toSorted());
    for (const { name, link, size } of postings) {
      const release = CATALOGUE.find((each) => each.name === name);
      expect(size).toBe(release?.size);
      expect(link).toEqual({
        url: `http://indexer.invalid/api?t=get&id=${release?.guid}&apikey=canary-indexer-c4d913`,
        guid: release?.guid,
        indexer: 'Sandbox',
        source: 's',
      });
    }
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/canary-streamnzb-3f60a7/manifest.json',
      '/api/search/releases',
    ]);
    expect(redact('apikey is canary-indexer-c4d913')).toBe('apikey is ***');
  });

  it('is asked for an episode by its numbers, and for a film of TMDb by its id', async () => {
    const { service, ask } = await setUp(true);
    await ask({ ...FILM, id: { kind: 'tmdb', value: '45745' } });
    await ask({ ...FILM, kind: 'series', area: 'series', season: 1, episode: 2 });
    const asked = service.requests.filter(({ path }) => path === '/api/search/releases');
    expect(asked.map(({ query }) => query)).toEqual([
      { type: 'movie', id: 'tmdb:45745' },
      { type: 'series', id: `${SINTEL.imdb}:1:2` },
    ]);
  });

  it('is asked for its streams where its version has no such search', async () => {
    const { service, ask } = await setUp(true);
    service.faults.api = [
      {
        kind: 'status',
        status: 404,
        body: '404 page not found',
        when: ({ path }) => path === '/api/search/releases',
      },
    ];
    const { postings } = await ask();
    expect(postings.map(({ link }) => link.plays)).toEqual(FILMS.map(() => true));
  });
});

describe('StreamNZB without such a backend', () => {
  it('lists what it plays', async () => {
    const { ask } = await setUp(false);
    const { postings } = await ask();
    expect(postings.map(({ name }) => name).toSorted()).toEqual(FILMS.toSorted());
    for (const { link } of postings) expect(link).toMatchObject({ plays: true, service: 'streamnzb' });
  });

  it('lists no row that leads to whatever comes next', async () => {
    const token = 'token-of-one-row-55c1';
    const stream = { name: 'first', token, failover: true, results: 'first' } as const;
    const { ask } = await setUp(false, { streams: [stream] });
    const { postings, failures } = await ask();
    expect(failures).toEqual([]);
    expect(postings.map(({ link }) => new URL(link.url).pathname)).toEqual([
      expect.stringContaining(`/${token}/play/`),
    ]);
  });
});

describe('an empty list of StreamNZB', () => {
  it.each([true, false])('may be a failure, and says so, with a backend for NZBs: %s', async (takesNzbs) => {
    const { source, ask } = await setUp(takesNzbs, { indexer: 'away' });
    const { postings, failures } = await ask();
    expect(postings).toEqual([]);
    expect(failures.map(({ explanation }) => explanation.what)).toEqual([
      'Stremio add-on (Home) lists nothing: it may have failed, and repeats an empty list for 10 minutes.',
    ]);
    const checks = await source.test(signal);
    expect(checks.at(-1)).toMatchObject({ isNote: true, failure: { code: 'SERVICE_ERROR' } });
    expect(checks.filter(({ failure, isNote }) => failure !== undefined && !isNote)).toEqual([]);
  });
});
