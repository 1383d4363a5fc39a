import { expect, it, onTestFinished } from 'vitest';
import { startStremio } from '../../../sandbox/direct-stream/stremio.ts';
import { SINTEL } from '../../../sandbox/index.ts';
import { deferred } from '../../../src/io/deferred.ts';
import type { MediaRequest } from '../../../src/model/index.ts';
import { listAgain } from '../../../src/search/index.ts';
import type { SearchSource } from '../../../src/search/sources/source.ts';
import { stremioSource } from '../../../src/search/sources/stremio/index.ts';
import { memoryLog } from '../../support/log.ts';
import { newFolder } from '../folder.ts';
import { EPISODE, failure, films, newId } from '../searching.ts';
import { answer, fakeManager, fakeSource, hang, type Reply } from '../sources.ts';

const FILM: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: { imdb: SINTEL.imdb } };
const { signal } = new AbortController();

const again = (reply: Reply, request = FILM) => {
  const source = fakeSource(newId(), reply);
  return { source, listed: listAgain(source, request, signal) };
};

it('gives what an add-on lists now, by one query', async () => {
  const addon = await startStremio({ apiKey: 'token-0001' });
  onTestFinished(() => addon.close());
  const options = { id: newId(), name: 'Home', url: addon.url, apiKey: '', timeout: 5_000 };
  const source = stremioSource({ ...options, cacheFolder: await newFolder() }, memoryLog());
  await source.capabilities(signal);
  const before = addon.requests.length;
  const postings = await listAgain(source, FILM, signal);
  expect(postings).toHaveLength(3);
  expect(postings.every(({ link }) => link.plays && link.source === source.id)).toBe(true);
  expect(addon.requests.slice(before).map(({ path }) => path)).toEqual([
    `/token-0001/stream/movie/${SINTEL.imdb}.json`,
  ]);
});

it('asks what a search would ask first, and nothing after the first list', async () => {
  const { source, listed } = again(() => answer([]));
  expect(await listed).toEqual([]);
  expect(source.queries).toEqual([
    { kind: 'movie', area: 'movies', id: { kind: 'imdb', value: SINTEL.imdb } },
  ]);
});

it('asks in the next way where one is not known, or where the id was ignored', async () => {
  const postings = films('s', 1);
  const { source, listed } = again(({ kind }) => {
    if (kind === 'series') return 'unsupported';
    return answer(postings);
  }, EPISODE);
  expect(await listed).toBe(postings);
  expect(source.queries.map(({ kind }) => kind)).toEqual(['series', 'text']);
  const other = again(({ id }) => (id ? answer(films('s', 2), { ignoredId: true }) : answer(postings)));
  expect(await other.listed).toBe(postings);
});

it('throws what the source fails with, and what it says instead of a list', async () => {
  await expect(again(() => Promise.reject(failure('UNREACHABLE'))).listed).rejects.toMatchObject({
    code: 'UNREACHABLE',
  });
  const said = { failures: [failure('SERVICE_ERROR')] };
  await expect(again(() => answer([], said)).listed).rejects.toMatchObject({ code: 'SERVICE_ERROR' });
  await expect(again(() => answer([], { failure: failure('RATE_LIMITED') })).listed).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  });
  expect(await again(() => answer(films('s', 1), said)).listed).toHaveLength(1);
});

it('waits for the turn of a source that is asked already', async () => {
  const id = newId();
  const waiting = deferred<undefined>();
  const source = fakeSource(id, async () => {
    await waiting.promise;
    return answer();
  });
  const both = Promise.all([listAgain(source, FILM, signal), listAgain(source, FILM, signal)]);
  waiting.resolve(undefined);
  await both;
  expect(source.mostAtOnce()).toBe(1);
});

it('ends when it is aborted, also at a source that does not heed the signal', async () => {
  for (const reply of [hang, () => new Promise<never>(() => undefined)]) {
    const ending = new AbortController();
    const source: SearchSource = fakeSource(newId(), reply);
    const listing = listAgain(source, FILM, ending.signal);
    ending.abort(new Error('closed'));
    await expect(listing).rejects.toThrow('closed');
  }
});

it('asks no manager of indexers', async () => {
  const manager = fakeManager(newId(), () => []);
  expect(await listAgain(manager, FILM, signal)).toEqual([]);
  expect(manager.asked()).toBe(0);
});
